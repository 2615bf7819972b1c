#include "models/routing/multicast_tree.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "models/routing/opensm_order.h"

namespace weft {
namespace {

/// The switch a member hangs on; kNone when it is cabled to another end.
NodeIndex switch_of(const Topology& topology, PortRef member) {
  const NodeIndex home = home_of(topology, member);
  return home == member.node ? kNone : home;
}

/// @throws BadValue when one of `homes` is out of reach of the first
NodeIndex choose_root(const Topology& topology, const SwitchGraph& graph, const std::set<NodeIndex>& homes) {
  std::vector<std::uint32_t> farthest(topology.nodes.size());
  for (const NodeIndex home : homes) {
    const std::vector<std::uint32_t> distance = graph.distances(home);
    for (const NodeIndex n : graph.switches()) farthest[n] = std::max(farthest[n], distance[n]);
  }
  const auto order = opensm_switches(topology, graph);
  const NodeIndex root = *std::ranges::min_element(order, {}, [&](NodeIndex n) { return farthest[n]; });
  if (farthest[root] == SwitchGraph::kUnreached)
    throw BadValue("members", "no cables join all members of the group: they are in separate networks");
  return root;
}

/// By node: the port that leads towards the root, on the way from it that takes the lowest port at each
/// switch. A search that takes ports in order meets every switch by that way first.
std::vector<PortRef> parents_of(const Topology& topology, const SwitchGraph& graph, NodeIndex root) {
  std::vector<PortRef> parent(topology.nodes.size());
  std::vector<NodeIndex> queue{root};
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (const SwitchLink& link : graph.links(queue[next])) {
      if (link.peer == root || parent[link.peer].node != kNone) continue;
      parent[link.peer] = {queue[next], link.port};
      queue.push_back(link.peer);
    }
  return parent;
}

void build_tree(const Topology& topology, const SwitchGraph& graph, const MulticastGroup& group,
                MulticastTables& tables) {
  if (lone(group)) return;
  std::set<NodeIndex> homes;
  std::vector<std::set<std::uint8_t>> ports(topology.nodes.size());
  for (const PortRef member : group.members) {
    const Port& port = topology.nodes[member.node].port(member.port);
    const NodeIndex home = switch_of(topology, member);
    if (home != kNone) {
      homes.insert(home);
      ports[home].insert(port.peer_port);
    } else if (group.members.size() > 2 ||
               std::ranges::find(group.members, PortRef{port.peer_node, port.peer_port}) ==
                   group.members.end()) {
      throw BadValue("members", fmt::format("{} hangs on no switch", topology.display_name(member)));
    }
  }
  if (homes.empty()) return;
  const NodeIndex root = choose_root(topology, graph, homes);
  const std::vector<PortRef> parent = parents_of(topology, graph, root);
  for (const NodeIndex home : homes)
    for (NodeIndex at = home; at != root; at = parent[at].node) {
      const PortRef above = parent[at];
      ports[at].insert(topology.nodes[above.node].port(above.port).peer_port);
      if (!ports[above.node].insert(above.port).second) break;  // from here on another member's way
    }
  for (const NodeIndex n : graph.switches())
    if (!ports[n].empty()) tables.set(n, group.mlid, {ports[n].begin(), ports[n].end()});
}

}  // namespace

MulticastTables multicast_trees(const Topology& topology, std::vector<MulticastGroup> groups) {
  MulticastTables tables(std::move(groups));
  const SwitchGraph graph(topology);
  for (const MulticastGroup& group : tables.groups()) build_tree(topology, graph, group, tables);
  return tables;
}

}  // namespace weft
