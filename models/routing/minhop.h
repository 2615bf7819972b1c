// MinHop: every destination over a least-hop port, the choice among them spread by counting paths.
//
// It follows OpenSM 3.3.23's engine of that name to the letter (osm_ucast_mgr, osm_switch_recommend_path with
// default options), so that its tables are the tables OpenSM would load into the same fabric:
//  - switches stand in the order of OpenSM's map, whose key is the GUID in network byte order read by a
//    little-endian machine; adapter ports are routed switch by switch, those with most adapters first, then
//    by port number; switch LIDs come last;
//  - a switch counts, per port, the adapter LIDs it has sent there; of the least-hop ports the one with
//    fewest is taken, the lowest number first. LIDs of switches are not counted;
//  - with LMC > 0 the further LIDs of a port start their search behind the port of the LID before, and prefer
//    a neighbour in a system (then a switch) that the port's earlier LIDs do not use yet.
#pragma once

#include "models/routing/routes.h"

namespace weft {

/// MinHop tables. LIDs without any way stay kNoPort.
Routes minhop_routes(const Topology& topology);

}  // namespace weft
