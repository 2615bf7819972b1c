#include "models/topology/removal.h"

#include <algorithm>

namespace weft {

Removal without(const Topology& topology, std::span<const std::uint32_t> cables,
                std::span<const NodeIndex> switches) {
  const auto gone = [&](NodeIndex n) { return std::ranges::find(switches, n) != switches.end(); };
  Removal result;
  Topology& left = result.topology;
  left.hosts = topology.hosts;
  left.warnings = topology.warnings;
  left.planes = topology.planes;
  left.tree = topology.tree;
  left.grid = topology.grid;
  result.now.assign(topology.nodes.size(), kNone);
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    if (gone(n) && !left.grid) continue;
    if (!gone(n)) result.now[n] = static_cast<NodeIndex>(left.nodes.size());
    Node node = topology.nodes[n];
    if (gone(n)) node.lid = 0;
    for (Port& port : node.ports) {
      port.peer_node = port.cable = kNone;
      port.peer_port = 0;
    }
    left.nodes.push_back(std::move(node));
  }
  for (std::uint32_t c = 0; c < topology.cables.size(); ++c) {
    const Cable& cable = topology.cables[c];
    if (std::ranges::find(cables, c) != cables.end() || gone(cable.a.node) || gone(cable.b.node)) continue;
    left.connect({result.now[cable.a.node], cable.a.port}, {result.now[cable.b.node], cable.b.port},
                 cable.link);
  }
  const std::vector<Endpoint> ends = topology.endpoints();
  for (std::uint32_t e = 0; e < ends.size(); ++e) {
    const PortRef where = ends[e].where;
    if (left.nodes[result.now[where.node]].port(where.port).peer_node == kNone) result.cut_off.push_back(e);
  }
  return result;
}

}  // namespace weft
