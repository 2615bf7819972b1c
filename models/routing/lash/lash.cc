#include "models/routing/lash/lash.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/routing/lash/lanes.h"
#include "models/routing/lash/mesh.h"
#include "models/routing/lash/ways.h"
#include "models/routing/opensm_order.h"
#include "models/routing/routing_engine_rows.h"
#include "models/routing/switch_graph.h"

namespace weft {
namespace {

class Lash final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.deadlock_free = true}; }
  void describe_engine(Describe& d) override {
    d.field("max_vls", max_vls_, "Virtual lanes it may use, at most, those before start_vl counted in.")
        .range(1, kMaxDataVls)
        .source("fabric.vls, or 8 as most adapters operate");
    d.field("start_vl", options_.start_vl,
            "The first lane it uses: those before stay free of routes, for traffic that is kept apart.")
        .range(0, kMaxDataVls - 1)
        .source("OpenSM lash_start_vl");
    d.field(
         "do_mesh_analysis", options_.do_mesh_analysis,
         "Where the fabric looks like a mesh or torus, go through its dimensions in one order, which takes "
         "fewer lanes. It also spreads paths over parallel cables, of which else the first takes all.")
        .source("OpenSM do_mesh_analysis");
  }

  Routes route(const Topology& topology, const RoutingContext& context) const override {
    LashOptions options = options_;
    options.max_vls = std::min(context.max_vls, max_vls_.value_or(context.max_vls));
    return lash_routes(topology, options);
  }

 private:
  LashOptions options_;
  std::optional<unsigned> max_vls_;
};

/// Who hangs where, by LID: parallel cables are taken in turn in this order.
std::vector<LidOwner> owners_by_lid(const Topology& topology) {
  std::vector<LidOwner> owners = lid_owners(topology);
  std::erase_if(owners, [](const LidOwner& owner) { return owner.home == kNone; });
  std::ranges::sort(owners, {}, &LidOwner::base);
  return owners;
}

}  // namespace

Routes lash_routes(const Topology& topology, const LashOptions& options) {
  if (options.start_vl >= options.max_vls)
    throw Refusal(
        "lash", fmt::format("it is to start at VL {}, and {} lanes are there (start_vl, max_vls, fabric.vls)",
                            options.start_vl, options.max_vls));
  Routes routes;
  routes.engine = "lash";
  routes.lft = ForwardingTables(topology);
  routes.path_sls = PathSls(topology);
  const SwitchGraph graph(topology);
  std::vector<NodeIndex> switches = opensm_switches(topology, graph);
  LashLinks links = lash_links(graph, switches, options.do_mesh_analysis);
  if (options.do_mesh_analysis) {
    const std::vector<NodeIndex> before = switches;
    std::ranges::transform(order_by_mesh(links), switches.begin(),
                           [&](std::uint32_t old) { return before[old]; });
  }
  const LashWays ways(std::move(links));
  const LashLanes lanes(ways, options.max_vls - options.start_vl);
  routes.vls = options.start_vl + lanes.lanes();

  std::vector<std::uint32_t> number_of(topology.nodes.size(), kNone);
  for (std::uint32_t i = 0; i < switches.size(); ++i) number_of[switches[i]] = i;
  const std::vector<LidOwner> owners = owners_by_lid(topology);
  std::vector<std::uint32_t> turn(switches.size());  // by neighbour
  for (std::uint32_t at = 0; at < switches.size(); ++at) {
    Lft row = blank_table(topology.nodes[switches[at]], routes.lft.last_lid());
    std::ranges::fill(turn, 0);
    for (const LidOwner& owner : owners) {
      const std::uint32_t home = number_of[owner.home];
      const auto sl = static_cast<std::uint8_t>(options.start_vl + lanes.lane(at, home));
      for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) {
        if (home == at) {
          row[lid] = owner.home_port;
        } else if (ways.leads(at, home)) {
          const LashLink& link = ways.first_link(at, home);
          row[lid] = link.ports[turn[link.peer]++ % link.ports.size()];
        }
        routes.path_sls.set(switches[at], lid, sl);
      }
    }
    routes.lft.set(switches[at], row);
  }
  return routes;
}

std::unique_ptr<RoutingEngine> make_lash() { return std::make_unique<Lash>(); }

}  // namespace weft
