// The table of routing engines: what `weft list` prints, what the scenario's `engine:` may name.
#include "models/routing/dmodk.h"
#include "models/routing/lft_file.h"
#include "models/routing/minhop.h"
#include "models/routing/routes.h"

namespace weft {

std::span<const Choice<RoutingEngine>> routing_engines() {
  static constexpr Choice<RoutingEngine> kEngines[] = {
      {"minhop",
       "OpenSM's default: every destination over a least-hop port, the load spread by counting paths per "
       "port. Routes any fabric, and on one with the same GUIDs and LIDs gives the very tables OpenSM "
       "gives. Choose it for imported or irregular fabrics. Hops are least; freedom from credit loops is "
       "not promised: trees have none between their hosts, rings and tori do (`weft fabric validate` "
       "tells).",
       make_minhop},
      {"dmodk",
       "D-mod-K: the destination's number picks the way up a fat tree, so every shift permutation runs "
       "without contention and all-to-all loads every link alike. Choose it for generated fat trees. "
       "Guarantees least hops, up-then-down paths and so no credit loops; refuses a topology that is not a"
       " generated tree.",
       make_dmodk},
      {"file",
       "The forwarding tables of a real fabric, read from opensm-lfts.dump, dump_lfts, dump_fts or ibroute"
       " output. Choose it to study the fabric as it is routed today, by whatever engine its subnet "
       "manager runs. Guarantees nothing of itself: the tables are taken as they are and judged by `weft "
       "fabric validate`.",
       make_lft_file},
  };
  return kEngines;
}

}  // namespace weft
