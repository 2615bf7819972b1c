// Routing read from a dump of a real fabric's forwarding tables.
//
// A table is matched to its switch by GUID, else by a name that is unique in the topology (with a warning). A
// LID line names its owner by port GUID: it must be the topology's port of that LID, or one of the same node
// name (with a warning; adapters get replaced). Where most LIDs of ports known by GUID differ from the
// topology's (a topology file that gives none, or an older one), each is matched by its port GUID and the
// tables are renumbered.
#pragma once

#include "models/routing/routes.h"
#include "sim/text_file.h"

namespace weft {

/// @throws ConfigError located there: damaged text (see parse_lfts), a switch the topology does not have
///         or has a table for already, a port beyond the switch, a LID that is none, two ports for one LID,
///         a LID whose owner is another than in the topology, and switches of the topology without a table
Routes routes_from_dump(const TextFile& file, const Topology& topology);

}  // namespace weft
