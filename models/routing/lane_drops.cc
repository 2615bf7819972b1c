#include "models/routing/lane_drops.h"

#include "models/routing/switch_graph.h"

namespace weft {

std::optional<PortRef> lane_drop(const Topology& topology, const Routes& routes, const Sl2Vl& sl2vl,
                                 PortRef source, Lid lid) {
  const std::uint8_t sl = routes.path_sls.sl(home_of(topology, source), lid);
  PortRef out = source;
  std::uint8_t in = 0;
  for (std::size_t hops = 0; hops <= topology.nodes.size(); ++hops) {
    if (sl2vl.vl(out.node, in, out.port, sl) == kDropVl) return out;
    const Port& port = topology.nodes[out.node].port(out.port);
    if (port.peer_node == kNone || topology.nodes[port.peer_node].kind != NodeKind::switch_) return {};
    const std::uint8_t next = routes.lft[port.peer_node][lid];
    if (next == 0 || next > topology.nodes[port.peer_node].ports.size()) return {};
    in = port.peer_port;
    out = {port.peer_node, next};
  }
  return {};
}

LaneDrops lane_drops(const Topology& topology, const Routes& routes, const Sl2Vl& sl2vl) {
  LaneDrops drops;
  if (!sl2vl.drops()) return drops;
  std::vector<LidOwner> ends;
  for (const LidOwner& owner : lid_owners(topology))
    if (topology.nodes[owner.where.node].kind == NodeKind::hca) ends.push_back(owner);
  for (const LidOwner& source : ends)
    for (const LidOwner& destination : ends) {
      if (source.where == destination.where) continue;
      for (Lid lid = destination.base; lid < destination.base + destination.lids; ++lid) {
        const std::optional<PortRef> at = lane_drop(topology, routes, sl2vl, source.where, lid);
        if (at && drops.pairs++ == 0) {
          drops.source = source.where;
          drops.destination = destination.where;
          drops.at = *at;
        }
      }
    }
  return drops;
}

}  // namespace weft
