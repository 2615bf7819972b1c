// torus-2QoS: routing along x, then y, then z, for tori and meshes of up to three dimensions, free of
// deadlock by lanes.
//
// Rule (OpenSM 3.3.23: osm_torus.c, torus-2QoS(8)), which gives OpenSM's very tables:
//   way  the shorter way round each ring; the longer one where that is cut. A path that was to turn at a
//        failed switch goes as near as it can, turns there, and turns once more against the order.
//   SL   bit d: the shorter way along dimension d goes over the dateline, the place where coordinates begin
//        anew; bit 3: the level of quality of service.
//   VL   between switches: bit 0: the SL's bit of the dimension the packet leaves along; bit 1: the turn is
//        against the order; bit 2: the level. To and from adapters: VL 1 for the second level, else 0.
// So a torus takes 2 lanes, 4 once a switch has failed, and 8 for the second level.
//
// Left out: its multicast tables (tree.h finds the tree). The speeds of cables play no part, as in
// OpenSM.
#pragma once

#include "models/routing/torus_2qos/placement.h"

namespace weft {

struct Torus2QosOptions {
  unsigned max_vls = 8;                  // data VLs that all ports can operate
  bool second_level = false;             // all paths on the second level of quality of service
  std::vector<std::uint8_t> port_order;  // TorusConfig::port_order
  std::uint32_t group_ports = 255;       // TorusConfig::group_ports
};

/// @throws Refusal ("torus-2QoS"): fewer than 2 data VLs, rings cut into parts, switches missing that it
///         cannot route round, more LIDs on a switch than a group holds, no tree for multicast
Routes torus_2qos_routes(const Topology& topology, const TorusGrid& grid, const Torus2QosOptions& options);

/// Of a torus that is described. @throws Refusal, also as place_by_seeds
Routes torus_2qos_routes(const Topology& topology, const TorusConfig& config, unsigned max_vls = 8);

/// Of a torus that was generated. @throws Refusal, also as config_of_grid
Routes torus_2qos_routes(const Topology& topology, unsigned max_vls = 8);

}  // namespace weft
