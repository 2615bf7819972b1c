// The torus that a generated topology says it is, in the words of torus-2QoS.conf: x, y and z are the grid's
// dimensions in their order, those of size one left out when there are more than three.
#pragma once

#include <vector>

#include "models/routing/torus_2qos/grid.h"

namespace weft {

/// Sizes, and as seeds the first switch that has the neighbours a seed needs and, for the day when one of
/// these has failed, the next whose seed has none of them; with datelines that begin the coordinates where the
/// grid's begin. No seed where nothing will do, or switches have no GUIDs.
/// @throws Refusal ("torus-2QoS") when there is no grid, one of more than three dimensions longer than one,
///         or one of other switches than there are
TorusConfig config_of_grid(const Topology& topology);

/// Of the n-th switch in node order. @throws Refusal as above
std::vector<TorusPlace> places_of_grid(const Topology& topology);

}  // namespace weft
