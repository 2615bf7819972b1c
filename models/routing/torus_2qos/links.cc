#include "models/routing/torus_2qos/links.h"

#include <algorithm>

namespace weft {

TorusLinks::TorusLinks(const Topology& topology, const SwitchGraph& graph, std::uint32_t group_ports)
    : topology_(topology), graph_(graph), group_ports_(group_ports), taken_(topology.cables.size()) {}

bool TorusLinks::join(TorusGrid& grid, unsigned dimension, std::uint32_t lower, std::uint32_t upper) {
  const unsigned up = direction_of(dimension, true), down = direction_of(dimension, false);
  const NodeIndex node = grid[lower].node;
  for (const SwitchLink& link : graph_.links(node)) {
    if (link.peer != grid[upper].node || !free(node, link)) continue;
    if (grid[lower].ports[up].size() >= group_ports_ || grid[upper].ports[down].size() >= group_ports_)
      return false;
    const Port& port = topology_.nodes[node].port(link.port);
    grid.add_port(lower, up, link.port);
    grid.add_port(upper, down, port.peer_port);
    taken_[port.cable] = true;
  }
  return true;
}

NodeIndex TorusLinks::corner(NodeIndex a, NodeIndex known, NodeIndex c) const {
  for (const SwitchLink& link : graph_.links(a)) {
    if (!free(a, link) || link.peer == known) continue;
    const auto onwards = graph_.links(link.peer);
    if (std::ranges::any_of(onwards,
                            [&](const SwitchLink& on) { return on.peer == c && free(link.peer, on); }))
      return link.peer;
  }
  return kNone;
}

NodeIndex TorusLinks::perpendicular(NodeIndex base, std::span<const NodeIndex> sides,
                                    NodeIndex behind) const {
  for (const SwitchLink& link : graph_.links(base)) {
    if (!free(base, link) || link.peer == behind) continue;
    if (std::ranges::all_of(sides, [&](NodeIndex side) { return corner(side, base, link.peer) != kNone; }))
      return link.peer;
  }
  return kNone;
}

NodeIndex TorusLinks::only_neighbour(NodeIndex base) const {
  NodeIndex found = kNone;
  for (const SwitchLink& link : graph_.links(base)) {
    if (!free(base, link) || link.peer == found) continue;
    if (found != kNone) return kNone;
    found = link.peer;
  }
  return found;
}

std::size_t TorusLinks::free_cables() const {
  std::size_t count = 0;
  for (const NodeIndex node : graph_.switches())
    for (const SwitchLink& link : graph_.links(node)) count += free(node, link);
  return count / 2;
}

}  // namespace weft
