// weft fabric validate: does every pair arrive, over how many switches, how loaded are the links, and can
// credits deadlock.
#include <algorithm>

#include <fmt/format.h>

#include "tools/fabric_commands.h"
#include "tools/fabric_input.h"
#include "tools/fabric_judge.h"
#include "tools/fabric_report.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;
namespace {

void tell_paths(const RouteReport& paths, bool has_lmc, const PortNames& names, FabricReport& report) {
  Recorder& recorder = report.recorder;
  recorder.set("pairs", static_cast<std::int64_t>(paths.pairs));
  recorder.set("reached", static_cast<std::int64_t>(paths.reached));
  if (paths.across_planes > 0)
    report.text += fmt::format("{} pairs lie in separate planes and are left out\n", paths.across_planes);
  Table& hops = recorder.table("hops", "Pairs by switches on the path", 1, {{"switches", ""}, {"pairs", ""}});
  for (const auto& [switches, pairs] : paths.pairs_by_hops)
    hops.add({std::int64_t{switches}, static_cast<std::int64_t>(pairs)});
  if (has_lmc) report.text += "each LID of an LMC is a destination, and a pair, of its own\n";
  if (paths.broken.empty()) return;
  Table& broken = recorder.table("broken", "Paths that do not arrive (the first 20)", 2,
                                 {{"from", ""}, {"to", ""}, {"why", ""}, {"path", ""}});
  for (const BrokenPath& path : paths.broken) {
    std::string ports;
    for (const PortRef& port : path.ports) ports += (ports.empty() ? "" : " ") + names[port];
    broken.add({names[path.source.where], names[path.destination.where], path.reason, ports});
  }
}

void tell_subscription(const Judgement& judgement, const PortNames& names, FabricReport& report) {
  const auto& links = judgement.paths.subscription;
  if (links.empty()) return;
  Recorder& recorder = report.recorder;
  recorder.set("subscription_max", static_cast<std::int64_t>(judgement.most()));
  recorder.set("subscription_mean", judgement.mean_subscription);
  recorder.set("subscription_min", static_cast<std::int64_t>(judgement.least()));
  report.text += fmt::format("flows over a switch-to-switch link, all-to-all: max {}, mean {:.1f}, min {}\n",
                             judgement.most(), judgement.mean_subscription, judgement.least());
  Table& hot = recorder.table("subscription", "Most subscribed links, all-to-all", 1,
                              {{"port", ""}, {"peer", ""}, {"flows", ""}});
  for (std::size_t i = 0; i < std::min<std::size_t>(5, links.size()); ++i)
    hot.add({names[links[i].port], names.peer(links[i].port), static_cast<std::int64_t>(links[i].flows)});
}

void tell_loops(const Prepared& p, const CreditLoopReport& traffic, FabricReport& report) {
  const Topology& t = p.topology;
  const bool aggregation = t.count(NodeKind::aggregation_node) > 0;
  const CreditLoopReport with_an =
      aggregation ? find_credit_loop_of(p, Ends::with_aggregation_nodes) : traffic;
  report.recorder.set("credit_loop", std::int64_t{!traffic.free_of_loops()});
  report.recorder.set("credit_loop_with_aggregation_nodes", std::int64_t{!with_an.free_of_loops()});
  report.recorder.set("lanes", std::int64_t{p.routes.vls});
  report.text += fmt::format("between the {} adapters: {}\n", t.endpoints().size(), loop_text(t, traffic));
  if (aggregation)
    report.text += fmt::format("with the {} aggregation nodes as ends: {}\n",
                               t.count(NodeKind::aggregation_node), loop_text(t, with_an));
  if (!traffic.free_of_loops() && p.routes.engine == "file" && p.settings.data_vls == 1)
    report.text +=
        "note: every path is judged on one VL; tables that were made for several (by dfsssp, lash, "
        "torus-2QoS, "
        "nue) avoid loops by the service level of each path, which a file of tables does not hold\n";
}

}  // namespace

int fabric_validate(const std::vector<std::string>& arguments) {
  po::options_description options;
  add_fabric_options(options);
  options.add_options()("json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"input"});
  const FabricArguments asked = fabric_arguments(map);
  FabricInput input(asked);
  input.route(asked.routes);
  const Prepared& p = input.prepared();
  const Judgement judgement = judge(p);
  const PortNames names(p.topology);
  FabricReport report;
  report.recorder.set("routing_engine", p.routes.engine);
  report.text = fmt::format("routing {}: {} of {} pairs reached\n", p.routes.engine, judgement.paths.reached,
                            judgement.paths.pairs);
  tell_paths(judgement.paths, p.topology.has_lmc(), names, report);
  tell_subscription(judgement, names, report);
  if (judgement.drops.pairs > 0)
    report.text += fmt::format(
        "{} pairs are DROPPED: fabric.qos maps their service level to no data VL, such as "
        "from {} to {} at {}\n",
        judgement.drops.pairs, names[judgement.drops.source], names[judgement.drops.destination],
        names[judgement.drops.at]);
  report.recorder.set("dropped", static_cast<std::int64_t>(judgement.drops.pairs));
  tell_loops(p, judgement.traffic, report);
  report.tell_notes(p);
  report.print(map["json"].as<bool>());
  return judgement.sound() ? kExitOk : kExitExpectation;
}

}  // namespace weft
