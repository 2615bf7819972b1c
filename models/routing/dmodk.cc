#include "models/routing/dmodk.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "models/routing/switch_graph.h"
#include "sim/error.h"

namespace weft {
namespace {

/// The links of a switch that are one step nearer to the goal, by neighbour (in node order) and then by port.
using Fan = std::vector<std::vector<std::uint8_t>>;

std::uint8_t pick(const Fan& fan, std::uint64_t number) {
  const std::vector<std::uint8_t>& cables = fan[number % fan.size()];
  return cables[number / fan.size() % cables.size()];
}

class Tree {
 public:
  Tree(const Topology& topology, const SwitchGraph& graph) : topology_(topology), graph_(graph) {
    for (const NodeIndex node : graph.switches()) {
      if (level(node) < 0) throw BadValue("engine", unlevelled(node));
      levels_ = std::max(levels_, static_cast<std::size_t>(level(node)) + 1);
    }
    top_down_ = graph.switches();
    std::ranges::stable_sort(top_down_, std::greater{}, [&](NodeIndex node) { return level(node); });
    const std::vector<std::uint32_t>& up = topology.tree->up;
    for (std::size_t l = 0; l < levels_; ++l) {  // level l chooses by d / (w_1 ... w_{l+1})
      const std::uint64_t before = l == 0 ? 1 : divisor_[l - 1];
      divisor_.push_back(before * (l < up.size() ? std::max(1u, up[l]) : 1u));
    }
  }

  int level(NodeIndex node) const { return topology_.nodes[node].level; }

  /// Steps of the shortest way up and then down from each node to `leaf`; kUnreached where there is none.
  std::vector<std::uint32_t> up_down_distances(NodeIndex leaf) const {
    std::vector<std::uint32_t> distance(topology_.nodes.size(), SwitchGraph::kUnreached);
    distance[leaf] = 0;
    std::vector<NodeIndex> ancestors{leaf};
    for (std::size_t next = 0; next < ancestors.size(); ++next) {
      for (const SwitchLink& link : graph_.links(ancestors[next])) {
        if (level(link.peer) <= level(ancestors[next]) || distance[link.peer] != SwitchGraph::kUnreached)
          continue;
        distance[link.peer] = distance[ancestors[next]] + 1;
        ancestors.push_back(link.peer);
      }
    }
    for (const NodeIndex node : top_down_) {
      if (distance[node] != SwitchGraph::kUnreached) continue;
      for (const SwitchLink& link : graph_.links(node)) {
        if (level(link.peer) <= level(node) || distance[link.peer] == SwitchGraph::kUnreached) continue;
        distance[node] = std::min(distance[node], distance[link.peer] + 1);
      }
    }
    return distance;
  }

  /// The next links from `node`: down when the goal is below it, else up.
  Fan fan(NodeIndex node, const std::vector<std::uint32_t>& distance, bool down) const {
    std::map<NodeIndex, std::vector<std::uint8_t>> by_neighbour;
    for (const SwitchLink& link : graph_.links(node)) {
      if ((level(link.peer) < level(node)) != down || level(link.peer) == level(node)) continue;
      if (distance[link.peer] != SwitchGraph::kUnreached && distance[link.peer] + 1 == distance[node]) {
        by_neighbour[link.peer].push_back(link.port);
      }
    }
    Fan fan;
    for (auto& [neighbour, ports] : by_neighbour) fan.push_back(std::move(ports));
    return fan;
  }

  /// Routes `owners`, which hang on `leaf`; `number` is that of the first of them.
  void route(NodeIndex leaf, const std::vector<LidOwner>& owners, std::uint64_t number,
             Routes& routes) const {
    const std::vector<std::uint32_t> distance = up_down_distances(leaf);
    for (const NodeIndex node : graph_.switches()) {
      if (node == leaf) continue;
      if (distance[node] == SwitchGraph::kUnreached) {
        // A spine without cables down carries nothing, and planes of their own never meet.
        if (level(node) != 0 || graph_.distances(leaf)[node] == SwitchGraph::kUnreached) continue;
        throw BadValue("engine",
                       fmt::format("dmodk: no way up and then down from {} to {}", name(node), name(leaf)));
      }
      Fan choices = fan(node, distance, true);
      const bool down = !choices.empty();
      if (!down) choices = fan(node, distance, false);
      // Down from level l mirrors the up choice made at level l-1 of the destination's own branch.
      const auto l = static_cast<std::size_t>(level(node));
      const std::uint64_t divisor = down ? divisor_[l - 1] : divisor_[l];
      // ... where the parent took the low digits, so the cable is what is left above them.
      const std::uint64_t parents =
          down && l < topology_.tree->up.size() ? std::max(1u, topology_.tree->up[l]) : 1;
      for (std::size_t i = 0; i < owners.size(); ++i) {
        const std::uint64_t digits = (number + i) / divisor / parents;
        const std::uint8_t port = pick(choices, digits);
        std::fill_n(routes.lft[node].begin() + owners[i].base, owners[i].lids, port);
      }
    }
  }

  std::string name(NodeIndex node) const { return topology_.display_name(node); }

 private:
  std::string unlevelled(NodeIndex node) const {
    return fmt::format("dmodk needs to know each switch's level in the tree; {} has none", name(node));
  }

  const Topology& topology_;
  const SwitchGraph& graph_;
  std::size_t levels_ = 0;
  std::vector<NodeIndex> top_down_;
  std::vector<std::uint64_t> divisor_;  // by level: w_1 ... w_{level+1}
};

/// Switches, aggregation nodes and whatever else hangs above the leaves: least hops, spread by LID.
void route_by_least_hops(const LidOwner& owner, const SwitchGraph& graph, Routes& routes) {
  const std::vector<std::uint32_t> distance = graph.distances(owner.home);
  for (const NodeIndex node : graph.switches()) {
    if (node == owner.home || distance[node] == SwitchGraph::kUnreached) continue;
    std::vector<std::uint8_t> ports;
    for (const SwitchLink& link : graph.links(node)) {
      if (distance[link.peer] + 1 == distance[node]) ports.push_back(link.port);
    }
    for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid)
      routes.lft[node][lid] = ports[lid % ports.size()];
  }
}

class DModK final : public RoutingEngine {
 public:
  void describe(Describe&) override {}
  Routes build(const Topology& topology, const std::string&) const override { return dmodk_routes(topology); }
};

}  // namespace

Routes dmodk_routes(const Topology& topology) {
  if (!topology.tree) {
    throw BadValue("engine",
                   "dmodk routes generated fat trees only: it needs the tree's shape, which this topology "
                   "does not give; use minhop");
  }
  Routes routes;
  routes.engine = "dmodk";
  routes.lft = empty_tables(topology);
  const SwitchGraph graph(topology);
  const Tree tree(topology, graph);

  std::map<NodeIndex, std::vector<LidOwner>> by_leaf;
  for (const LidOwner& owner : lid_owners(topology)) {
    if (owner.home == kNone) continue;
    if (owner.home_port != 0) {
      std::fill_n(routes.lft[owner.home].begin() + owner.base, owner.lids, owner.home_port);
    }
    const bool endpoint = topology.nodes[owner.where.node].kind == NodeKind::hca;
    if (endpoint && tree.level(owner.home) == 0) {
      by_leaf[owner.home].push_back(owner);
    } else {
      route_by_least_hops(owner, graph, routes);
    }
  }
  std::uint64_t number = 0;
  for (auto& [leaf, owners] : by_leaf) {
    std::ranges::sort(owners, {}, &LidOwner::home_port);
    tree.route(leaf, owners, number, routes);
    number += owners.size();
  }
  return routes;
}

std::unique_ptr<RoutingEngine> make_dmodk() { return std::make_unique<DModK>(); }

}  // namespace weft
