#include "models/routing/torus_2qos/torus_2qos.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/routing/routing_engine_rows.h"
#include "models/routing/torus_2qos/lanes.h"
#include "models/routing/torus_2qos/of_grid.h"
#include "models/routing/torus_2qos/tree.h"
#include "models/routing/torus_2qos/way.h"

namespace weft {
namespace {

constexpr std::string_view kEngine = "torus-2QoS";
constexpr std::size_t kMaxConfigBytes = std::size_t{64} << 20;

class Torus2Qos {
 public:
  Torus2Qos(const Topology& topology, const TorusGrid& grid, const Torus2QosOptions& options)
      : topology_(topology), grid_(grid), options_(options), ends_(ends_of_switches()) {}

  Routes build() {
    if (options_.max_vls < 2)
      throw Refusal(kEngine, fmt::format("it needs 2 data VLs; the fabric operates {}", options_.max_vls));
    if (const std::string why = grid_.broken(); !why.empty()) throw Refusal(kEngine, why);
    if (!torus_tree(grid_))
      throw Refusal(kEngine, "so many switches are missing that no tree for multicast is free of deadlock");
    routes_.engine = kEngine;
    routes_.lft = ForwardingTables(topology_);
    routes_.path_sls = PathSls(topology_);
    for (NodeIndex node = 0; node < topology_.nodes.size(); ++node)
      if (topology_.nodes[node].kind == NodeKind::switch_) route_from(node);
    choose_lanes();
    return std::move(routes_);
  }

 private:
  /// The LIDs on each switch of the torus, by its number, in the order they are routed to.
  std::vector<std::vector<LidOwner>> ends_of_switches() const {
    std::vector<std::vector<LidOwner>> ends(grid_.switches().size());
    for (const LidOwner& owner : lid_owners(topology_)) {
      if (owner.home == kNone) continue;
      const std::uint32_t number = grid_.number_of(owner.home);
      if (number != TorusGrid::kNobody) ends[number].push_back(owner);
    }
    const auto turn = [&](const LidOwner& owner) {
      const auto& order = options_.port_order;
      return std::pair(std::ranges::find(order, owner.home_port) - order.begin(), owner.home_port);
    };
    for (std::uint32_t number = 0; number < ends.size(); ++number) {
      if (ends[number].size() > options_.group_ports)
        throw Refusal(kEngine, fmt::format("{} and its adapters have {} LIDs, but portgroup_max_ports is {}",
                                           topology_.display_name(grid_[number].node), ends[number].size(),
                                           options_.group_ports));
      std::ranges::sort(ends[number], {}, turn);
    }
    return ends;
  }

  void route_from(NodeIndex node) {
    Lft row = blank_table(topology_.nodes[node], routes_.lft.last_lid());
    const std::uint32_t here = grid_.number_of(node);
    // Paths so far by direction, over which parallel cables take turns: to adapters, and to switches.
    std::array<std::array<std::size_t, kTorusDirections>, 2> paths{};
    for (std::uint32_t there = 0; there < grid_.switches().size() && here != TorusGrid::kNobody; ++there) {
      std::optional<unsigned> step;
      if (here != there && !ends_[there].empty()) {
        step = torus_step(grid_, here, there);
        if (!step)
          throw Refusal(kEngine,
                        fmt::format("its rules find no way from {} to {}", topology_.display_name(node),
                                    topology_.display_name(grid_[there].node)));
      }
      const std::uint8_t sl = torus_sl(grid_, grid_[here].at, grid_[there].at, options_.second_level);
      for (const LidOwner& end : ends_[there]) {
        std::uint8_t port = end.home_port;
        if (step) {
          const std::vector<std::uint8_t>& cables = grid_[here].ports[*step];
          port = cables[paths[end.where.port == 0 ? 1 : 0][*step]++ % cables.size()];
        }
        for (Lid lid = end.base; lid < end.base + end.lids; ++lid) {
          row[lid] = port;
          routes_.path_sls.set(node, lid, sl);
        }
      }
    }
    routes_.lft.set(node, row);
  }

  void choose_lanes() {
    const bool failed_switch = grid_.switches().size() < grid_.places();
    const unsigned needed = options_.second_level ? 8 : failed_switch ? 4 : 2;
    const unsigned in_use = options_.max_vls >= 8 ? 8 : options_.max_vls >= 4 ? 4 : 2;
    if (options_.second_level && in_use < 8)
      routes_.warnings.push_back(
          fmt::format("torus-2QoS has no lanes for the second level of service: it needs 8 data VLs, the "
                      "fabric operates {}",
                      options_.max_vls));
    if (failed_switch && in_use < 4)
      routes_.warnings.push_back(fmt::format(
          "torus-2QoS does not promise freedom from deadlock round a failed switch: it needs 4 data VLs, the "
          "fabric operates {}",
          options_.max_vls));
    routes_.vls = std::min(needed, in_use);
    routes_.sl2vl = torus_sl2vl(grid_, in_use);
  }

  const Topology& topology_;
  const TorusGrid& grid_;
  const Torus2QosOptions& options_;
  std::vector<std::vector<LidOwner>> ends_;
  Routes routes_;
};

void check_port_order(const Topology& topology, const std::vector<std::uint8_t>& order) {
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.kind != NodeKind::switch_) continue;
    const auto beyond = std::ranges::find_if(order, [&](std::uint8_t p) { return p > node.ports.size(); });
    if (beyond != order.end())
      throw Refusal(kEngine, fmt::format("port_order names port {}; {} has {}", *beyond,
                                         topology.display_name(n), node.ports.size()));
  }
}

Routes routes_of(const Topology& topology, PlacedTorus placed, const Torus2QosOptions& options) {
  Routes routes = Torus2Qos(topology, placed.grid, options).build();
  routes.warnings.insert(routes.warnings.begin(), placed.warnings.begin(), placed.warnings.end());
  return routes;
}

Routes described(const Topology& topology, const TorusConfig& config, Torus2QosOptions options) {
  check_port_order(topology, config.port_order);
  options.port_order = config.port_order;
  options.group_ports = config.group_ports;
  return routes_of(topology, place_by_seeds(topology, SwitchGraph(topology), config), options);
}

Routes generated(const Topology& topology, const Torus2QosOptions& options) {
  const TorusConfig config = config_of_grid(topology);
  return routes_of(topology, place_by_grid(topology, SwitchGraph(topology), config), options);
}

class Torus2QosEngine final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.least_hops = false, .deadlock_free = true}; }
  void describe_engine(Describe& d) override {
    d.field("config", config_,
            "torus-2QoS.conf of OpenSM: the size of the torus and seeds that show how it lies in the fabric. "
            "Left "
            "out: as a generated torus knows itself.");
    d.field(
         "qos_level", qos_level_,
         "The level of quality of service of all paths: 0 takes VLs 0 to 3 between switches, 1 takes 4 to 7.")
        .range(0, 1);
  }

  Routes route(const Topology& topology, const RoutingContext& context) const override {
    Torus2QosOptions options;
    options.max_vls = context.max_vls;
    options.second_level = qos_level_ == 1;
    if (!config_) return generated(topology, options);
    return described(topology, read_torus_config(TextFile::load(context.path_of(*config_), kMaxConfigBytes)),
                     options);
  }

 private:
  std::optional<std::string> config_;
  std::uint32_t qos_level_ = 0;
};

}  // namespace

Routes torus_2qos_routes(const Topology& topology, const TorusGrid& grid, const Torus2QosOptions& options) {
  return Torus2Qos(topology, grid, options).build();
}

Routes torus_2qos_routes(const Topology& topology, const TorusConfig& config, unsigned max_vls) {
  Torus2QosOptions options;
  options.max_vls = max_vls;
  return described(topology, config, options);
}

Routes torus_2qos_routes(const Topology& topology, unsigned max_vls) {
  Torus2QosOptions options;
  options.max_vls = max_vls;
  return generated(topology, options);
}

std::unique_ptr<RoutingEngine> make_torus_2qos() { return std::make_unique<Torus2QosEngine>(); }

}  // namespace weft
