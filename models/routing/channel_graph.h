// The channel dependency graph: can the buffers of this fabric wait for each other in a circle?
//
// Vertices are (directed link, VL); there is an edge a -> b when some route enters a switch by a and leaves
// by b; of a multicast group, for each b that its packets are copied to. Routing without adaptivity is
// deadlock-free iff the graph has no cycle (Dally & Seitz 1987).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/routing/routes.h"

namespace weft {

/// One channel: the directed link that leaves by `from`, on virtual lane `vl`.
struct Channel {
  PortRef from;
  std::uint8_t vl = 0;
  friend bool operator==(Channel, Channel) = default;
};

struct CreditLoopReport {
  std::size_t channels = 0, dependencies = 0;
  std::vector<Channel> cycle;  // empty = no credit loop; else one shortest cycle, first channel not repeated
  bool free_of_loops() const { return cycle.empty(); }
};

enum class Ends { traffic_only, with_aggregation_nodes };

/// VL a packet of service level `sl` takes on the link left by (node, out), having come in by port `in` (0 =
/// from the node itself). An identity-like default is fine for fabrics with one VL.
using VlOf = std::function<std::uint8_t(NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl)>;

/// Builds the graph from every ordered pair of ends (all their LIDs, LMC path bits included; aggregation
/// nodes as ends too when asked) and looks for a cycle.
/// Packets that the VL drops (kDropVl) wait for nothing.
/// @param sls service levels that every path is used on, beside the one that routes.path_sls names for it; 0
///        when there is neither
CreditLoopReport find_credit_loop(const Topology& topology, const Routes& routes, Ends ends,
                                  const std::vector<std::uint8_t>& sls, const VlOf& vl_of);
/// Each path on its own service level, and these on the lanes the routes want them on.
CreditLoopReport find_credit_loop(const Topology& topology, const Routes& routes, Ends ends);

}  // namespace weft
