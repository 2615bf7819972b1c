// A Topology as a picture: text for Graphviz (`dot -Tsvg`).
#pragma once

#include <string>

#include "models/topology/topology.h"

namespace weft {

/// Nodes by level, switches as boxes; parallel cables are one edge that says how many, and at what speed.
std::string write_dot(const Topology& topology);

}  // namespace weft
