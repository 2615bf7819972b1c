#include "models/workload/closed_loop.h"

namespace weft {
namespace {

class ClosedLoop : public Workload {
 public:
  ClosedLoop(SendPlan plan, const LoopSettings& loop, const StreamSettings& stream)
      : plan_(std::move(plan)), loop_(loop), stream_(stream), next_(plan_.sources) {}

  void start(Network& network, std::uint32_t stream) override {
    network_ = &network;
    number_ = stream;
    for (std::uint32_t source = 0; source < plan_.sources; ++source) {
      if (plan_.count(source) == 0) continue;
      if (stream_.start.count() > 0)
        network.wake(stream, source, stream_.start.count(), 0);
      else
        on_wake(source, 0);
    }
  }

  void on_wake(std::uint32_t source, std::uint32_t) override {
    for (std::uint32_t i = 0; i < loop_.depth; ++i) send_next(source);
  }

  void on_sent(const Message& message) override { send_next(message.source); }

  std::uint64_t planned() const override {
    std::uint64_t sum = 0;
    for (std::uint32_t source = 0; source < plan_.sources; ++source)
      sum += plan_.count(source) * plan_.rounds;
    return plan_.group == Message::kNoGroup ? sum : sum * (plan_.members - 1);
  }

 private:
  void send_next(std::uint32_t source) {
    const std::uint64_t a_round = plan_.count(source);
    if (plan_.rounds != 0 && next_[source] >= a_round * plan_.rounds) return;
    Message message;
    message.source = source;
    const std::uint64_t n = next_[source]++;
    if (plan_.group == Message::kNoGroup) message.destination = plan_.destination(source, n % a_round);
    message.group = plan_.group;
    message.bytes = loop_.message.count;
    message.sl = stream_.message_sl();
    message.stream = number_;
    message.flow = number_;
    if (stream_.rate) message.static_rate = picoseconds_per_byte(*stream_.rate);
    network_->post(message);
  }

  SendPlan plan_;
  LoopSettings loop_;
  StreamSettings stream_;
  std::vector<std::uint64_t> next_;
  Network* network_ = nullptr;
  std::uint32_t number_ = 0;
};

}  // namespace

void LoopSettings::describe(Describe& d) {
  d.field("message", message, "Size of one message.").range("0 B", "1 TB");
  d.field("messages", messages, "Messages to each destination.").range(1, 1'000'000'000);
  d.field("endless", endless,
          "Go on for as long as the run does (run.duration) instead of counting messages.");
  d.field("depth", depth, "Messages a source keeps under way.").range(1, 65536);
}

SendPlan PlannedPattern::checked_plan(const PatternContext& context) const {
  SendPlan sends = plan(context);
  if (sends.group == Message::kNoGroup && (!context.network.empty() || context.has_lane))
    for (std::uint32_t source = 0; source < sends.sources; ++source)
      for (std::uint64_t n = 0; n < sends.count(source); ++n)
        check_flow(context, source, sends.destination(source, n), stream.sl);
  return sends;
}

std::unique_ptr<Workload> PlannedPattern::make(const PatternContext& context) const {
  SendPlan sends = checked_plan(context);
  sends.rounds = loop_.endless ? 0 : loop_.messages;
  return std::make_unique<ClosedLoop>(std::move(sends), loop_, stream);
}

FlowList PlannedPattern::flows(const PatternContext& context) const {
  SendPlan plan = checked_plan(context);
  if (plan.group != Message::kNoGroup)
    throw BadValue("", "a multicast group's packets take its tree, not the forwarding tables");
  return
      [sends = std::move(plan), bytes = loop_.message.count](const std::function<void(const Flow&)>& visit) {
        for (std::uint32_t source = 0; source < sends.sources; ++source)
          for (std::uint64_t n = 0; n < sends.count(source); ++n)
            visit({source, sends.destination(source, n), bytes});
      };
}

}  // namespace weft
