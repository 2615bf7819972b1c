// Writes multicast forwarding tables in the form of OpenSM's opensm.mcfdbs, which ibdmchk -m reads.
#pragma once

#include <string>

#include "models/routing/multicast_tables.h"

namespace weft {

/// Byte by byte OpenSM's: switches in the order of its map of them, those on no tree left out; a line a
/// group, by MLID. Empty when there is no group.
std::string write_multicast(const Topology& topology, const MulticastTables& tables);

}  // namespace weft
