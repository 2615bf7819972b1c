// Nue: routing on the channel dependency graph, free of deadlock on any fabric and with any number of lanes.
//
// It follows OpenSM 3.3.23's engine of that name to the letter (osm_ucast_nue, built without METIS as Debian
// builds it), so that its tables are the tables OpenSM would load into the same fabric. Adapter ports are
// dealt to the lanes in turn, in OpenSM's order of their GUIDs. Each lane gets escape paths, then for one
// destination after another the lightest ways that keep its dependency graph free of circles; a link weighs
// the more the more paths use it. The service level of a path is the lane of its destination.
//
// Ways to the switches' own LIDs come last, by weight alone, unless include_switches: only traffic between
// adapters is free of deadlock then. Routers are no destinations.
//
// Not followed is one mistake (NueShortcuts, search.h): where it lets OpenSM's tables deadlock, these
// differ, and a warning says so.
#pragma once

#include "models/routing/routes.h"

namespace weft {

struct NueOptions {
  unsigned lanes = 1;             // at least one
  bool include_switches = false;  // switches are ends of traffic, too
};

/// @throws Refusal when a way is longer than OpenSM's weights can count: at 10,000 LIDs beyond some 20 hops
Routes nue_routes(const Topology& topology, const NueOptions& options);

}  // namespace weft
