// A fabric with parts taken out: what is left when cables are pulled or switches are gone.
#pragma once

#include <span>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

struct Removal {
  Topology topology;                   // names, GUIDs and LIDs as they were
  std::vector<NodeIndex> now;          // by node as it was: its index now; kNone for a switch that is gone
  std::vector<std::uint32_t> cut_off;  // endpoints, as they were numbered, that have no cable any more
};

/// Takes out cables and switches with all their cables. Adapters stay, cabled or not. A generated tree or
/// lattice keeps its shape, with parts missing; in a lattice, whose switches are known by their place, those
/// that are gone stay as nodes without cables and LID.
Removal without(const Topology& topology, std::span<const std::uint32_t> cables,
                std::span<const NodeIndex> switches);

}  // namespace weft
