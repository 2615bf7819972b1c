#include "models/routing/multicast_tables.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

namespace weft {

bool lone(const MulticastGroup& group) {
  return std::ranges::adjacent_find(group.members, std::not_equal_to<PortRef>()) == group.members.end();
}

std::vector<std::string> check_multicast(const Topology& topology, const MulticastTables& tables,
                                         const MulticastGroup& group) {
  std::vector<std::string> wrong;
  const auto name = [&](PortRef port) { return topology.display_name(port); };
  const auto peer_of = [&](PortRef port) {
    const Port& p = topology.nodes[port.node].port(port.port);
    return PortRef{p.peer_node, p.peer_port};
  };
  const auto is_switch = [&](NodeIndex n) { return topology.nodes[n].kind == NodeKind::switch_; };
  const auto has = [&](PortRef port) {
    return std::ranges::find(tables.ports(port.node, group.mlid), port.port) !=
           tables.ports(port.node, group.mlid).end();
  };
  // Both ends of a cable agree, and what hangs on the tree are the members.
  std::size_t switches = 0, half_cables = 0;
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const auto ports = tables.ports(n, group.mlid);
    if (!ports.empty()) ++switches;
    for (const std::uint8_t out : ports) {
      const PortRef port{n, out}, peer = peer_of(port);
      if (peer.node == kNone) {
        wrong.push_back(fmt::format("{} has no cable", name(port)));
      } else if (is_switch(peer.node)) {
        ++half_cables;
        if (!has(peer))
          wrong.push_back(fmt::format("{} leads to {}, which is not of the tree", name(port), name(peer)));
      } else if (std::ranges::find(group.members, peer) == group.members.end()) {
        wrong.push_back(fmt::format("{} leads to {}, who is no member", name(port), name(peer)));
      }
    }
  }
  if (!wrong.empty() || (lone(group) && switches == 0)) return wrong;
  // One piece with one cable less than it has switches is a tree.
  std::set<NodeIndex> seen;
  std::vector<NodeIndex> to_visit;
  for (const PortRef member : group.members) {
    const PortRef home = peer_of(member);
    const bool joined = home.node != kNone && (is_switch(home.node) ? has(home) : switches == 0);
    if (!joined) wrong.push_back(fmt::format("the tree does not lead to {}", name(member)));
    if (to_visit.empty() && joined && is_switch(home.node)) {
      to_visit.push_back(home.node);
      seen.insert(home.node);
    }
  }
  while (!to_visit.empty()) {
    const NodeIndex n = to_visit.back();
    to_visit.pop_back();
    for (const std::uint8_t out : tables.ports(n, group.mlid)) {
      const NodeIndex peer = peer_of({n, out}).node;
      if (is_switch(peer) && seen.insert(peer).second) to_visit.push_back(peer);
    }
  }
  if (seen.size() != switches) wrong.push_back("the tables are in pieces");
  if (switches > 0 && half_cables != 2 * (switches - 1))
    wrong.push_back(
        fmt::format("{} cables join {} switches: packets would go round", half_cables / 2, switches));
  return wrong;
}

}  // namespace weft
