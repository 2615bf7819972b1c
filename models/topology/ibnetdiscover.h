// A real fabric, read from the text `ibnetdiscover` printed on it (any age, also the ports report of -p), or
// from an ibsim .net file.
//
// Both ends of every link are in a dump, and both are used: a link only counts when the line at its other end
// says the same. What real dumps need is tolerated and kept as a warning:
// - the ends state different widths or speeds (they are read at different moments, and a port may be
//   retraining): the slower one holds, as it would for data;
// - an end's LID or port GUID differs from what its peer's line says of it: the end's own line holds;
// - a speed is not stated (before 2007) or unknown to the tool (`4x???`): `unstated_speed`;
// - switchguid= and the like differ from the GUID in the node's name: the name holds, links refer to it;
// - a loopback plug (a port that is its own peer) carries no traffic and is left out.
#pragma once

#include "models/topology/name_map.h"
#include "models/topology/topology.h"
#include "sim/text_file.h"

namespace weft {

/// Reads a dump. `unstated_speed` is used for links of which neither end states it; nodes that `names` knows
/// are called as it says.
/// @throws ConfigError located in `file`: every finding, up to 20
Topology read_ibnetdiscover(const TextFile& file, const LinkSpec& unstated_speed, const NameMap& names = {});

}  // namespace weft
