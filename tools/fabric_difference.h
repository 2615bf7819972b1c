// What compare and remove say of two sets of routes.
#pragma once

#include <string>
#include <vector>

#include "models/routing/table_difference.h"
#include "tools/fabric_judge.h"
#include "tools/fabric_report.h"

namespace weft {

struct Side {
  std::string name;
  Judgement judgement;
  ForwardingTables lft;
};

/// A switch-to-switch output port and the all-to-all flows over it, before and after.
struct LinkChange {
  PortRef port;
  std::uint64_t before = 0, after = 0;
};
/// Of ports that both sides have, those that change, the greatest change first.
std::vector<LinkChange> link_changes(const std::vector<RouteReport::Subscription>& before,
                                     const std::vector<RouteReport::Subscription>& after);

/// Pairs, hops, subscription, lanes and credit loops of each side.
void tell_sides(const Side& first, const Side& second, FabricReport& report);
void tell_tables(const TableDifference& difference, const PortNames& names, FabricReport& report);
/// The five that gain most and the five that lose most.
void tell_links(const std::vector<LinkChange>& changes, const PortNames& names, FabricReport& report);

}  // namespace weft
