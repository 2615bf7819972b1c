#include "scenarios/run.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "models/packet_network.h"
#include "scenarios/expectations.h"
#include "scenarios/measure.h"
#include "sim/error.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSliceSeconds = 0.1;  // between looks at the clock, the interrupt flag and the progress line

/// Runs to `until`, in slices of simulated time that take about kSliceSeconds of wall time.
RunEnd run_to(World& world, Ticks until, Ticks& slice, const std::function<bool()>& between) {
  for (;;) {
    const Ticks next = until - world.now() > slice ? world.now() + slice : until;
    const auto begin = Clock::now();
    const RunEnd end = world.run(next);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (seconds < kSliceSeconds / 2 && slice < kNeverTicks / 4) slice *= 2;
    if (seconds > kSliceSeconds * 2 && slice > 1'000'000) slice /= 2;
    if (end != RunEnd::horizon || next == until) return end;
    if (!between()) return RunEnd::stopped;
  }
}

void describe_stop(const World& world, Recorder& recorder, RunResult& result) {
  const World::WaitReport report = world.wait_report();
  result.verdict = report.deadlock ? Verdict::deadlocked : Verdict::stalled;
  Table& table =
      recorder.table("wait_graph",
                     report.deadlock ? "Deadlock: each port waits for the next, the last for the first"
                                     : "What everything waits for",
                     1, {{"port", ""}, {"vl", ""}, {"waits_for", ""}});
  const Topology& topology = world.topology();
  for (const World::WaitReport::Wait& wait : report.deadlock ? report.cycle : report.culprits)
    table.add({topology.display_name(wait.output), std::int64_t{wait.vl}, wait.why});
  if (!report.routes.empty()) {
    Table& routes = recorder.table("wait_routes", "Messages that made the circle", 1, {{"message", ""}});
    for (const std::string& route : report.routes) routes.add({route});
  }
  const std::string first = table.rows.empty() ? "nothing is known of why" : to_text(table.rows[0][2]);
  result.verdict_text =
      report.deadlock
          ? fmt::format("deadlocked at {}: {} ports wait for each other in a circle, {} packets stand",
                        to_text(Time{world.now()}), report.cycle.size(), report.waiting_packets)
          : fmt::format("stalled at {}: {}; {} outputs are blocked, {} packets stand",
                        to_text(Time{world.now()}), first, report.blocked_outputs, report.waiting_packets);
}

}  // namespace

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::finished:
      return "finished";
    case Verdict::duration:
      return "duration reached";
    case Verdict::deadlocked:
      return "deadlocked";
    case Verdict::stalled:
      return "stalled";
    case Verdict::incomplete:
      return "incomplete";
    case Verdict::interrupted:
      return "interrupted";
  }
  return "";
}

RunResult run_scenario(const Prepared& prepared, Recorder& recorder, const RunHooks& hooks) {
  const Scenario& scenario = prepared.scenario;
  const RouteReport paths = check_paths(prepared);
  if (!paths.broken.empty()) {
    const BrokenPath& first = paths.broken.front();
    recorder.warn(fmt::format("{} of {} paths do not arrive; the first, {} to {}: {}",
                              paths.pairs - paths.reached, paths.pairs,
                              prepared.topology.display_name(first.source.where),
                              prepared.topology.display_name(first.destination.where), first.reason));
  }
  const std::unique_ptr<World> world = make_world(prepared, paths);
  PacketNetwork network(*world);
  const std::vector<std::unique_ptr<Workload>> workloads = make_workloads(prepared);
  bool endless = false;
  std::uint64_t planned = 0;
  for (const auto& workload : workloads) {
    network.add(*workload);
    endless = endless || workload->planned() == 0;
    planned += workload->planned();
  }
  if (workloads.empty()) recorder.warn("the scenario has no traffic: nothing is sent");
  for (const std::string& note : prepared.notes) recorder.warn(note);
  for (const std::string& warning : prepared.routes.warnings) recorder.warn(warning);

  Measurement measurement(prepared, *world);
  network.observe_post = [&](const Message& message) { measurement.on_post(message); };
  network.observe_delivery = [&](const Delivery& delivery) { measurement.on_delivery(delivery); };
  network.observe_sample = [&] { measurement.on_sample(); };
  if (scenario.run.sample) world->sample_every(scenario.run.sample->count());

  const Ticks until = scenario.run.duration ? std::min<Ticks>(scenario.run.duration->count(), World::kHorizon)
                                            : World::kHorizon;
  const auto between = [&] {
    if (hooks.progress) {
      const World::Counts& counts = world->counts();
      const double by_time =
          !scenario.run.duration ? 0 : static_cast<double>(world->now()) / static_cast<double>(until);
      const double by_messages = endless || planned == 0 ? 0
                                                         : static_cast<double>(counts.messages_delivered) /
                                                               static_cast<double>(planned);
      hooks.progress({world->now(), std::max(by_time, by_messages), counts.data_hops});
    }
    return hooks.interrupt == nullptr || !*hooks.interrupt;
  };

  RunResult result;
  const auto begin = Clock::now();
  network.start();
  Ticks slice = 10'000'000;  // 10 us; adapts
  RunEnd end = RunEnd::horizon;
  if (scenario.run.warm_up.count() > 0) {
    end = run_to(*world, scenario.run.warm_up.count(), slice, between);
    measurement.start_window();
    if (end == RunEnd::idle)
      recorder.warn("the traffic was over before the warm-up: nothing is left to measure (run.warm_up)");
  }
  if (end == RunEnd::horizon) end = run_to(*world, until, slice, between);
  result.run_seconds = std::chrono::duration<double>(Clock::now() - begin).count();

  result.counts = world->counts();
  result.simulated = world->now();
  result.fingerprint = world->fingerprint();
  const std::uint64_t missing = result.counts.messages_posted - result.counts.messages_delivered;
  switch (end) {
    case RunEnd::horizon:
      result.verdict = Verdict::duration;
      result.verdict_text = fmt::format("duration reached: {} simulated", to_text(Time{result.simulated}));
      break;
    case RunEnd::stopped:
      result.verdict = Verdict::interrupted;
      result.partial = true;
      result.verdict_text =
          fmt::format("interrupted at {}: results are partial", to_text(Time{result.simulated}));
      break;
    case RunEnd::stuck:
      describe_stop(*world, recorder, result);
      break;
    case RunEnd::idle:
      result.verdict = missing == 0 ? Verdict::finished : Verdict::incomplete;
      result.verdict_text =
          missing == 0 ? fmt::format("finished: all {} messages arrived", result.counts.messages_delivered)
                       : fmt::format(
                             "incomplete: {} of {} messages did not arrive, {} packets were lost (nothing is "
                             "resent yet)",
                             missing, result.counts.messages_posted, result.counts.dropped);
      break;
  }
  measurement.end_window();
  measurement.write(recorder, result.simulated);
  const World::Counts& c = result.counts;
  recorder.set("verdict", std::string(to_text(result.verdict)));
  recorder.set("partial", std::int64_t{result.partial});
  recorder.set("routing_engine", prepared.routes.engine);
  recorder.set("simulated_us", static_cast<double>(result.simulated) / 1e6);
  recorder.set("messages_posted", static_cast<std::int64_t>(c.messages_posted));
  recorder.set("messages_delivered", static_cast<std::int64_t>(c.messages_delivered));
  recorder.set("packets_delivered", static_cast<std::int64_t>(c.delivered));
  recorder.set("packets_lost", static_cast<std::int64_t>(c.dropped));
  recorder.set("data_packet_hops", static_cast<std::int64_t>(c.data_hops));
  recorder.set("ack_packet_hops", static_cast<std::int64_t>(c.ack_hops));
  recorder.set("events", static_cast<std::int64_t>(c.events));
  recorder.set("fingerprint", fmt::format("{:016x}", result.fingerprint));
  result.expectations_failed = check_expectations(prepared, recorder);
  return result;
}

}  // namespace weft
