// The tree of a multicast group, as OpenSM's multicast manager builds it (osm_mcast_mgr, 3.3.23).
//
// The root is the switch whose farthest member is nearest, the first of these in the order of OpenSM's map of
// switches. From it every member is reached over a shortest way, of several the one by the lowest port at
// each switch; these ways make a tree. Hops are those of the cabling, as minhop counts them: where updn, dnup
// or ftree forbid a way, OpenSM's trees keep to what they allow and ours may not. Not followed either: the
// trees of their own that torus-2QoS, sssp, dfsssp and nue make, the root list and the scope of a group's
// partition.
#pragma once

#include "models/routing/routes.h"

namespace weft {

/// Tables for `groups`, whose MLIDs differ and whose members hang on switches that cables join, or are the
/// two ends of one cable. @throws BadValue("members") when nothing joins two of them
MulticastTables multicast_trees(const Topology& topology, std::vector<MulticastGroup> groups);

}  // namespace weft
