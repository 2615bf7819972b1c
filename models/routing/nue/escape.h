// Escape paths: the tree that always leads everywhere, and so lets nue route any fabric on one lane.
//
// For the destinations of a lane: the convex hull of their switches (all on shortest ways between them), in
// it the switch that lies on most shortest ways (betweenness centrality, ends counted), and from there the
// tree of lightest ways. The dependencies its paths to these destinations need are in use from the start.
//
// Source: Domke, Hoefler, Matsuoka, HPDC 2016, sections 4.2 and 4.3; Brandes 2001; the order of every sum and
// choice is OpenSM 3.3.23's, which decides between equals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/routing/nue/dependencies.h"
#include "models/routing/nue/subnet.h"

namespace weft {

/// The switch that is most central for `destinations`, places in subnet.destinations; not empty.
std::uint32_t nue_centre(const NueSubnet& subnet, std::span<const std::uint32_t> destinations);

/// Marks in `dependencies` what the paths of `tree` need that lead from anywhere to `destinations`.
void reserve_escape_paths(const NueSubnet& subnet, const NueTree& tree,
                          std::span<const std::uint32_t> destinations, NueDependencies& dependencies);

}  // namespace weft
