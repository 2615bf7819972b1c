// Writes forwarding tables in the form of OpenSM's opensm-lfts.dump.
#pragma once

#include <string>

#include "models/routing/routes.h"

namespace weft {

/// One table a switch in node order; entries without a port are left out, as OpenSM does. Adaptive groups
/// have no form there. Read back by `routes_from_dump` it gives the same tables.
std::string write_lfts(const Topology& topology, const Routes& routes);

}  // namespace weft
