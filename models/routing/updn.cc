// updn: up towards the roots and then down, never up again; among the shortest such ways the spread of
// minhop.
//
// Switches are ranked by their distance from the roots; between equals the greater GUID is the higher, but
// cables that join roots lead up both ways. Roots come from a file or are found as OpenSM 3.3.23 finds them
// (osm_ucast_updn): a switch is one when more than 90 % of the adapters are equally many hops from it and no
// other distance has more than 5 % of them, the adapters' own switches counted. Up-then-down ways wait in no
// circle of credits: that is what the engine is for. Switches that only a way down and then up joins do not
// reach each other; connect_roots lets every way lead to what hangs on a root, and to the root itself.
// Left out: a file of node ids (ids_guid_file).
#include <algorithm>
#include <deque>
#include <map>

#include <fmt/format.h>

#include "models/routing/guid_file.h"
#include "models/routing/hop_balance.h"
#include "models/routing/least_hops.h"
#include "models/routing/ranked_hops.h"
#include "models/routing/routing_engine_rows.h"

namespace weft {
namespace {

constexpr std::uint32_t kUnranked = 0xffff'ffff;

/// The switches that OpenSM takes for roots when it is told none.
std::vector<NodeIndex> find_roots(const Topology& topology, const SwitchGraph& graph) {
  std::map<NodeIndex, std::uint32_t> adapters;  // by their switch
  std::uint32_t all = 0;
  for (const LidOwner& owner : lid_owners(topology)) {
    if (owner.home == kNone || owner.where.port == 0) continue;
    ++adapters[owner.home];
    ++all;
  }
  const double most = all * 0.9, few = all * 0.05;
  std::vector<NodeIndex> roots;
  LeastHops least_hops(graph);
  for (const NodeIndex node : graph.switches()) {
    least_hops.start_from(node);
    std::map<std::uint32_t, std::uint32_t> at_distance;
    for (const auto& [home, count] : adapters)
      if (const std::uint32_t hops = home == node ? 0 : least_hops.hops_to(home); hops < 64)
        at_distance[hops] += count;
    const auto beyond = [&](double threshold) {
      return std::ranges::count_if(at_distance, [&](const auto& d) { return d.second > threshold; });
    };
    if (beyond(most) == 1 && beyond(few) == 1) roots.push_back(node);
  }
  return roots;
}

/// Cables to the nearest root, by node.
std::vector<std::uint32_t> rank(const Topology& topology, const SwitchGraph& graph,
                                const std::vector<NodeIndex>& roots) {
  std::vector<std::uint32_t> ranks(topology.nodes.size(), kUnranked);
  std::deque<NodeIndex> queue(roots.begin(), roots.end());
  for (const NodeIndex root : roots) ranks[root] = 0;
  while (!queue.empty()) {
    const NodeIndex at = queue.front();
    queue.pop_front();
    for (const SwitchLink& link : graph.links(at))
      if (ranks[link.peer] == kUnranked) {
        ranks[link.peer] = ranks[at] + 1;
        queue.push_back(link.peer);
      }
  }
  return ranks;
}

class Updn final : public RoutingEngine {
 public:
  RoutingPromises promises() const override {
    return {.least_hops = false, .deadlock_free = true, .joins_switches = false};
  }

  void describe_engine(Describe& d) override {
    d.field("root_guids", root_guids_,
            "File of the root switches' GUIDs, one a line (OpenSM's -a). Left out: they are found.");
    d.field(
         "connect_roots", connect_roots_,
         "Let every way lead to the roots and what hangs on them (OpenSM's -z); this can make credit loops.")
        .source("OpenSM 3.3.23");
    balance_.describe(d);
  }

  Routes route(const Topology& topology, const RoutingContext& context) const override {
    Routes routes;
    routes.engine = "updn";
    const SwitchGraph graph(topology);
    const std::vector<NodeIndex> roots = this->roots(topology, graph, context, routes.warnings);
    const std::vector<std::uint32_t> ranks = rank(topology, graph, roots);
    const auto direction = [&](NodeIndex from, NodeIndex to) {
      if (ranks[from] == 0 && ranks[to] == 0) return Direction::up;
      if (ranks[from] != ranks[to]) return ranks[from] < ranks[to] ? Direction::down : Direction::up;
      return topology.nodes[from].guid > topology.nodes[to].guid ? Direction::up : Direction::down;
    };
    TurnRules rules{Direction::up, Direction::down, Direction::up};
    if (connect_roots_) {
      rules.free.resize(topology.nodes.size());
      for (const NodeIndex root : roots) rules.free[root] = true;
    }
    RankedHops ways(topology, graph, direction, rules);
    routes.lft = balance_hops(topology, graph, ways, balance_.rules(topology, context, routes.warnings));
    return routes;
  }

 private:
  std::vector<NodeIndex> roots(const Topology& topology, const SwitchGraph& graph,
                               const RoutingContext& context, std::vector<std::string>& warnings) const {
    std::vector<NodeIndex> found;
    if (root_guids_.empty()) {
      found = find_roots(topology, graph);
      if (found.empty())
        throw Refusal(
            "updn",
            "no switch looks like a root, equally far from nearly all adapters; name them in root_guids");
      return found;
    }
    const TextFile file = TextFile::load(context.path_of(root_guids_));
    for (const NamedGuid& named : read_guid_file(file, topology)) {
      if (topology.nodes[named.node].kind == NodeKind::switch_)
        found.push_back(named.node);
      else
        warnings.push_back(fmt::format("{}: 0x{:016x} is no switch, so no root", file.name(), named.guid));
    }
    if (found.empty()) throw Refusal("updn", fmt::format("{} names no switch as a root", file.name()));
    return found;
  }

  std::string root_guids_;
  bool connect_roots_ = false;
  BalanceKeys balance_;
};

}  // namespace

std::unique_ptr<RoutingEngine> make_updn() { return std::make_unique<Updn>(); }

}  // namespace weft
