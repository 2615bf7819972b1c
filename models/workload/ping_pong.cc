// Ping-pong: two endpoints answer each other, size after size, as perftest's send_lat does. What is reported
// of a message is its one-way latency, which is half of perftest's round trip when both directions are alike.
#include <algorithm>

#include <fmt/format.h>

#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

struct Plan {
  std::uint32_t from = 0, to = 0;
  std::vector<std::uint64_t> sizes;
  std::uint64_t exchanges = 0;  // per size, warm-up included
  StreamSettings stream;
};

class PingPongWorkload : public Workload {
 public:
  explicit PingPongWorkload(Plan plan) : plan_(std::move(plan)) {}

  void start(Network& network, std::uint32_t stream) override {
    network_ = &network;
    number_ = stream;
    if (plan_.stream.start.count() > 0)
      network.wake(stream, plan_.from, plan_.stream.start.count(), 0);
    else
      send(plan_.from, plan_.to);
  }
  void on_wake(std::uint32_t, std::uint32_t) override { send(plan_.from, plan_.to); }
  void on_delivered(const Delivery& delivery) override {
    const bool answer = delivery.message.source == plan_.from;
    if (!answer && ++exchange_ == plan_.exchanges) {
      exchange_ = 0;
      if (++size_ == plan_.sizes.size()) return;
    }
    send(delivery.message.destination, delivery.message.source);
  }
  std::uint64_t planned() const override { return 2 * plan_.exchanges * plan_.sizes.size(); }

 private:
  void send(std::uint32_t from, std::uint32_t to) {
    Message message;
    message.source = from;
    message.destination = to;
    message.bytes = plan_.sizes[size_];
    message.sl = plan_.stream.message_sl();
    message.stream = number_;
    message.flow = number_;
    if (plan_.stream.rate) message.static_rate = picoseconds_per_byte(*plan_.stream.rate);
    network_->post(message);
  }

  Plan plan_;
  std::size_t size_ = 0;
  std::uint64_t exchange_ = 0;
  Network* network_ = nullptr;
  std::uint32_t number_ = 0;
};

class PingPong : public Pattern {
 public:
  void describe(Describe& d) override {
    d.field("from", from_, "One end: a machine's name or an endpoint's number.");
    d.field("to", to_, "The other end.");
    d.list("sizes", sizes_, "Message sizes, in this order; perftest's 2 B to 8 MiB when left out.");
    d.field("iterations", iterations_, "Exchanges of each size that count.").range(1, 1'000'000'000);
    d.field("warm_up", warm_up_, "Exchanges of each size before those.").range(0, 1'000'000'000);
    stream.describe(d);
  }
  std::unique_ptr<Workload> make(const PatternContext& context) const override {
    return std::make_unique<PingPongWorkload>(plan(context));
  }
  FlowList flows(const PatternContext& context) const override {
    return [ends = plan(context)](const std::function<void(const Flow&)>& visit) {
      visit({ends.from, ends.to, ends.sizes.back()});
      visit({ends.to, ends.from, ends.sizes.back()});
    };
  }
  bool is_latency_test() const override { return true; }
  std::uint64_t warm_up_messages() const override { return 2 * warm_up_; }

 private:
  Plan plan(const PatternContext& context) const {
    const EndpointNames names(context);
    Plan exchange;
    exchange.from = names.find(from_, "from");
    exchange.to = names.find(to_, "to");
    if (exchange.from == exchange.to) throw BadValue("to", fmt::format("`{}` is the sender itself", to_));
    check_flow(context, exchange.from, exchange.to, stream.sl);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (std::find(exchange.sizes.begin(), exchange.sizes.end(), sizes_[i].count) != exchange.sizes.end())
        throw BadValue(fmt::format("sizes[{}]", i), fmt::format("{} stands twice", to_text(sizes_[i])));
      exchange.sizes.push_back(sizes_[i].count);
    }
    if (exchange.sizes.empty())
      for (std::uint64_t size = 2; size <= 8 * 1024 * 1024; size *= 2) exchange.sizes.push_back(size);
    exchange.exchanges = iterations_ + warm_up_;
    exchange.stream = stream;
    return exchange;
  }

  std::string from_ = "0", to_ = "1";
  std::vector<Bytes> sizes_;
  std::uint64_t iterations_ = 10, warm_up_ = 0;
};

}  // namespace

std::unique_ptr<Pattern> make_ping_pong() { return std::make_unique<PingPong>(); }

}  // namespace weft
