// dor: dimension-order routing, by port numbers: of the least-hop ports the lowest leads on.
//
// On a lattice whose ports are numbered dimension by dimension (torus and hyperx are) that is dimension
// order, and a mesh or hypercube so routed holds no credit loop; a torus does, at its wraps. Parallel cables
// to the neighbour so chosen share the destinations by count; further LIDs of an LMC take other cables of
// them first. OpenSM 3.3.23: osm_ucast_mgr with its dor rule.
#include "models/routing/hop_balance.h"
#include "models/routing/least_hops.h"
#include "models/routing/routing_engine_rows.h"

namespace weft {
namespace {

class Dor final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.any_fabric = true}; }
  void describe_engine(Describe& d) override { balance_.describe(d); }
  Routes route(const Topology& topology, const RoutingContext& context) const override {
    Routes routes;
    routes.engine = "dor";
    BalanceRules rules = balance_.rules(topology, context, routes.warnings);
    rules.one_neighbour = true;
    const SwitchGraph graph(topology);
    LeastHops least_hops(graph);
    routes.lft = balance_hops(topology, graph, least_hops, rules);
    return routes;
  }

 private:
  BalanceKeys balance_;
};

}  // namespace

std::unique_ptr<RoutingEngine> make_dor() { return std::make_unique<Dor>(); }

}  // namespace weft
