// The service level of every path between adapters, in the form ibdmchk -c reads: a line `0xGUID LID SL` for
// each adapter and LID it sends to.
#pragma once

#include <string>

#include "models/routing/path_sls.h"

namespace weft {

/// Nodes in order, LIDs ascending; SL 0 throughout where the routes leave it to the traffic. Aggregation
/// nodes are adapters here, as they are to OpenSM. The file grows with the square of the adapters.
/// @throws BadValue ("to") when an adapter would need two service levels for one LID, as ports of it hang on
///         different switches: the file knows sources by node
std::string write_path_sls(const Topology& topology, const PathSls& sls);

}  // namespace weft
