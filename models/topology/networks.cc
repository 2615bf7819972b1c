#include "models/topology/networks.h"

#include <algorithm>

namespace weft {

namespace {

auto switches_in(const Topology& topology) {
  return [&topology](NodeIndex n) {
    return topology.nodes[n].kind == NodeKind::switch_ || topology.nodes[n].kind == NodeKind::router;
  };
}

}  // namespace

std::vector<std::uint32_t> networks_of_switches(const Topology& topology) {
  const auto is_switch = switches_in(topology);
  const auto count = static_cast<std::uint32_t>(topology.nodes.size());
  std::vector<std::uint32_t> network(topology.nodes.size(), kNone);
  std::vector<NodeIndex> waiting;
  for (NodeIndex first = 0; first < count; ++first) {
    if (!is_switch(first) || network[first] != kNone) continue;
    network[first] = first;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const NodeIndex n = waiting.back();
      waiting.pop_back();
      for (const Port& port : topology.nodes[n].ports)
        if (port.peer_node != kNone && is_switch(port.peer_node) && network[port.peer_node] == kNone) {
          network[port.peer_node] = first;
          waiting.push_back(port.peer_node);
        }
    }
  }
  return network;
}

std::vector<std::uint32_t> networks_of(const Topology& topology) {
  const auto is_switch = switches_in(topology);
  const auto count = static_cast<std::uint32_t>(topology.nodes.size());
  const std::vector<std::uint32_t> network = networks_of_switches(topology);
  std::vector<std::uint32_t> of_endpoint;
  for (const Endpoint& end : topology.endpoints()) {
    const Port& port = topology.nodes[end.where.node].port(end.where.port);
    of_endpoint.push_back(is_switch(port.peer_node) ? network[port.peer_node] : count + port.cable);
  }
  const bool one = std::all_of(of_endpoint.begin(), of_endpoint.end(),
                               [&](std::uint32_t n) { return n == of_endpoint[0]; });
  return one ? std::vector<std::uint32_t>{} : of_endpoint;
}

std::vector<Plane> planes_of(const Topology& topology) {
  std::vector<Plane> planes(topology.planes);
  std::vector<NodeIndex> place(topology.nodes.size());
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    Plane& plane = planes[topology.nodes[n].rail];
    place[n] = static_cast<NodeIndex>(plane.node.size());
    plane.node.push_back(n);
    Node& node = plane.network.nodes.emplace_back(topology.nodes[n]);
    for (Port& port : node.ports) {
      port.peer_node = port.cable = kNone;
      port.peer_port = 0;
    }
  }
  for (const Cable& cable : topology.cables)
    planes[topology.nodes[cable.a.node].rail].network.connect(
        {place[cable.a.node], cable.a.port}, {place[cable.b.node], cable.b.port}, cable.link);
  for (Plane& plane : planes) {
    plane.network.hosts = topology.hosts;
    plane.network.tree = topology.tree;
    plane.network.grid = topology.grid;
  }
  return planes;
}

}  // namespace weft
