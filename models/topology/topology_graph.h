// A Topology as a Boost graph, for connectivity, distances and whatever else that library answers.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/graph/adjacency_list.hpp>

#include "models/topology/topology.h"

namespace weft {

/// What an edge remembers: its cable in Topology::cables.
struct CableIndex {
  std::uint32_t cable = 0;
};

/// Vertices are node indices; parallel cables are parallel edges.
using TopologyGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, CableIndex>;

TopologyGraph to_graph(const Topology& topology);

/// For each node the number of the part it belongs to, from 0 in order of first node. Adapters of one machine
/// belong together: separate planes that meet in the machines are one part.
std::vector<std::uint32_t> connected_parts(const Topology& topology);

}  // namespace weft
