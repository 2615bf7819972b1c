// How ftree fills the tables: it walks from each destination outwards and gives every switch it comes to the
// port that leads back.
//
//   go_up(switch):    go_down(switch); then to the switches above. The neighbour above that has the fewest
//                     routes down from it (lowest index on a tie), by the cable that has the fewest, is the
//                     main way: routes to this destination come down here, and it is counted. All other
//                     neighbours above, and then those beside, are walked to as well where that is a shorter
//                     way than they have, uncounted.
//   go_down(switch):  to every neighbour below and beside, those with the fewest routes up first, by the
//                     cable that has the fewest; a neighbour that has as short a way already is left alone.
//
// Destinations: the compute nodes leaf by leaf, in the order of indices and of ports, with a stand-in for
// each one that a leaf has less than the fullest leaf (so that shift permutations meet no contention in a
// tree filled in part); then the other adapters; then the switches, which count no routes. An I/O node's walk
// may also turn down and up again, max_reverse_hops times: its main way is walked from every switch below as
// well.
// Source: OpenSM 3.3.23, osm_ucast_ftree.c.
//
// Left out: on a leaf with cables to other leaves, or to switches below, OpenSM 3.3.23 sorts the adapters by
// addresses in its heap and may pass some over; here they come in the order of ports, each once.
#pragma once

#include "models/routing/forwarding_tables.h"
#include "models/routing/ftree/fabric.h"

namespace weft {

/// Fills the tables of the fabric's switches. Memory: switches x LIDs bytes for the time being; time:
/// LIDs x cables between switches.
/// @throws Refusal when a way is too long, or max_reverse_hops makes too many of them
void route_ftree(const Topology& topology, FtreeFabric fabric, const FtreeOptions& options,
                 ForwardingTables& lft);

}  // namespace weft
