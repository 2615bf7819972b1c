#include "models/routing/nue/nue.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/routing/channel_graph.h"
#include "models/routing/nue/escape.h"
#include "models/routing/nue/search.h"
#include "models/routing/nue/subnet.h"
#include "models/routing/routing_engine_rows.h"

namespace weft {
namespace {

/// Forwarding tables and service levels, filled destination by destination.
class Tables {
 public:
  Tables(const Topology& topology, unsigned lanes) : lft_(topology), rows_(topology.nodes.size()) {
    if (lanes > 1) sls_ = PathSls(topology);
    for (NodeIndex node = 0; node < topology.nodes.size(); ++node)
      if (topology.nodes[node].kind == NodeKind::switch_)
        rows_[node] = blank_table(topology.nodes[node], lft_.last_lid());
  }

  void enter(const NueSubnet& subnet, const NueTree& tree, const LidOwner& owner, Lid lid, unsigned lane) {
    for (std::uint32_t sw = 0; sw < subnet.size(); ++sw) {
      const NodeIndex node = subnet.switches[sw];
      rows_[node][lid] = tree[sw] != kNone ? subnet.far_port[tree[sw]] : owner.home_port;
      if (!sls_.empty()) sls_.set(node, lid, static_cast<std::uint8_t>(lane));
    }
  }

  void finish(Routes& routes) {
    for (NodeIndex node = 0; node < rows_.size(); ++node)
      if (!rows_[node].empty()) lft_.set(node, rows_[node]);
    routes.lft = std::move(lft_);
    routes.path_sls = std::move(sls_);
  }

 private:
  ForwardingTables lft_;
  std::vector<Lft> rows_;  // by node
  PathSls sls_;
};

/// Routes one subnet.
class SubnetRouting {
 public:
  SubnetRouting(const Topology& topology, const NueOptions& options, NueShortcuts shortcuts, NueSubnet subnet,
                Tables& tables)
      : topology_(topology),
        options_(options),
        shortcuts_(shortcuts),
        subnet_(std::move(subnet)),
        tables_(tables) {}

  /// @returns false when the tables might hold a circle
  bool route() {
    if (subnet_.size() > 1 && subnet_.weight.front() >= kNueUnreached) tree_from(0);  // refuses soon
    const auto lanes = dealt();
    bool proven = true;
    for (unsigned lane = 0; lane < lanes.size(); ++lane)
      if (!lanes[lane].empty() && !route_lane(lane, lanes[lane])) proven = false;
    if (!options_.include_switches) route_switches();
    return proven;
  }

 private:
  bool is_switch(std::uint32_t destination) const {
    return subnet_.destinations[destination].where.port == 0;
  }

  /// Destinations of each lane, adapters before switches.
  std::vector<std::vector<std::uint32_t>> dealt() const {
    std::vector<std::vector<std::uint32_t>> lanes(options_.lanes);
    unsigned lane = 0;
    for (std::uint32_t d = 0; d < subnet_.destinations.size(); ++d) {
      if (!options_.include_switches && is_switch(d)) continue;
      lanes[lane].push_back(d);
      lane = (lane + 1) % options_.lanes;
    }
    for (std::vector<std::uint32_t>& destinations : lanes) {
      std::stable_partition(destinations.begin(), destinations.end(),
                            [&](std::uint32_t d) { return !is_switch(d); });
    }
    return lanes;
  }

  bool route_lane(unsigned lane, const std::vector<std::uint32_t>& destinations) {
    const NueTree escape = tree_from(nue_centre(subnet_, destinations));
    NueDependencies dependencies(subnet_);
    reserve_escape_paths(subnet_, escape, destinations, dependencies);
    NueSearch search(subnet_, dependencies, shortcuts_);
    for (const std::uint32_t destination : destinations) {
      const std::uint32_t home = subnet_.homes[destination];
      for (std::uint32_t offset = 0; offset < subnet_.destinations[destination].lids; ++offset) {
        std::optional<NueTree> tree = search.run(home);
        if (!tree) tree = rerooted(subnet_, escape, home);
        dependencies.settle(*tree, home);
        enter(*tree, destination, offset, lane);
      }
    }
    return !dependencies.lost_close_circle();
  }

  /// Their LIDs as if they had a lane of their own, where circles do not matter.
  void route_switches() {
    std::vector<std::uint32_t> switches;
    for (std::uint32_t d = 0; d < subnet_.destinations.size(); ++d)
      if (is_switch(d)) switches.push_back(d);
    std::ranges::sort(switches, {}, [&](std::uint32_t d) { return subnet_.homes[d]; });
    for (const std::uint32_t d : switches)
      for (std::uint32_t offset = 0; offset < subnet_.destinations[d].lids; ++offset)
        enter(tree_from(subnet_.homes[d]), d, offset, 0);
  }

  void enter(const NueTree& tree, std::uint32_t destination, std::uint32_t offset, unsigned lane) {
    const LidOwner& owner = subnet_.destinations[destination];
    tables_.enter(subnet_, tree, owner, owner.base + offset, lane);
    add_weights(subnet_, tree);
  }

  NueTree tree_from(std::uint32_t root) const {
    NueTree tree = lightest_tree(subnet_, root);
    for (std::uint32_t sw = 0; sw < subnet_.size(); ++sw) {
      if (sw == root || tree[sw] != kNone) continue;
      throw Refusal("nue",
                    fmt::format("the way from {} to {} weighs more than 2^31, the most it counts, as each "
                                "hop weighs the square of the fabric's LIDs; fewer LIDs or hops are needed",
                                topology_.display_name(subnet_.switches[root]),
                                topology_.display_name(subnet_.switches[sw])));
    }
    return tree;
  }

  const Topology& topology_;
  const NueOptions& options_;
  const NueShortcuts shortcuts_;
  NueSubnet subnet_;
  Tables& tables_;
};

/// @returns false when the tables might hold a circle
bool route(const Topology& topology, const NueOptions& options, NueShortcuts shortcuts, Routes& routes) {
  Tables tables(topology, options.lanes);
  bool proven = true;
  for (NueSubnet& subnet : nue_subnets(topology))
    if (!SubnetRouting(topology, options, shortcuts, std::move(subnet), tables).route()) proven = false;
  tables.finish(routes);
  return proven;
}

class Nue final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.least_hops = false, .deadlock_free = true}; }
  Routes route(const Topology& topology, const RoutingContext& context) const override {
    const unsigned lanes = max_vls_ == 0 ? context.max_vls : std::min(max_vls_, context.max_vls);
    Routes routes = nue_routes(topology, {lanes, include_switches_});
    if (max_vls_ > context.max_vls) {
      routes.warnings.push_back(fmt::format("nue was to use {} lanes, but the fabric operates {} data VLs",
                                            max_vls_, context.max_vls));
    }
    return routes;
  }

 protected:
  void describe_engine(Describe& d) override {
    d.field("max_vls", max_vls_,
            "Virtual lanes the destinations are dealt to: the fewer on a lane, the fewer ways are closed to "
            "them. 0: as many lanes as the fabric operates.")
        .range(0, kMaxDataVls)
        .source("OpenSM nue_max_num_vls");
    d.field("include_switches", include_switches_,
            "Switches count as ends of traffic: paths to their LIDs are kept free of deadlock, too.")
        .source("OpenSM nue_include_switches");
  }

 private:
  unsigned max_vls_ = 1;
  bool include_switches_ = false;
};

}  // namespace

Routes nue_routes(const Topology& topology, const NueOptions& options) {
  Routes routes;
  routes.engine = "nue";
  routes.vls = options.lanes;
  const auto deadlock_free = [&] {
    return !options.include_switches &&
           find_credit_loop(topology, routes, Ends::with_aggregation_nodes).free_of_loops();
  };
  if (!route(topology, options, NueShortcuts::as_opensm, routes) && !deadlock_free()) {
    if (!route(topology, options, NueShortcuts::sound, routes))
      invariant_failed("nue's dependencies hold a circle", "shortcuts taken soundly");
    routes.warnings.emplace_back(
        "OpenSM's nue loses sight of dependencies when it takes shortcuts, and its tables for this fabric "
        "can "
        "deadlock; these tables differ from them and cannot");
  }
  if (std::ranges::any_of(topology.nodes, [](const Node& n) { return n.kind == NodeKind::router; }))
    routes.warnings.emplace_back("nue routes nothing to routers, as OpenSM's does not");
  return routes;
}

std::unique_ptr<RoutingEngine> make_nue() { return std::make_unique<Nue>(); }

}  // namespace weft
