// Judges a set of routes: does every pair arrive, over how many switches, how loaded is each link, and can
// credits deadlock. This is what `weft fabric validate` prints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/routing/routes.h"

namespace weft {

/// A path that does not arrive.
struct BrokenPath {
  Endpoint source, destination;
  std::string reason;  // "loops at leaf03", "leaf03 has no entry for LID 17", "leaf03[9] has no cable"
  std::vector<PortRef> ports;  // output ports taken until then
};

struct RouteReport {
  std::uint64_t pairs = 0, reached = 0;
  /// Pairs left out of `pairs`: ends of different rails whose switches no cable joins. Separate planes are
  /// like that.
  std::uint64_t across_planes = 0;
  std::optional<BrokenPath> loop;                   // the first path whose packets would circle for ever
  std::vector<BrokenPath> broken;                   // the first 20, by destination, then by source
  std::map<unsigned, std::uint64_t> pairs_by_hops;  // switches on the path -> pairs (OpenSM's counting)
  struct Subscription {
    PortRef port;         // output port of a switch towards a switch
    std::uint64_t flows;  // pairs whose path uses it
  };
  std::vector<Subscription> subscription;  // every switch-to-switch output port, most loaded first
};

/// Walks every ordered pair of traffic endpoints (aggregation nodes are not traffic ends). With an LMC each
/// of a destination's LIDs makes a pair of its own. Time: destinations x switches, not pairs.
RouteReport check_routes(const Topology& topology, const Routes& routes);

}  // namespace weft
