#include "models/routing/minhop.h"

#include "models/routing/least_hops.h"
#include "models/routing/routing_engine_rows.h"

namespace weft {
namespace {

class MinHop final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.any_fabric = true}; }
  Routes route(const Topology& topology, const RoutingContext& context) const override {
    std::vector<std::string> warnings;
    Routes routes = minhop_routes(topology, balance_.rules(topology, context, warnings));
    routes.warnings = std::move(warnings);
    return routes;
  }

 private:
  void describe_engine(Describe& d) override { balance_.describe(d); }

  BalanceKeys balance_;
};

}  // namespace

Routes minhop_routes(const Topology& topology, const BalanceRules& rules) {
  Routes routes;
  routes.engine = "minhop";
  const SwitchGraph graph(topology);
  LeastHops least_hops(graph);
  routes.lft = balance_hops(topology, graph, least_hops, rules);
  return routes;
}

std::unique_ptr<RoutingEngine> make_minhop() { return std::make_unique<MinHop>(); }

}  // namespace weft
