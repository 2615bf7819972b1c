#include "models/routing/nue/subnet.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "models/routing/four_ary_heap.h"
#include "models/routing/opensm_order.h"

namespace weft {
namespace {

/// OpenSM's order of LIDs.
Lid swapped(Lid lid) { return (lid & 0xff) << 8 | (lid >> 8 & 0xff) | (lid & 0xffff'0000); }

/// Switches of each part that cables join, in OpenSM's order.
std::vector<std::vector<NodeIndex>> joined_switches(const Topology& topology, const SwitchGraph& graph) {
  std::vector<std::vector<NodeIndex>> parts;
  std::vector<bool> seen(topology.nodes.size());
  for (const NodeIndex start : graph.switches()) {
    if (seen[start]) continue;
    std::vector<NodeIndex>& part = parts.emplace_back(1, start);
    seen[start] = true;
    for (std::size_t next = 0; next < part.size(); ++next) {
      for (const SwitchLink& link : graph.links(part[next])) {
        if (seen[link.peer]) continue;
        seen[link.peer] = true;
        part.push_back(link.peer);
      }
    }
    std::ranges::sort(part, {}, [&](NodeIndex n) { return std::pair(swapped(topology.nodes[n].lid), n); });
  }
  return parts;
}

/// LIDs on a switch: its own, and one range for each cable to something else than a switch.
std::uint32_t lids_on(const Topology& topology, const Node& sw) {
  std::uint32_t lids = 1u << sw.lmc;
  for (const Port& port : sw.ports) {
    if (port.peer_node == kNone || topology.nodes[port.peer_node].kind == NodeKind::switch_) continue;
    lids += 1u << topology.nodes[port.peer_node].port(port.peer_port).lmc;
  }
  return lids;
}

NueSubnet subnet_of(const Topology& topology, const SwitchGraph& graph, std::vector<NodeIndex> switches) {
  NueSubnet subnet;
  std::map<NodeIndex, std::uint32_t> number;
  for (std::uint32_t i = 0; i < switches.size(); ++i) number[switches[i]] = i;
  std::map<std::pair<NodeIndex, std::uint8_t>, std::uint32_t> channel_at;
  for (const NodeIndex node : switches) {
    const Node& sw = topology.nodes[node];
    subnet.first.push_back(subnet.channels());
    subnet.terminals.push_back(static_cast<std::uint8_t>(lids_on(topology, sw)));
    for (const SwitchLink& link : graph.links(node)) {
      channel_at[{node, link.port}] = subnet.channels();
      subnet.from.push_back(number[node]);
      subnet.to.push_back(number[link.peer]);
      subnet.far_port.push_back(sw.port(link.port).peer_port);
    }
  }
  subnet.first.push_back(subnet.channels());
  for (std::uint32_t c = 0; c < subnet.channels(); ++c)
    subnet.reverse.push_back(channel_at.at({switches[subnet.to[c]], subnet.far_port[c]}));
  subnet.switches = std::move(switches);
  return subnet;
}

Guid guid_of(const Topology& topology, const LidOwner& owner) {
  const Node& node = topology.nodes[owner.where.node];
  return owner.where.port == 0 ? node.guid : node.port(owner.where.port).guid;
}

}  // namespace

std::vector<NueSubnet> nue_subnets(const Topology& topology) {
  const SwitchGraph graph(topology);
  std::vector<NueSubnet> subnets;
  std::vector<std::pair<std::size_t, std::uint32_t>> place(
      topology.nodes.size());  // (subnet, switch) by node
  for (std::vector<NodeIndex>& part : joined_switches(topology, graph)) {
    for (std::uint32_t i = 0; i < part.size(); ++i) place[part[i]] = {subnets.size(), i};
    subnets.push_back(subnet_of(topology, graph, std::move(part)));
  }
  std::vector<LidOwner> owners = lid_owners(topology);
  std::ranges::sort(owners, {}, [&](const LidOwner& owner) {
    return std::pair(network_order(guid_of(topology, owner)), owner.base);
  });
  for (const LidOwner& owner : owners) {
    if (owner.home == kNone || topology.nodes[owner.where.node].kind == NodeKind::router) continue;
    const auto [subnet, home] = place[owner.home];
    subnets[subnet].destinations.push_back(owner);
    subnets[subnet].homes.push_back(home);
  }
  for (NueSubnet& subnet : subnets) {
    std::uint64_t lids = 0;
    for (const LidOwner& owner : subnet.destinations) lids += owner.lids;
    subnet.weight.assign(subnet.channels(), lids * lids);
  }
  return subnets;
}

NueTree lightest_tree(const NueSubnet& subnet, std::uint32_t root) {
  NueTree tree(subnet.size(), kNone);
  std::vector<std::uint64_t> distance(subnet.size(), kNueUnreached);
  FourAryHeap heap(subnet.size());
  for (std::uint32_t sw = 0; sw < subnet.size(); ++sw) heap.insert(sw, kNueUnreached);
  distance[root] = 0;
  heap.lower(root, 0);
  while (!heap.empty()) {
    const std::uint32_t sw = heap.pop();
    for (const std::uint32_t channel : subnet.leaving(sw)) {
      const std::uint64_t farther = distance[sw] + subnet.weight[channel];
      const std::uint32_t to = subnet.to[channel];
      if (farther >= distance[to]) continue;
      distance[to] = farther;
      tree[to] = channel;
      heap.lower(to, farther);
    }
  }
  return tree;
}

NueTree rerooted(const NueSubnet& subnet, NueTree tree, std::uint32_t root) {
  std::uint32_t into = std::exchange(tree[root], kNone);
  while (into != kNone) into = std::exchange(tree[subnet.from[into]], subnet.reverse[into]);
  return tree;
}

void add_weights(NueSubnet& subnet, const NueTree& tree) {
  for (std::uint32_t sw = 0; sw < subnet.size(); ++sw)
    for (std::uint32_t into = tree[sw]; into != kNone; into = tree[subnet.from[into]])
      subnet.weight[into] += subnet.terminals[sw];
}

}  // namespace weft
