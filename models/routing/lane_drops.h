// Paths whose packets the SL2VL tables drop: a service level mapped to VL 15 has no lane (IBA 7.6.6).
#pragma once

#include <cstdint>
#include <optional>

#include "models/routing/routes.h"

namespace weft {

/// The port at which packets from `source` to `lid` find no lane, on the service level that the routes want
/// on that path (0 where they want none); nothing when none is dropped, or the tables lose them before.
std::optional<PortRef> lane_drop(const Topology& topology, const Routes& routes, const Sl2Vl& sl2vl,
                                 PortRef source, Lid lid);

struct LaneDrops {
  std::uint64_t pairs = 0;
  PortRef source, destination, at;  // the first of them, by source, then by destination
};

/// Of all ordered pairs of traffic ends, with all LIDs of an LMC. Nothing to walk when the tables drop none.
LaneDrops lane_drops(const Topology& topology, const Routes& routes, const Sl2Vl& sl2vl);

}  // namespace weft
