// What the surroundings of a switch tell of the mesh or torus it is in (OpenSM 3.3.23, osm_mesh.c).
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

/// Distances between the neighbours of a switch; square.
using NeighbourDistances = std::vector<std::vector<std::uint32_t>>;

/// Coefficients of det(M - x), from that of x^0 up, modulo 2^32 as OpenSM's arithmetic is.
using Polynomial = std::vector<std::uint32_t>;
/// For at most 8 neighbours or so: time and memory double with each.
Polynomial characteristic_polynomial(const NeighbourDistances& distances);

inline constexpr std::size_t kMostMeshLinks = 8;

/// Dimensions of the mesh or torus whose inner switches have this polynomial; 0: none that OpenSM knows. A
/// ring of 4 switches counts as two dimensions of 2, as it cannot be told from them.
unsigned mesh_dimensions(const Polynomial& polynomial);

}  // namespace weft
