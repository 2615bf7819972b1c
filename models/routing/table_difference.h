// What two sets of forwarding tables do differently.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/routing/routes.h"

namespace weft {

struct TableDifference {
  struct OfSwitch {
    NodeIndex node;  // of the first fabric
    std::size_t different;
  };
  std::size_t entries = 0, different = 0;  // of LIDs that both fabrics use, in switches that both have
  std::vector<OfSwitch> switches;          // with a difference, most first, then in node order
  std::uint64_t pairs = 0,
                changed =
                    0;  // of traffic ends that cables join, each LID of an LMC a pair; with another path
};

/// Over a fabric and what is left of it when parts are taken out. Time: LIDs x switches.
/// @param left what `after` routes: nodes of `topology`, with the ports and LIDs they have there
/// @param now  by node of `topology` that node in `left`; kNone where it is gone
TableDifference compare_tables(const Topology& topology, const ForwardingTables& before, const Topology& left,
                               const ForwardingTables& after, const std::vector<NodeIndex>& now);
/// Over one fabric.
TableDifference compare_tables(const Topology& topology, const ForwardingTables& before,
                               const ForwardingTables& after);

}  // namespace weft
