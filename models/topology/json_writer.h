// A Topology in JSON, for programs of one's own: everything it holds, one node and one cable a line.
//
//   {"format": "weft-fabric", "version": 1,
//    "machines": ["host0000", ...],
//    "nodes": [{"name": "leaf00", "kind": "switch", "ports": 64, "guid": "0x...", "lid": 3, ...}, ...],
//    "cables": [{"a": [0, 1], "b": [2, 1], "speed": "4xNDR", "bits_per_second": 400000000000, ...}, ...],
//    "tree": {"children": [...], "parents": [...], "parallel": [...]},
//    "grid": {"size": [...], "wraps": [...]}}
//
// An end is [index in nodes, port]. GUIDs are texts, as they do not fit a JSON number; rates are rounded down
// to whole bits. What is not known is left out: a LID of 0, a level, a length. Kinds: switch, adapter,
// router, aggregation node. A change that old readers would misread raises the version.
#pragma once

#include <string>

#include "models/topology/topology.h"

namespace weft {

std::string write_json(const Topology& topology);

}  // namespace weft
