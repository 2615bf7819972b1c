#include "models/routing/dmodk.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/routing/least_hops.h"
#include "models/routing/routing_engine_rows.h"
#include "models/routing/switch_graph.h"
#include "models/routing/up_down.h"
#include "sim/error.h"

namespace weft {
namespace {

/// The endpoints of one leaf, in the order of its ports.
struct LeafEnds {
  std::uint64_t first = 0;  // number of the first of them
  std::vector<LidOwner> owners;
};

void enter(const LidOwner& owner, std::uint8_t port, Lft& row) {
  std::fill_n(row.begin() + owner.base, owner.lids, port);
}

/// Enters into `row` the links of `fan` that the owners take: the choice advances every `run` numbers.
void spread(const LeafEnds& ends, const Fan& fan, std::uint64_t run, Lft& row) {
  const std::uint64_t digits = ends.first / run;
  std::size_t neighbour = digits % fan.size();
  std::uint64_t round = digits / fan.size(), left = run - ends.first % run;
  for (const LidOwner& owner : ends.owners) {
    const std::vector<std::uint8_t>& cables = fan[neighbour];
    enter(owner, cables[round % cables.size()], row);
    if (--left > 0) continue;
    left = run;
    if (++neighbour < fan.size()) continue;
    neighbour = 0;
    ++round;
  }
}

class DModK final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.deadlock_free = true}; }
  Routes route(const Topology& topology, const RoutingContext&) const override {
    return dmodk_routes(topology);
  }
};

/// w_1 ... w_{level+1}, by level from 0: a switch of that level chooses its way up by the number over this.
std::vector<std::uint64_t> up_divisors(const Topology& topology) {
  std::vector<std::uint64_t> divisors{1};
  for (const std::uint32_t parents : topology.tree->up)
    divisors.push_back(divisors.back() * std::max(1u, parents));
  divisors.erase(divisors.begin());
  return divisors;
}

/// @throws Refusal when two leaves of one network have no way up and then down
void check_ways(const Topology& topology, const SwitchGraph& graph, const UpDownWays& ways) {
  for (std::size_t leaf = 0; leaf < ways.leaves().size(); ++leaf) {
    std::vector<std::uint32_t> distance;
    for (const NodeIndex node : graph.switches()) {
      // A spine without cables down carries nothing, and planes of their own never meet.
      if (ways.steps(node, leaf) != UpDownWays::kUnreached || topology.nodes[node].level != 0) continue;
      if (distance.empty()) distance = graph.distances(ways.leaves()[leaf]);
      if (distance[node] == SwitchGraph::kUnreached) continue;
      throw Refusal("dmodk", fmt::format("no way up and then down from {} to {}", topology.display_name(node),
                                         topology.display_name(ways.leaves()[leaf])));
    }
  }
}

}  // namespace

Routes dmodk_routes(const Topology& topology) {
  if (!topology.tree) {
    throw Refusal("dmodk",
                  "it routes generated fat trees only, as it needs the tree's shape; use minhop or ftree");
  }
  Routes routes;
  routes.engine = "dmodk";
  routes.lft = ForwardingTables(topology);
  const SwitchGraph graph(topology);

  const std::vector<LidOwner> owners = lid_owners(topology);
  std::map<NodeIndex, LeafEnds> by_leaf;
  std::vector<LidOwner> others;  // switches, aggregation nodes and whatever else hangs above the leaves
  for (const LidOwner& owner : owners) {
    if (owner.home == kNone) continue;
    const bool endpoint = topology.nodes[owner.where.node].kind == NodeKind::hca;
    if (endpoint && topology.nodes[owner.home].level == 0)
      by_leaf[owner.home].owners.push_back(owner);
    else
      others.push_back(owner);
  }
  std::vector<NodeIndex> leaves;
  std::vector<const LeafEnds*> ends;
  std::uint64_t number = 0;
  for (auto& [leaf, here] : by_leaf) {
    std::ranges::sort(here.owners, {}, &LidOwner::home_port);
    here.first = number;
    number += here.owners.size();
    leaves.push_back(leaf);
    ends.push_back(&here);
  }

  UpDownWays ways(topology, graph, std::move(leaves));
  check_ways(topology, graph, ways);
  const std::vector<std::uint64_t> divisors = up_divisors(topology);
  const auto divisor = [&](std::size_t level) {
    return divisors.empty() ? 1 : divisors[std::min(level, divisors.size() - 1)];
  };
  LeastHops least_hops(graph);
  for (const NodeIndex node : graph.switches()) {
    Lft row = blank_table(topology.nodes[node], routes.lft.last_lid());
    const std::size_t level = static_cast<std::uint8_t>(topology.nodes[node].level);
    ways.for_each_fan(node, [&](std::size_t leaf, const Fan& fan, bool down) {
      // Down from a level mirrors the up choice made one level lower in the destination's own branch, where
      // the parent took the low digits, so that the cable is what is left above them.
      const std::uint64_t parents =
          down && level < topology.tree->up.size() ? std::max(1u, topology.tree->up[level]) : 1;
      spread(*ends[leaf], fan, (down ? divisor(level - 1) : divisor(level)) * parents, row);
    });
    least_hops.start_from(node);
    for (const LidOwner& owner : others) {  // spread by LID
      const std::vector<std::uint8_t>& ports = least_hops.ports_to(owner.home);
      if (owner.home == node) enter(owner, owner.home_port, row);
      if (ports.empty()) continue;
      for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) row[lid] = ports[lid % ports.size()];
    }
    if (const auto own = by_leaf.find(node); own != by_leaf.end())
      for (const LidOwner& owner : own->second.owners) enter(owner, owner.home_port, row);
    routes.lft.set(node, row);
  }
  return routes;
}

std::unique_ptr<RoutingEngine> make_dmodk() { return std::make_unique<DModK>(); }

}  // namespace weft
