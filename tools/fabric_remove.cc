// weft fabric remove: what changes when cables are pulled or switches are gone.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/topology/removal.h"
#include "models/workload/pattern.h"
#include "scenarios/places.h"
#include "sim/error.h"
#include "tools/fabric_commands.h"
#include "tools/fabric_difference.h"
#include "tools/fabric_input.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;
namespace {

std::vector<std::string> listed(const po::variables_map& map, const char* name) {
  return map.count(name) ? map[name].as<std::vector<std::string>>() : std::vector<std::string>();
}

/// A name that is not in the fabric is a mistake on the command line.
template <class Work>
auto as_usage(const char* option, Work work) {
  try {
    return work();
  } catch (const BadValue& error) {
    throw UsageError{fmt::format("{}: {}", option, error.what())};
  }
}

std::vector<NodeIndex> switches_named(const Topology& topology, const std::vector<std::string>& names) {
  std::vector<NodeIndex> switches;
  for (const std::string& name : names)
    switches.push_back(as_usage("--switch", [&] {
      const NodeIndex node = node_at(topology, name, "");
      if (topology.nodes[node].kind != NodeKind::switch_)
        throw BadValue("", fmt::format("{} is no switch", topology.display_name(node)));
      return node;
    }));
  return switches;
}

std::vector<std::uint32_t> cables_named(const Topology& topology, const std::vector<std::string>& names) {
  std::vector<std::uint32_t> cables;
  for (const std::string& name : names)
    cables.push_back(as_usage("--cable", [&] { return cable_at(topology, name, ""); }));
  return cables;
}

/// Tables of a file are those of the whole fabric: what happens until somebody makes new ones.
Routes of_the_switches_left(const Routes& whole, const Topology& left, const std::vector<NodeIndex>& now) {
  Routes routes;
  routes.engine = whole.engine;
  routes.warnings = whole.warnings;
  routes.lft = ForwardingTables(left);
  if (!whole.groups.empty()) routes.groups.resize(left.nodes.size());
  for (NodeIndex n = 0; n < now.size(); ++n) {
    if (now[n] == kNone) continue;
    Lft table = whole.lft[n].written_out();
    table.resize(
        std::min<std::size_t>(table.size(), routes.lft.last_lid() + 1));  // LIDs that are still there
    if (!table.empty()) routes.lft.set(now[n], table);
    if (!whole.groups.empty()) routes.groups[now[n]] = whole.groups[n];
  }
  return routes;
}

void tell_cut_off(const Topology& whole, const std::vector<std::uint32_t>& cut_off, FabricReport& report) {
  if (cut_off.empty()) return;
  const std::vector<std::string> ends = endpoint_names(whole);
  Table& lost = report.recorder.table("cut_off", "Cut off", 1, {{"endpoint", ""}});
  for (const std::uint32_t end : cut_off) lost.add({ends[end]});
  lost.on_terminal = cut_off.size() <= 16;
  report.text += fmt::format("{} of {} endpoints are cut off\n", cut_off.size(), ends.size());
}

}  // namespace

int fabric_remove(const std::vector<std::string>& arguments) {
  po::options_description options;
  add_fabric_options(options);
  options.add_options()("cable", po::value<std::vector<std::string>>()->composing())(
      "switch", po::value<std::vector<std::string>>()->composing())("json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"input"});
  const FabricArguments asked = fabric_arguments(map);
  if (listed(map, "cable").empty() && listed(map, "switch").empty())
    throw UsageError{"what is removed? write --cable or --switch"};
  FabricInput input(asked);
  Prepared& p = input.prepared();
  const Topology whole = p.topology;
  const std::vector<std::uint32_t> cables = cables_named(whole, listed(map, "cable"));
  const std::vector<NodeIndex> switches = switches_named(whole, listed(map, "switch"));

  FabricReport report;
  input.route(asked.routes);
  const Side before{"whole", judge(p), p.routes.lft};
  const Routes routes = p.routes;
  Removal removal = without(whole, cables, switches);
  p.topology = std::move(removal.topology);
  tell_cut_off(whole, removal.cut_off, report);
  try {
    if (routes.engine == "file") {
      input.keep(of_the_switches_left(routes, p.topology, removal.now));
      report.text += "the tables are a file's and stay as they are\n";
    } else {
      input.route(asked.routes);
    }
  } catch (const ConfigError& refusal) {
    report.recorder.set("refusal", refusal.diagnostics().front().message);
    report.text += fmt::format("what is left is not routed: {}\n", refusal.diagnostics().front().message);
    report.print(map["json"].as<bool>());
    return kExitExpectation;
  }
  report.tell_notes(p);
  const Side after{"without", judge(p), p.routes.lft};

  const PortNames names(whole);
  const TableDifference difference = compare_tables(whole, before.lft, p.topology, after.lft, removal.now);
  tell_sides(before, after, report);
  tell_tables(difference, names, report);
  std::vector<NodeIndex> was(p.topology.nodes.size(), kNone);
  for (NodeIndex n = 0; n < removal.now.size(); ++n)
    if (removal.now[n] != kNone) was[removal.now[n]] = n;
  std::vector<RouteReport::Subscription> now = after.judgement.paths.subscription;
  for (auto& link : now) link.port.node = was[link.port.node];
  tell_links(link_changes(before.judgement.paths.subscription, now), names, report);
  report.text += fmt::format("{} of {} entries change, in {} switches; {} of {} pairs take another path\n",
                             difference.different, difference.entries, difference.switches.size(),
                             difference.changed, difference.pairs);
  const RouteReport& paths = after.judgement.paths;
  const std::uint64_t reached = before.judgement.paths.reached;
  if (paths.reached < reached)
    report.text += fmt::format("{} of {} pairs are lost\n", reached - paths.reached, reached);
  if (paths.reached < paths.pairs)
    report.text += fmt::format("{} of {} pairs of ends that still have a cable are NOT reached\n",
                               paths.pairs - paths.reached, paths.pairs);
  if (!after.judgement.traffic.free_of_loops())
    report.text += fmt::format("what is left: {}\n", loop_text(p.topology, after.judgement.traffic));
  report.print(map["json"].as<bool>());
  return after.judgement.sound() ? kExitOk : kExitExpectation;
}

}  // namespace weft
