#include "scenarios/reach.h"

#include <algorithm>

namespace weft {

std::vector<std::uint32_t> networks_of(const Topology& topology) {
  const auto is_switch = [&](NodeIndex n) {
    return topology.nodes[n].kind == NodeKind::switch_ || topology.nodes[n].kind == NodeKind::router;
  };
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
  std::vector<std::uint32_t> of_endpoint;
  for (const Endpoint& end : topology.endpoints()) {
    const Port& port = topology.nodes[end.where.node].port(end.where.port);
    of_endpoint.push_back(is_switch(port.peer_node) ? network[port.peer_node] : count + port.cable);
  }
  const bool one = std::all_of(of_endpoint.begin(), of_endpoint.end(),
                               [&](std::uint32_t n) { return n == of_endpoint[0]; });
  return one ? std::vector<std::uint32_t>{} : of_endpoint;
}

std::function<std::uint32_t(std::uint32_t from, std::uint32_t to)> path_sls_of(
    const Prepared& p, const std::vector<Endpoint>& endpoints) {
  if (p.routes.path_sls.empty()) return {};
  return [&p, &endpoints](std::uint32_t from, std::uint32_t to) -> std::uint32_t {
    const PortRef end = endpoints[to].where;
    return p.routes.path_sls.sl(home_of(p.topology, endpoints[from].where),
                                p.topology.nodes[end.node].port(end.port).lid);
  };
}

std::function<bool(std::uint32_t endpoint, std::uint32_t sl)> lanes_of(
    const Prepared& p, const std::vector<Endpoint>& endpoints) {
  const QosSettings& qos = p.scenario.fabric.qos;
  const auto drops = [](const std::vector<std::uint32_t>& map) {
    return std::find(map.begin(), map.end(), kDropVl) != map.end();
  };
  if (!drops(qos.sl2vl) && std::none_of(qos.exceptions.begin(), qos.exceptions.end(),
                                        [&](const Sl2VlException& e) { return drops(e.sl2vl); }))
    return {};
  return [&p, &endpoints](std::uint32_t endpoint, std::uint32_t sl) {
    const PortRef port = endpoints[endpoint].where;
    return p.settings.sl2vl.vl(port.node, 0, port.port, static_cast<std::uint8_t>(sl)) < p.settings.data_vls;
  };
}

}  // namespace weft
