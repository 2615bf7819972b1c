#include "models/routing/switch_graph.h"

namespace weft {

SwitchGraph::SwitchGraph(const Topology& topology) {
  first_.reserve(topology.nodes.size() + 1);
  for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
    first_.push_back(static_cast<std::uint32_t>(links_.size()));
    if (topology.nodes[node].kind != NodeKind::switch_) continue;
    switches_.push_back(node);
    const auto& ports = topology.nodes[node].ports;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const NodeIndex peer = ports[i].peer_node;
      if (peer == kNone || peer == node || topology.nodes[peer].kind != NodeKind::switch_) continue;
      links_.push_back({static_cast<std::uint8_t>(i + 1), peer});
    }
  }
  first_.push_back(static_cast<std::uint32_t>(links_.size()));
}

std::vector<std::uint32_t> SwitchGraph::distances(NodeIndex from) const {
  std::vector<std::uint32_t> distance(first_.size() - 1, kUnreached);
  std::vector<NodeIndex> queue{from};
  queue.reserve(switches_.size());
  distance[from] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const SwitchLink& link : links(queue[next])) {
      if (distance[link.peer] != kUnreached) continue;
      distance[link.peer] = distance[queue[next]] + 1;
      queue.push_back(link.peer);
    }
  }
  return distance;
}

std::vector<LidOwner> lid_owners(const Topology& topology) {
  std::vector<LidOwner> owners;
  for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
    if (topology.nodes[node].kind == NodeKind::switch_) continue;
    const auto& ports = topology.nodes[node].ports;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Port& port = ports[i];
      if (port.lid == 0 || port.peer_node == kNone) continue;
      LidOwner owner{{node, static_cast<std::uint8_t>(i + 1)}, port.lid, 1u << port.lmc, kNone, 0};
      if (topology.nodes[port.peer_node].kind == NodeKind::switch_) {
        owner.home = port.peer_node;
        owner.home_port = port.peer_port;
      }
      owners.push_back(owner);
    }
  }
  for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
    const Node& sw = topology.nodes[node];
    if (sw.kind == NodeKind::switch_ && sw.lid != 0)
      owners.push_back({{node, 0}, sw.lid, 1u << sw.lmc, node, 0});
  }
  return owners;
}

Lft blank_table(const Node& sw, Lid last) {
  Lft table(std::size_t{last} + 1, kNoPort);
  if (sw.lid == 0) return table;
  for (Lid lid = sw.lid; lid < sw.lid + (1u << sw.lmc) && lid <= last; ++lid) table[lid] = 0;
  return table;
}

}  // namespace weft
