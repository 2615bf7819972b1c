#include <map>
#include <set>

#include "models/routing/channel_graph.h"
#include "models/routing/sssp.h"
#include "models/routing/validate.h"
#include "models/routing/virtual_layers.h"
#include "sim/config.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Engine : Configurable {
  std::unique_ptr<RoutingEngine> engine;
  void describe(Describe& d) override { d.choice("routing", engine, routing_engines(), "engine", ""); }
};

Routes dfsssp(const Topology& t, const std::string& keys = "", unsigned lanes = 8) {
  Engine read;
  read_config(Document::parse("routing: {engine: dfsssp" + keys + "}\n", "(test)"), read);
  return read.engine->build(t, {"", lanes});
}

std::map<unsigned, std::uint64_t> paths_by_layer(const LayeredPaths& layered) {
  std::map<unsigned, std::uint64_t> paths;
  for (const LayeredPath& path : layered.paths) paths[path.layer] += path.weight;
  return paths;
}

}  // namespace

TEST_CASE("sssp spreads destinations over parallel ways evenly") {
  const Topology t = two_level(4, 4, 4);  // 12 hosts elsewhere over 4 ways up: 3 on each, at every leaf
  const Routes routes = sssp_routes(t);
  const RouteReport report = check_routes(t, routes);
  CHECK(report.reached == report.pairs);
  REQUIRE(report.subscription.size() == 32);
  CHECK(report.subscription.front().flows == 12);
  CHECK(report.subscription.back().flows == 12);
}

TEST_CASE("no detour is ever lighter than a way of fewer hops") {
  // Sixteen hosts on one switch and one on the other: the single cable between them beats two hops round.
  Topology t;
  for (int i = 0; i < 3; ++i) t.add_node(NodeKind::switch_, fmt::format("sw{}", i), 20);
  cable(t, 0, 18, 1, 18);
  cable(t, 0, 19, 2, 19);
  cable(t, 1, 20, 2, 20);
  for (unsigned i = 0; i < 16; ++i) add_host(t, fmt::format("h{}", i), 0, i + 1);
  add_host(t, "far", 1, 1);
  t = addressed(std::move(t));
  const Routes routes = sssp_routes(t);
  for (unsigned i = 0; i < 16; ++i) CHECK(out_port(t, routes, "sw1", fmt::format("h{}", i)) == 18);
}

TEST_CASE("a ring needs two layers, and the second lane breaks the circle") {
  const Topology t = ring(5);
  const LayeredPaths layered = layer_paths(t, sssp_routes(t).lft, 8);
  CHECK(layered.free_of_circles);
  CHECK(layered.layers == 2);
  const Routes routes = dfsssp(t, ", balance: no");
  CHECK(routes.vls == 2);
  CHECK(routes.path_sls.highest() == 1);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
  CHECK_FALSE(find_credit_loop(t, routes, Ends::traffic_only, {0}, {}).free_of_loops());
  CHECK(routes.lft == sssp_routes(t).lft);
}

TEST_CASE("lanes to spare are shared out, and none of them has a circle") {
  for (const unsigned lanes : {2u, 3u, 4u, 8u, 15u}) {
    CAPTURE(lanes);
    const Topology t = ring(6);
    const Routes routes = dfsssp(t, "", lanes);
    CHECK(routes.vls == lanes);
    CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
    std::set<std::uint8_t> used;
    for (const Endpoint& from : t.endpoints())
      for (const Endpoint& to : t.endpoints())
        used.insert(routes.path_sls.sl(home_of(t, from.where), t.nodes[to.where.node].port(1).lid));
    CHECK(used.size() == lanes);
  }
}

TEST_CASE("too few lanes are refused") {
  CHECK_THROWS_WITH(dfsssp(ring(5), "", 1), ContainsSubstring("more than 1 virtual lane would be needed"));
  CHECK_THROWS_AS(dfsssp(ring(5), ", max_vls: 1"), Refusal);
  CHECK(dfsssp(two_level(4, 2, 2), "", 1).vls == 1);  // trees have no circle
}

TEST_CASE("a path goes to one layer, and counts for every adapter of its source switch") {
  const Topology t = torus(3);
  const LayeredPaths layered = layer_paths(t, sssp_routes(t).lft, 8);
  std::set<std::pair<NodeIndex, Lid>> seen;
  for (const LayeredPath& path : layered.paths) CHECK(seen.emplace(path.source, path.destination).second);
  // 9 switches and 9 adapters as destinations of the 8 other switches' adapters.
  CHECK(layered.paths.size() == 8 * 18);
  std::uint64_t sum = 0;
  for (const auto& [layer, paths] : paths_by_layer(layered)) sum += paths;
  CHECK(sum == 8 * 18);
}

TEST_CASE("each LID of an LMC is routed and layered on its own") {
  const Topology t = addressed(ring(6), 0);
  Topology wide = ring(6);
  for (Node& node : wide.nodes)
    for (Port& port : node.ports) port.lid = 0;
  wide.assign_lids(false, 2);
  const Routes routes = dfsssp(wide);
  const RouteReport report = check_routes(wide, routes);
  CHECK(report.reached == report.pairs);
  CHECK(find_credit_loop(wide, routes, Ends::traffic_only).free_of_loops());
}
