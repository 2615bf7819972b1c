// random: every switch sends every LID by one of its least-hop ports, drawn once.
//
// What static routing is worth without a plan: the baseline that spreads of load are measured against. Each
// entry is drawn by itself, uniformly, from the seed, the switch's place and the LID, so it does not change
// when other parts of the fabric do. On a fat tree the ways go up and then down, and hold no credit loop.
#include "models/routing/least_hops.h"
#include "models/routing/routing_engine_rows.h"
#include "sim/fingerprint.h"

namespace weft {
namespace {

class RandomPorts final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.any_fabric = true}; }
  void describe_engine(Describe& d) override { d.field("seed", seed_, "Of the draws."); }
  Routes route(const Topology& topology, const RoutingContext&) const override {
    Routes routes;
    routes.engine = "random";
    routes.lft = ForwardingTables(topology);
    const SwitchGraph graph(topology);
    const std::vector<LidOwner> owners = lid_owners(topology);
    LeastHops least_hops(graph);
    for (const NodeIndex node : graph.switches()) {
      least_hops.start_from(node);
      Lft row = blank_table(topology.nodes[node], routes.lft.last_lid());
      for (const LidOwner& owner : owners) {
        if (owner.home == kNone) continue;
        const std::vector<std::uint8_t>& ports = least_hops.ports_to(owner.home);
        for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) {
          if (owner.home == node)
            row[lid] = owner.home_port;
          else if (!ports.empty())
            row[lid] = ports[draw(node, lid) % ports.size()];
        }
      }
      routes.lft.set(node, row);
    }
    return routes;
  }

 private:
  std::uint64_t draw(NodeIndex node, Lid lid) const {
    return mix64(mix64(seed_) + (std::uint64_t{node} << 32 | lid));
  }

  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<RoutingEngine> make_random() { return std::make_unique<RandomPorts>(); }

}  // namespace weft
