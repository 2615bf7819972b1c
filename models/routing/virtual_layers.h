// Divides the paths of given tables among layers, none of which can deadlock: each will have a lane of its
// own.
//
// All paths begin in the first layer. Where the channels of a layer wait for each other in a circle, the wait
// that fewest paths cause is taken out and those paths go to the next layer; and so on until there is no
// circle or no layer left. This is the offline algorithm of DFSSSP (J. Domke, T. Hoefler, W. Nagel,
// "Deadlock-Free Oblivious Routing for Arbitrary Topologies", IPDPS 2011), with the order of search of OpenSM
// 3.3.23 (osm_ucast_dfsssp), on which the number of layers depends.
//
// A path is known by its source switch and destination LID: ends on one switch share all channels that can be
// in a circle. It counts as many times as LIDs of adapters hang on that switch.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/forwarding_tables.h"

namespace weft {

struct LayeredPath {
  NodeIndex source = kNone;  // switch
  Lid destination = 0;
  std::uint32_t weight = 0;  // source LIDs it stands for
  std::uint8_t layer = 0;
};

struct LayeredPaths {
  std::vector<LayeredPath> paths;
  unsigned layers = 1;          // in use
  bool free_of_circles = true;  // false: `max_layers` are not enough, the last one holds a circle
};

/// @param max_layers at least 1, at most 16
/// @param first ports whose LIDs were routed before others, see opensm_sssp_order
/// Time and memory: paths x hops, and a search of all channels for each circle.
LayeredPaths layer_paths(const Topology& topology, const ForwardingTables& lft, unsigned max_layers,
                         const std::vector<std::vector<PortRef>>& first = {});

}  // namespace weft
