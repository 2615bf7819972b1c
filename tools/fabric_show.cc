// weft fabric show: what is there.
#include <algorithm>
#include <array>
#include <map>

#include "tools/fabric_commands.h"
#include "tools/fabric_input.h"
#include "tools/fabric_report.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;
namespace {

void show(const Topology& t, Recorder& recorder) {
  Table& nodes =
      recorder.table("nodes", "Nodes", 1, {{"kind", ""}, {"nodes", ""}, {"ports", ""}, {"cabled", ""}});
  for (const NodeKind kind :
       {NodeKind::switch_, NodeKind::hca, NodeKind::aggregation_node, NodeKind::router}) {
    std::int64_t count = 0, ports = 0, cabled = 0;
    for (const Node& node : t.nodes) {
      if (node.kind != kind) continue;
      ++count;
      ports += static_cast<std::int64_t>(node.ports.size());
      cabled += std::count_if(node.ports.begin(), node.ports.end(),
                              [](const Port& port) { return port.peer_node != kNone; });
    }
    if (count > 0) nodes.add({std::string(to_text(kind)), count, ports, cabled});
  }
  std::map<std::string, std::array<std::int64_t, 2>> by_speed;
  for (const Cable& cable : t.cables) {
    const auto is_switch = [&](PortRef end) { return t.nodes[end.node].kind == NodeKind::switch_; };
    ++by_speed[speed_text(cable.link)][is_switch(cable.a) && is_switch(cable.b) ? 0 : 1];
  }
  Table& links =
      recorder.table("links", "Links", 1, {{"speed", ""}, {"switch_to_switch", ""}, {"to_adapters", ""}});
  for (const auto& [speed, counts] : by_speed) links.add({speed, counts[0], counts[1]});
  Table& switches = recorder.table("switches", "Switches", 1,
                                   {{"switch", ""},
                                    {"lid", ""},
                                    {"ports", ""},
                                    {"to_switches", ""},
                                    {"to_adapters", ""},
                                    {"to_aggregation", ""}});
  switches.on_terminal = t.count(NodeKind::switch_) <= 64;
  const std::vector<std::string> names = t.display_names();
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
    const Node& node = t.nodes[n];
    if (node.kind != NodeKind::switch_) continue;
    std::array<std::int64_t, 4> to{};
    for (const Port& port : node.ports)
      if (port.peer_node != kNone) ++to[static_cast<std::size_t>(t.nodes[port.peer_node].kind)];
    switches.add({names[n], std::int64_t{node.lid}, static_cast<std::int64_t>(node.ports.size()),
                  to[static_cast<std::size_t>(NodeKind::switch_)],
                  to[static_cast<std::size_t>(NodeKind::hca)],
                  to[static_cast<std::size_t>(NodeKind::aggregation_node)]});
  }
}

}  // namespace

int fabric_show(const std::vector<std::string>& arguments) {
  po::options_description options;
  options.add_options()("input", po::value<std::string>())(
      "set", po::value<std::vector<std::string>>()->composing())("json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"input"});
  FabricInput input(fabric_arguments(map));
  FabricReport report;
  show(input.prepared().topology, report.recorder);
  report.tell_notes(input.prepared());
  report.print(map["json"].as<bool>());
  return 0;
}

}  // namespace weft
