// Which switch stands where in a torus: told by seeds, as OpenSM finds it, or by the generator that built it.
//
// OpenSM's search (osm_torus.c of 3.3.23; torus-2QoS(8), "Torus topology discovery"): beginning with the
// seed and its neighbours, cubes of eight places are looked at again and again, and squares of cables not yet
// placed tell which switch stands on an empty corner. It is blind to switches that no such square reaches,
// and in a ring of four a square of the torus looks like the ring. In one dimension there are no squares, and
// OpenSM finds no more than the seed and its neighbours; here a ring or line alone is walked along.
#pragma once

#include <string>
#include <vector>

#include "models/routing/torus_2qos/grid.h"

namespace weft {

struct PlacedTorus {
  TorusGrid grid;
  std::vector<std::string> warnings;  // what of the fabric is left out
};

/// @throws Refusal ("torus-2QoS"): every seed has a switch that is missing, or a switch would stand at two
///         places
PlacedTorus place_by_seeds(const Topology& topology, const SwitchGraph& graph, const TorusConfig& config);

/// By topology.grid, switches without any cable to another being taken for failed ones. Where the seeds of
/// `config`, which is config_of_grid(topology), lead to the same places, the switches are in the order they
/// are found in then: with parallel cables OpenSM's tables depend on it. @throws Refusal
PlacedTorus place_by_grid(const Topology& topology, const SwitchGraph& graph, const TorusConfig& config);

}  // namespace weft
