#include "tools/fabric_difference.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace weft {

std::vector<LinkChange> link_changes(const std::vector<RouteReport::Subscription>& before,
                                     const std::vector<RouteReport::Subscription>& after) {
  std::map<std::pair<NodeIndex, std::uint8_t>, std::uint64_t> was;
  for (const auto& link : before) was[{link.port.node, link.port.port}] = link.flows;
  std::vector<LinkChange> changes;
  for (const auto& link : after) {
    const auto found = was.find({link.port.node, link.port.port});
    if (found != was.end() && found->second != link.flows)
      changes.push_back({link.port, found->second, link.flows});
  }
  std::ranges::stable_sort(changes, std::greater(), [](const LinkChange& change) {
    return change.after > change.before ? change.after - change.before : change.before - change.after;
  });
  return changes;
}

void tell_sides(const Side& first, const Side& second, FabricReport& report) {
  Table& table = report.recorder.table("routes", "The two, all-to-all", 1,
                                       {{"routes", ""},
                                        {"pairs", ""},
                                        {"reached", ""},
                                        {"hops_max", ""},
                                        {"flows_max", ""},
                                        {"flows_mean", "", 1},
                                        {"flows_min", ""},
                                        {"lanes", ""},
                                        {"credit_loop", ""}});
  for (const Side* side : {&first, &second}) {
    const RouteReport& paths = side->judgement.paths;
    table.add({side->name, static_cast<std::int64_t>(paths.pairs), static_cast<std::int64_t>(paths.reached),
               std::int64_t{paths.pairs_by_hops.empty() ? 0 : paths.pairs_by_hops.rbegin()->first},
               static_cast<std::int64_t>(side->judgement.most()), side->judgement.mean_subscription,
               static_cast<std::int64_t>(side->judgement.least()), std::int64_t{side->judgement.lanes},
               std::string(side->judgement.traffic.free_of_loops() ? "none" : "YES")});
  }
  std::set<unsigned> all;
  for (const Side* side : {&first, &second})
    for (const auto& [hops, pairs] : side->judgement.paths.pairs_by_hops) all.insert(hops);
  Table& hops = report.recorder.table("hops", "Pairs by switches on the path", 1,
                                      {{"switches", ""}, {"first", ""}, {"second", ""}});
  const auto pairs_of = [](const Side& side, unsigned count) {
    const auto found = side.judgement.paths.pairs_by_hops.find(count);
    return static_cast<std::int64_t>(found == side.judgement.paths.pairs_by_hops.end() ? 0 : found->second);
  };
  for (const unsigned count : all)
    hops.add({std::int64_t{count}, pairs_of(first, count), pairs_of(second, count)});
}

void tell_tables(const TableDifference& difference, const PortNames& names, FabricReport& report) {
  Recorder& recorder = report.recorder;
  recorder.set("entries", static_cast<std::int64_t>(difference.entries));
  recorder.set("entries_different", static_cast<std::int64_t>(difference.different));
  recorder.set("pairs", static_cast<std::int64_t>(difference.pairs));
  recorder.set("pairs_rerouted", static_cast<std::int64_t>(difference.changed));
  Table& switches = recorder.table("switches", "Switches whose tables differ most", 1,
                                   {{"switch", ""}, {"entries_different", ""}});
  for (std::size_t i = 0; i < std::min<std::size_t>(10, difference.switches.size()); ++i)
    switches.add(
        {names[difference.switches[i].node], static_cast<std::int64_t>(difference.switches[i].different)});
}

void tell_links(const std::vector<LinkChange>& changes, const PortNames& names, FabricReport& report) {
  Table& table =
      report.recorder.table("links", "Links whose load changes most, all-to-all", 1,
                            {{"port", ""}, {"peer", ""}, {"flows_before", ""}, {"flows_after", ""}});
  for (const bool gains : {true, false}) {
    std::size_t told = 0;
    for (const LinkChange& change : changes) {
      if ((change.after > change.before) != gains || told == 5) continue;
      ++told;
      table.add({names[change.port], names.peer(change.port), static_cast<std::int64_t>(change.before),
                 static_cast<std::int64_t>(change.after)});
    }
  }
}

}  // namespace weft
