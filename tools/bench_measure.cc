#include "tools/bench_measure.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "tools/allocations.h"
#include "tools/bare_engine.h"
#include "tools/process_counters.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {kUnknown, kUnknown, kUnknown};
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

/// Posts the sends: each source's next when it has the completion of the one before.
class Sender : public FabricUser {
 public:
  Sender(World& world, const std::vector<BenchSend>& sends) : world_(world), sends_(sends) {
    world_.set_user(*this);
    next_.resize(world_.endpoint_count(), sends.size());
    for (std::size_t i = sends.size(); i-- > 0;) next_[sends[i].source] = i;
  }
  void start() {
    for (const std::size_t first : std::vector<std::size_t>(next_))
      if (first < sends_.size()) {
        const BenchSend& send = sends_[first];
        send.start > 0 ? world_.wake(send.source, send.start, 0) : post_next(send.source);
      }
  }
  void on_delivered(const Delivery&) override {}
  void on_sent(const Message& message) override { post_next(message.source); }
  void on_wake(std::uint32_t endpoint, std::uint32_t) override { post_next(endpoint); }

 private:
  void post_next(std::uint32_t source) {
    const std::size_t i = next_[source];
    if (i >= sends_.size() || sends_[i].source != source) return;
    ++next_[source];
    Message message;
    message.source = source;
    message.destination = sends_[i].destination;
    message.bytes = sends_[i].bytes;
    world_.post(message);
  }

  World& world_;
  const std::vector<BenchSend>& sends_;
  std::vector<std::size_t> next_;  // of each endpoint, in sends_
};

/// How far the run was when so much had been allocated.
struct Mark {
  std::uint64_t hops, allocations;
};

struct Run {
  double rate = 0, instructions = kUnknown;
};

/// A fabric, its traffic, and the turns on them.
class Bench {
 public:
  explicit Bench(const BenchCase& bench)
      : bench_(bench),
        empty_(resident_bytes()),
        fabric_(bench_fabric(bench.size.hosts, bench.workload->many_lengths, bench.ack_every)),
        sends_(bench.workload->sends(bench.size.hosts, bench.size.bytes)) {
    marks_.reserve(std::size_t{1} << 16);
  }

  BenchResult measure(const std::function<void(std::uint32_t)>& progress) {
    std::vector<double> rates, yardstick_rates, ratios, instructions;
    for (std::uint32_t turn = 1; turn <= bench_.runs; ++turn) {
      progress(turn);
      const Run run = run_weft(turn == 1);
      rates.push_back(run.rate);
      if (run.instructions > 0) instructions.push_back(run.instructions);
      if (!bench_.yardstick) continue;
      yardstick_rates.push_back(run_yardstick());
      ratios.push_back(run.rate / yardstick_rates.back());
    }
    result_.rate = spread_of(rates);
    result_.yardstick_rate = spread_of(yardstick_rates);
    result_.ratio = spread_of(ratios);
    result_.instructions = spread_of(instructions).median;
    return result_;
  }

 private:
  Run run_weft(bool first) {
    World world(fabric_.topology, fabric_.routes, fabric_.devices, fabric_.settings);
    Sender sender(world, sends_);
    marks_.clear();
    const std::size_t before = resident_bytes();
    const std::uint64_t allocations_before = allocation_count;
    // Slices of the time the bytes take on an idle wire, to see when memory is allocated.
    const Ticks slice = std::max<Ticks>(static_cast<Ticks>(bench_.size.bytes) * 20 / 32, 1'000'000);
    const auto begin = Clock::now();
    counter_.start();
    sender.start();
    RunEnd end = RunEnd::horizon;
    while (end == RunEnd::horizon) {
      marks_.push_back({world.counts().data_hops, allocation_count});
      end = world.run(world.now() + slice);
    }
    const std::optional<std::uint64_t> instructions = counter_.stop();
    const double seconds = seconds_since(begin);
    const std::uint64_t allocations_after = allocation_count;

    const World::Counts& counts = world.counts();
    if (end != RunEnd::idle || counts.messages_delivered != sends_.size())
      throw std::runtime_error(fmt::format("{} of {} messages arrived, and nothing moves any more",
                                           counts.messages_delivered, sends_.size()));
    const auto hops = static_cast<double>(counts.data_hops);
    if (first) {
      result_.data_hops = counts.data_hops;
      result_.ack_hops = counts.ack_hops;
      result_.events = counts.events;
      result_.allocations = allocations_after - allocations_before;
      const auto late = std::find_if(marks_.begin(), marks_.end(),
                                     [&](const Mark& mark) { return mark.hops >= counts.data_hops / 2; });
      result_.late_allocations = late == marks_.end() ? 0 : allocations_after - late->allocations;
      const std::size_t now = resident_bytes();
      result_.loop_growth = static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before);
      result_.resident_growth = static_cast<std::int64_t>(now) - static_cast<std::int64_t>(empty_);
      result_.peak_resident = peak_resident_bytes();
      result_.engine_bytes = world.reserved_bytes();
    }
    return {hops / seconds, instructions ? static_cast<double>(*instructions) / hops : kUnknown};
  }

  double run_yardstick() {
    BareEngine engine(fabric_.topology, fabric_.routes, sends_);
    const auto begin = Clock::now();
    engine.run();
    const double seconds = seconds_since(begin);
    if (engine.packets_left() > 0 || engine.hops() != result_.data_hops)
      throw std::runtime_error(
          fmt::format("the yardstick made {} packet-hops, and {} of its packets are left", engine.hops(),
                      engine.packets_left()));
    return static_cast<double>(engine.hops()) / seconds;
  }

  const BenchCase bench_;
  const std::size_t empty_;  // resident bytes before there is anything
  const Prepared fabric_;
  const std::vector<BenchSend> sends_;
  InstructionCounter counter_;
  std::vector<Mark> marks_;
  BenchResult result_;
};

}  // namespace

BenchResult measure_bench(const BenchCase& bench, const std::function<void(std::uint32_t)>& progress) {
  return Bench(bench).measure(progress);
}

}  // namespace weft
