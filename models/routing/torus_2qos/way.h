// Which way torus-2QoS goes from one switch of a torus towards another (torus_2qos.h says by which rule).
#pragma once

#include <optional>

#include "models/routing/torus_2qos/grid.h"

namespace weft {

/// Whether the shorter way between two coordinates of a ring goes over the place where they begin anew. Of
/// equal ways the one that does not is taken. Of a line alike, though no cable goes there.
bool shorter_over_dateline(std::uint32_t from, std::uint32_t to, std::uint32_t size);

/// The direction of the next step between two switches, by their numbers, which are not the same; nothing
/// where the rule finds none.
std::optional<unsigned> torus_step(const TorusGrid& grid, std::uint32_t from, std::uint32_t to);

}  // namespace weft
