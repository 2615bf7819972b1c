// lash's analysis of meshes and tori (OpenSM's do_mesh_analysis): which of a switch's links lead along which
// axis, so that ways go through the dimensions in one order and need fewer layers.
//
// A switch is taken for one of a mesh when the distances between its neighbours, not going through itself,
// are those in a mesh or torus of 1 to 8 dimensions: the matrices are compared by their characteristic
// polynomials. One switch of the commonest kind seeds the axes; they spread over opposite links, over cables
// and round corners; coordinates follow from them. Then switches and their links are put in order of
// coordinates, the longest dimension first, links towards the seed before others (OpenSM 3.3.23, osm_mesh.c).
// Where nothing looks like a mesh, the order stays.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/lash/ways.h"

namespace weft {

/// Renumbers the switches, and reorders the links of each.
/// @param links one for each pair of neighbours (lash_links with merge_parallel)
/// @return what the switches were numbered before, by new number
std::vector<std::uint32_t> order_by_mesh(LashLinks& links);

}  // namespace weft
