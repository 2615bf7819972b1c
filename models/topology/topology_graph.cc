#include "models/topology/topology_graph.h"

#include <boost/graph/connected_components.hpp>

namespace weft {

TopologyGraph to_graph(const Topology& topology) {
  TopologyGraph graph(topology.nodes.size());
  for (std::uint32_t c = 0; c < topology.cables.size(); ++c) {
    const Cable& cable = topology.cables[c];
    boost::add_edge(cable.a.node, cable.b.node, CableIndex{c}, graph);
  }
  return graph;
}

std::vector<std::uint32_t> connected_parts(const Topology& topology) {
  TopologyGraph graph = to_graph(topology);
  std::vector<NodeIndex> first_adapter(topology.hosts.size(), kNone);
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const std::uint32_t host = topology.nodes[n].host;
    if (host >= first_adapter.size()) continue;
    if (first_adapter[host] == kNone)
      first_adapter[host] = n;
    else
      boost::add_edge(first_adapter[host], n, CableIndex{kNone}, graph);
  }
  std::vector<std::uint32_t> part(topology.nodes.size());
  if (!part.empty()) boost::connected_components(graph, part.data());
  return part;
}

}  // namespace weft
