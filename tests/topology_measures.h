// What tests of generated topologies measure, from the cabling alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/routing/switch_graph.h"
#include "models/topology/topology.h"

namespace weft::test {

/// "sw1-0[3]" at the other end of that port, or "free".
inline std::string peer_of(const Topology& t, const std::string& node, unsigned port) {
  const Port& p = t.nodes[t.find(node)].port(port);
  return p.peer_node == kNone ? "free" : t.display_name(PortRef{p.peer_node, p.peer_port});
}

inline const LinkSpec& link_of(const Topology& t, const std::string& node, unsigned port) {
  return t.cables[t.nodes[t.find(node)].port(port).cable].link;
}

/// Cables between switches.
inline std::size_t trunk_cables(const Topology& t) {
  return static_cast<std::size_t>(std::ranges::count_if(t.cables, [&t](const Cable& cable) {
    return t.nodes[cable.a.node].kind == NodeKind::switch_ && t.nodes[cable.b.node].kind == NodeKind::switch_;
  }));
}

/// Most cables on a shortest way between two switches that `counts` (all, where it is empty).
inline std::uint32_t diameter(const Topology& t, const std::function<bool(const Node&)>& counts = {}) {
  const SwitchGraph graph(t);
  std::vector<NodeIndex> ends;
  for (const NodeIndex n : graph.switches())
    if (!counts || counts(t.nodes[n])) ends.push_back(n);
  std::uint32_t farthest = 0;
  for (const NodeIndex from : ends) {
    const std::vector<std::uint32_t> distance = graph.distances(from);
    for (const NodeIndex to : ends) farthest = std::max(farthest, distance[to]);
  }
  return farthest;
}

/// Cables between the switches for which `inside` is true of their number, in node order, and the others.
inline std::size_t cut(const Topology& t, const std::function<bool(std::uint32_t)>& inside) {
  std::vector<std::uint32_t> number(t.nodes.size());
  std::uint32_t next = 0;
  for (NodeIndex n = 0; n < t.nodes.size(); ++n)
    if (t.nodes[n].kind == NodeKind::switch_) number[n] = next++;
  return static_cast<std::size_t>(std::ranges::count_if(t.cables, [&](const Cable& cable) {
    return t.nodes[cable.a.node].kind == NodeKind::switch_ &&
           t.nodes[cable.b.node].kind == NodeKind::switch_ &&
           inside(number[cable.a.node]) != inside(number[cable.b.node]);
  }));
}

}  // namespace weft::test
