#include "models/routing/torus_2qos/way.h"

#include <algorithm>

namespace weft {
namespace {

/// The shorter way along one dimension, whatever is there.
unsigned shorter(unsigned dimension, std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  return direction_of(dimension, (to > from) != shorter_over_dateline(from, to, size));
}

bool leads_to(const TorusGrid& grid, std::uint32_t from, unsigned direction, std::uint32_t to) {
  for (std::uint32_t sw = grid.next(from, direction); sw != TorusGrid::kNobody;
       sw = grid.next(sw, direction)) {
    if (sw == to) return true;
    if (sw == from) return false;
  }
  return false;
}

std::optional<unsigned> step_along(const TorusGrid& grid, unsigned dimension, std::uint32_t from,
                                   std::uint32_t to) {
  const TorusSwitch& here = grid[from];
  TorusPlace turn = here.at;
  turn[dimension] = grid[to].at[dimension];
  const unsigned preferred = shorter(dimension, here.at[dimension], turn[dimension], grid.size(dimension));
  const std::uint32_t turning = grid.at(turn);
  if (turning != TorusGrid::kNobody) {
    for (const unsigned direction : {preferred, preferred ^ 1})
      if (leads_to(grid, from, direction, turning)) return direction;
    return std::nullopt;
  }
  // The switch to turn at has failed: as near to it as can be. The last dimension leads to the end itself.
  if (dimension + 1 < kTorusDimensions && !here.ports[preferred].empty()) return preferred;
  return std::nullopt;
}

}  // namespace

bool shorter_over_dateline(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  const std::uint32_t direct = from > to ? from - to : to - from;
  return direct > size - direct;
}

std::optional<unsigned> torus_step(const TorusGrid& grid, std::uint32_t from, std::uint32_t to) {
  for (unsigned d = 0; d < kTorusDimensions; ++d) {
    if (grid[from].at[d] == grid[to].at[d]) continue;
    if (const auto step = step_along(grid, d, from, to)) return step;
  }
  return std::nullopt;
}

}  // namespace weft
