// Does a directed graph have a cycle, and which is a shortest one?
#pragma once

#include <cstdint>
#include <vector>

#include <boost/graph/compressed_sparse_row_graph.hpp>

namespace weft {

using DirectedGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

/// The vertices of a shortest cycle in their order, the first not repeated; empty when there is none. Among
/// equals the one whose lowest vertex is lowest.
std::vector<std::uint32_t> shortest_cycle(const DirectedGraph& graph);

}  // namespace weft
