// The orders in which OpenSM's engines go through a fabric: its tables depend on them.
#pragma once

#include <vector>

#include "models/routing/switch_graph.h"

namespace weft {

/// OpenSM's maps are sorted by GUID in network byte order as a little-endian machine reads it: sort by this.
Guid network_order(Guid guid);

/// The switches in the order of OpenSM's map of them (sw_guid_tbl).
std::vector<NodeIndex> opensm_switches(const Topology& topology, const SwitchGraph& graph);

/// LID owners that hang on one switch, by its port number.
struct Turn {
  NodeIndex home;
  std::vector<LidOwner> owners;
};

/// The order in which osm_ucast_mgr routes destinations: adapter ports switch by switch, the switch with most
/// adapters first; then, in the order of the map, the switches' own LIDs. Empty turns are among them.
std::vector<Turn> opensm_turns(const Topology& topology, const SwitchGraph& graph);

/// The order of osm_ucast_dfsssp: the adapters as above, then the switches' own LIDs in the order in which
/// their adapters came. Routers' LIDs are not routed.
/// @param first adapter ports that come before all others, one list after another, each in the order of all
std::vector<LidOwner> opensm_sssp_order(const Topology& topology, const SwitchGraph& graph,
                                        const std::vector<std::vector<PortRef>>& first = {});

}  // namespace weft
