// SSSP: one destination after another by shortest paths over links that grow heavier with what they carry.
//
// From each destination LID a search by distance (Dijkstra) over the switches gives every switch its port;
// then every link on these paths gains as many units as LIDs hang on the switches that use it, the switch's
// own included. Links start at the square of all LIDs, so that no detour is ever lighter than a way of fewer
// hops. As in OpenSM 3.3.23 (osm_ucast_dfsssp, engine sssp), down to the tie-breaks: adapters go first,
// switch by switch, those with most LIDs first and then in the order of OpenSM's map, port by port; the
// switches' own LIDs follow. Among equal distances the one a binary heap happens to have on top is settled
// first, and the first link that gives a distance keeps it. Each LID of an LMC is routed on its own. Source:
// T. Hoefler, T. Schneider, A. Lumsdaine, "Optimized Routing for Large-Scale InfiniBand Networks", HotI 2009.
#pragma once

#include "models/routing/routes.h"

namespace weft {

/// Ports that are routed before all others: compute nodes and then I/O nodes, for their load to be even.
class SsspKeys {
 public:
  void describe(Describe& d);
  /// @throws ConfigError located in a file. What names no adapter port is added to `warnings`.
  std::vector<std::vector<PortRef>> lists(const Topology& topology, const RoutingContext& context,
                                          std::vector<std::string>& warnings) const;

 private:
  std::string cn_guids_, io_guids_;
};

/// SSSP tables. LIDs without any way stay kNoPort. Time: LIDs x links x log switches.
/// @param first see opensm_sssp_order
Routes sssp_routes(const Topology& topology, const std::vector<std::vector<PortRef>>& first = {});

}  // namespace weft
