#include "models/routing/lash/mesh_shape.h"

#include <bit>
#include <map>

namespace weft {
namespace {

/// Lengths a dimension may show: 2 is seen as one link, 3 and 5 as rings of that length, 6 as anything
/// longer.
constexpr unsigned kLengths[] = {2, 3, 5, 6};

/// From one neighbour along an axis to the one on the other side, not through the switch between them.
std::uint32_t across(unsigned length, std::size_t dimensions) {
  if (length != 6) return length - 2;
  // Along a long axis the way round is over a neighbouring row. OpenSM's one-dimensional case is a ring of 8.
  return dimensions == 1 ? 6 : 4;
}

/// The neighbours of an inner switch of a torus: 2 apart round a corner.
NeighbourDistances torus_distances(const std::vector<unsigned>& lengths, std::size_t links) {
  NeighbourDistances distances(links, std::vector<std::uint32_t>(links, 2));
  std::size_t at = 0;
  for (const unsigned length : lengths) {
    distances[at][at] = 0;
    if (length > 2) {
      distances[at + 1][at + 1] = 0;
      distances[at][at + 1] = distances[at + 1][at] = across(length, lengths.size());
      ++at;
    }
    ++at;
  }
  return distances;
}

using KnownShapes = std::map<Polynomial, unsigned>;

/// Adds all tori that begin with `lengths`, the shortest first.
void add_shapes(std::vector<unsigned>& lengths, std::size_t links, KnownShapes& shapes) {
  for (const unsigned length : kLengths) {
    const std::size_t more = length == 2 ? 1 : 2;
    if ((!lengths.empty() && length < lengths.back()) || links + more > kMostMeshLinks) continue;
    lengths.push_back(length);
    // OpenSM's table has four dimensions only with a short one among them.
    if (lengths.size() < 4 || lengths.front() < 5)
      shapes.emplace(characteristic_polynomial(torus_distances(lengths, links + more)), lengths.size());
    add_shapes(lengths, links + more, shapes);
    lengths.pop_back();
  }
}

}  // namespace

Polynomial characteristic_polynomial(const NeighbourDistances& distances) {
  const std::size_t size = distances.size();
  // By set of columns: the determinant of as many first rows, expanded by the last of them.
  std::vector<Polynomial> determinants(std::size_t{1} << size, Polynomial(size + 1));
  determinants[0][0] = 1;
  for (std::size_t columns = 1; columns < determinants.size(); ++columns) {
    Polynomial& sum = determinants[columns];
    const std::size_t row = static_cast<std::size_t>(std::popcount(columns)) - 1;
    std::uint32_t sign = 1;
    for (std::size_t column = size; column-- > 0;) {
      if ((columns >> column & 1) == 0) continue;
      const Polynomial& minor = determinants[columns ^ std::size_t{1} << column];
      for (std::size_t power = 0; power <= size; ++power)
        sum[power] += sign * distances[row][column] * minor[power];
      if (row == column)
        for (std::size_t power = 1; power <= size; ++power) sum[power] -= sign * minor[power - 1];
      sign = 0 - sign;
    }
  }
  return determinants.back();
}

unsigned mesh_dimensions(const Polynomial& polynomial) {
  static const KnownShapes shapes = [] {
    KnownShapes known;
    std::vector<unsigned> lengths;
    add_shapes(lengths, 0, known);
    // A long mesh that lacks the switch across one corner: the way round that corner takes 6.
    NeighbourDistances damaged = torus_distances({6, 6}, 4);
    damaged[0][2] = damaged[2][0] = 6;
    known.emplace(characteristic_polynomial(damaged), 2);
    return known;
  }();
  const auto found = shapes.find(polynomial);
  return found == shapes.end() ? 0 : found->second;
}

}  // namespace weft
