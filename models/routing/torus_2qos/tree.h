// The spanning tree of a torus that torus-2QoS sends all multicasts along: from a root in the middle along x,
// from there along y, from there along z, so that from root to tips every turn is one that routing along x, y
// and z makes too. It crosses no dateline but that of a ring with a gap, and so closes no circle of credits
// with the unicast routes.
//
// OpenSM 3.3.23 (osm_torus.c; torus-2QoS(8), "Multicast routing") routes no fabric it finds no such tree for.
// A ring or line alone may have its root anywhere, which OpenSM, that has none, does not try.
#pragma once

#include <optional>
#include <vector>

#include "models/routing/torus_2qos/grid.h"

namespace weft {

struct TorusTree {
  static constexpr std::uint8_t kNowhere = 255;
  std::uint32_t root = TorusGrid::kNobody;
  std::vector<std::uint8_t> towards_root;  // the direction, by number of a switch; kNowhere for the root
};

/// Nothing when there is no root, or a switch is not reached.
std::optional<TorusTree> torus_tree(const TorusGrid& grid);

}  // namespace weft
