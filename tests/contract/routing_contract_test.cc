// Every routing engine on every generated topology: what no engine may get wrong.
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/channel_graph.h"
#include "models/routing/switch_graph.h"
#include "models/routing/validate.h"
#include "models/topology/fat_tree.h"
#include "sim/error.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"
#include "tests/topology_examples.h"

using namespace weft;
using namespace weft::test;

namespace {

Topology fat_tree(const std::function<void(FatTree&)>& shape) {
  FatTree builder;
  builder.radix = 8;
  shape(builder);
  BuildContext context;
  context.switch_shape = [](const std::string&) { return BuildContext::SwitchShape{}; };
  return addressed(builder.build(context));
}

std::vector<std::pair<std::string, Topology>> topologies() {
  std::vector<std::pair<std::string, Topology>> all;
  all.emplace_back("one leaf", two_level(1, 1, 4));
  all.emplace_back("two levels", two_level(8, 4, 4));
  all.emplace_back("tapered", two_level(6, 2, 6));
  all.emplace_back("parallel cables", two_level(4, 2, 8, 4));
  all.emplace_back("three levels", k_ary_tree(8));
  all.emplace_back("filled in part", fat_tree([](FatTree& f) { f.hosts = 13; }));
  all.emplace_back("three levels in part", fat_tree([](FatTree& f) { f.hosts = 75, f.levels = 3; }));
  all.emplace_back("four levels", fat_tree([](FatTree& f) { f.hosts = 27, f.levels = 4, f.radix = 4; }));
  all.emplace_back("tapered in part", fat_tree([](FatTree& f) { f.hosts = 21, f.taper = Ratio{1, 3}; }));
  all.emplace_back("rails", fat_tree([](FatTree& f) { f.hosts = 14, f.rails = 4, f.levels = 3; }));
  all.emplace_back(
      "planes", fat_tree([](FatTree& f) { f.hosts = 14, f.rails = 3, f.rail_layout = RailLayout::planes; }));
  all.emplace_back("ring", ring(7));
  all.emplace_back("torus", torus(4));
  for (const Choice<TopologyBuilder>& row : topology_builders())  // and every kind there is
    all.emplace_back(row.name, addressed(example_topology(row)));
  return all;
}

/// Pairs by switches on a shortest path, from the cabling alone.
std::map<unsigned, std::uint64_t> least_hops(const Topology& t) {
  const SwitchGraph graph(t);
  std::map<unsigned, std::uint64_t> pairs;
  const std::vector<Endpoint> ends = t.endpoints();
  for (const Endpoint& to : ends) {
    const auto distance = graph.distances(t.nodes[to.where.node].port(to.where.port).peer_node);
    for (const Endpoint& from : ends) {
      if (from.where == to.where) continue;
      const NodeIndex home = t.nodes[from.where.node].port(from.where.port).peer_node;
      if (distance[home] != SwitchGraph::kUnreached) ++pairs[distance[home] + 1];
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("every engine says what it is") {
  for (const Choice<RoutingEngine>& row : routing_engines()) {
    CAPTURE(row.name);
    CHECK(row.summary.size() > 100);
    CHECK(row.make() != nullptr);
  }
}

TEST_CASE("every engine reaches every pair by least hops, or refuses with a reason") {
  std::size_t routed = 0;
  for (const Choice<RoutingEngine>& row : routing_engines()) {
    if (row.name == "file") continue;  // needs a file; its own contract is in unit/lft_file_test.cc
    for (const auto& [name, topology] : topologies()) {
      CAPTURE(row.name, name);
      Routes routes;
      try {
        routes = row.make()->build(topology, RoutingContext{});
      } catch (const BadValue& refusal) {
        CHECK((!topology.tree.has_value() || row.name == "torus-2QoS"));  // which takes tori alone
        CHECK_FALSE(std::string(refusal.what()).empty());
        continue;
      }
      ++routed;
      CHECK(routes.engine == row.name);
      REQUIRE(routes.lft.size() == topology.nodes.size());
      const RouteReport report = check_routes(topology, routes);
      CHECK(report.broken.empty());
      CHECK(report.reached == report.pairs);
      CHECK(report.pairs_by_hops == least_hops(topology));
      std::uint64_t flows = 0, inner_hops = 0;
      for (const auto& link : report.subscription) flows += link.flows;
      for (const auto& [hops, pairs] : report.pairs_by_hops) inner_hops += (hops - 1) * pairs;
      CHECK(flows == inner_hops);
      CHECK(row.make()->build(topology, RoutingContext{}).lft == routes.lft);
      if (topology.tree) CHECK(find_credit_loop(topology, routes, Ends::traffic_only).free_of_loops());
      const SwitchGraph graph(topology);
      for (const NodeIndex n : graph.switches()) {  // switches reach each other too
        CHECK(routes.lft[n][topology.nodes[n].lid] == 0);
        const auto distance = graph.distances(n);
        for (const NodeIndex other : graph.switches()) {
          const bool cabled = distance[other] != SwitchGraph::kUnreached;
          CHECK((routes.lft[n][topology.nodes[other].lid] != kNoPort) == cabled);
        }
      }
    }
  }
  CHECK(routed == 86);  // minhop, sssp and dfsssp take all 21; dmodk, ftree and torus-2QoS their own kinds
}
