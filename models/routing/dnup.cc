// dnup: down away from the adapters' switches and then up, never down again; updn seen from below.
//
// Switches with adapters have rank 0, the others their distance from those; here "down" leads to a higher
// rank. As in OpenSM 3.3.23 (osm_ucast_dnup) a way may go on freely once it has stepped between equal ranks,
// so unlike updn it is not always free of credit loops. connect_roots lets the forbidden turn be taken where
// nothing else leads on, at a cost of more hops than any allowed way.
#include <algorithm>
#include <deque>

#include "models/routing/hop_balance.h"
#include "models/routing/ranked_hops.h"
#include "models/routing/routing_engine_rows.h"

namespace weft {
namespace {

constexpr std::uint32_t kUnranked = 0xffff'ffff;

/// Cables to the nearest switch with an adapter or router on it, by node.
std::vector<std::uint32_t> ranks_from_below(const Topology& topology, const SwitchGraph& graph) {
  std::vector<std::uint32_t> ranks(topology.nodes.size(), kUnranked);
  std::deque<NodeIndex> queue;
  for (const NodeIndex node : graph.switches()) {
    const bool leaf = std::ranges::any_of(topology.nodes[node].ports, [&](const Port& port) {
      return port.peer_node != kNone && topology.nodes[port.peer_node].kind != NodeKind::switch_;
    });
    if (!leaf) continue;
    ranks[node] = 0;
    queue.push_back(node);
  }
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

class Dnup final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.least_hops = false, .joins_switches = false}; }

  void describe_engine(Describe& d) override {
    d.field("connect_roots", connect_roots_,
            "Take forbidden turns where nothing else leads on (OpenSM's -z); this can make credit loops.")
        .source("OpenSM 3.3.23");
    balance_.describe(d);
  }

  Routes route(const Topology& topology, const RoutingContext& context) const override {
    Routes routes;
    routes.engine = "dnup";
    const SwitchGraph graph(topology);
    const std::vector<std::uint32_t> ranks = ranks_from_below(topology, graph);
    if (std::ranges::find(ranks, 0u) == ranks.end())
      throw Refusal("dnup", "no switch has an adapter on it, so none can be ranked");
    const auto direction = [&](NodeIndex from, NodeIndex to) {
      if (ranks[from] == ranks[to]) return Direction::level;
      return ranks[from] < ranks[to] ? Direction::down : Direction::up;
    };
    TurnRules rules{Direction::down, Direction::up, Direction::down};
    const BalanceRules balance = balance_.rules(topology, context, routes.warnings);
    RankedHops ways(topology, graph, direction, rules);
    if (connect_roots_) {
      rules.penalty = ways.most_hops() + 1;
      RankedHops all(topology, graph, direction, rules);
      routes.lft = balance_hops(topology, graph, all, balance);
    } else {
      routes.lft = balance_hops(topology, graph, ways, balance);
    }
    return routes;
  }

 private:
  bool connect_roots_ = false;
  BalanceKeys balance_;
};

}  // namespace

std::unique_ptr<RoutingEngine> make_dnup() { return std::make_unique<Dnup>(); }

}  // namespace weft
