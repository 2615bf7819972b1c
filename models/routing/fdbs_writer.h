// Forwarding tables in the form of OpenSM's opensm.fdbs, which ibdmchk -f reads.
//
//   dump_ucast_routes: Switch 0x0002c90300001000
//   LID    : Port : Hops : Optimal
//   0x0001 : 001  : 01   : yes
//
// Hops are the links of the path these tables make, the last one to an adapter included. "Optimal" says
// whether the fabric has no shorter one; OpenSM asks its engine's own hop counts instead, so that up/down
// engines find every path of theirs optimal. A path that does not arrive has HOPS UNKNOWN.
#pragma once

#include <string>

#include "models/routing/routes.h"

namespace weft {

/// Switches in OpenSM's order, every LID up to the fabric's highest.
std::string write_fdbs(const Topology& topology, const Routes& routes);

}  // namespace weft
