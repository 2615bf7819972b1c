// How shift permutations, in which fat-tree routing is at its best, load the links.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/routing/routes.h"

namespace weft::test {

/// The most loaded link when each of `ends` sends to the one `shift` places on, round the end.
inline unsigned worst_load(const Topology& t, const Routes& routes, const std::vector<PortRef>& ends,
                           std::size_t shift) {
  std::vector<std::vector<unsigned>> load(t.nodes.size());
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) load[n].assign(t.nodes[n].ports.size() + 1, 0);
  unsigned worst = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const PortRef to = ends[(i + shift) % ends.size()];
    PortRef out = ends[i];
    while (true) {
      worst = std::max(worst, ++load[out.node][out.port]);
      const Port& port = t.nodes[out.node].port(out.port);
      if (port.peer_node == to.node) break;
      out = {port.peer_node, routes.lft[port.peer_node][t.nodes[to.node].port(to.port).lid]};
    }
  }
  return worst;
}

/// Among endpoints in the topology's numbering.
inline unsigned worst_load(const Topology& t, const Routes& routes, std::size_t shift) {
  std::vector<PortRef> ends;
  for (const Endpoint& end : t.endpoints()) ends.push_back(end.where);
  return worst_load(t, routes, ends, shift);
}

}  // namespace weft::test
