// The service levels and lanes of torus-2QoS (torus_2qos.h says by which rule).
#pragma once

#include "models/routing/torus_2qos/grid.h"

namespace weft {

/// SL of paths between two switches' ends.
std::uint8_t torus_sl(const TorusGrid& grid, const TorusPlace& from, const TorusPlace& to, bool second_level);

/// @param lanes data VLs in operation, at least 2: with fewer than 4 turns have no lanes of their own, with
///        fewer than 8 the second level has none
Sl2Vl torus_sl2vl(const TorusGrid& grid, unsigned lanes);

}  // namespace weft
