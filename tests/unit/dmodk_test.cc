#include "models/routing/dmodk.h"

#include "models/routing/channel_graph.h"
#include "models/routing/validate.h"
#include "sim/error.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"
#include "tests/shift_load.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("dmodk on the k-ary tree is the textbook's formula") {
  const unsigned k = 6, h = k / 2;
  const Topology t = k_ary_tree(k);
  const Routes routes = dmodk_routes(t);
  for (unsigned d = 0; d < k * h * h; ++d) {
    const std::string host = fmt::format("h{}", d);
    const unsigned leaf_of_d = d / h, pod_of_d = leaf_of_d / h;
    for (unsigned x = 0; x < k * h; ++x) {
      CAPTURE(d, x);
      CHECK(out_port(t, routes, fmt::format("leaf{}", x), host) == (x == leaf_of_d ? d % h : h + d % h) + 1);
      CHECK(out_port(t, routes, fmt::format("agg{}", x), host) ==
            (x / h == pod_of_d ? leaf_of_d % h : h + d / h % h) + 1);
    }
    for (unsigned x = 0; x < h * h; ++x)
      CHECK(out_port(t, routes, fmt::format("core{}", x), host) == pod_of_d + 1);
  }
}

TEST_CASE("dmodk runs every shift without contention") {
  for (const Topology& t : {two_level(8, 4, 4), k_ary_tree(4), two_level(16, 8, 8), two_level(8, 2, 8, 4)}) {
    const Routes routes = dmodk_routes(t);
    const std::size_t ends = t.endpoints().size();
    for (std::size_t shift = 1; shift < ends; ++shift) {
      CAPTURE(ends, shift);
      REQUIRE(worst_load(t, routes, shift) == 1);
    }
  }
}

TEST_CASE("dmodk uses parallel cables alike, up and down") {
  const Topology t = two_level(4, 2, 8, 4);
  const RouteReport report = check_routes(t, dmodk_routes(t));
  CHECK(report.reached == report.pairs);
  CHECK(report.subscription.front().flows == 24);
  CHECK(report.subscription.back().flows == 24);
}

TEST_CASE("dmodk stays at least hops when cables are missing") {
  Topology t = k_ary_tree(4);
  unplug(t, t.find("leaf0"), 3);
  unplug(t, t.find("agg5"), 4);
  const RouteReport report = check_routes(t, dmodk_routes(t));
  CHECK(report.broken.empty());
  CHECK(report.pairs_by_hops == std::map<unsigned, std::uint64_t>{{1, 16}, {3, 32}, {5, 192}});
  CHECK(find_credit_loop(t, dmodk_routes(t), Ends::traffic_only).free_of_loops());
}

TEST_CASE("dmodk routes switches, path bits and whatever hangs on a spine") {
  Topology t = two_level(3, 3, 2);
  Node& spine = t.nodes[t.find("spine1")];
  spine.ports.emplace_back();
  t.add_node(NodeKind::aggregation_node, "an1", 1);
  cable(t, t.find("spine1"), 4, t.find("an1"), 1);
  for (Node& node : t.nodes) {
    node.lid = 0;
    for (Port& port : node.ports) port.lid = 0;
  }
  t = addressed(std::move(t), 1);
  const Routes routes = dmodk_routes(t);
  CHECK(out_port(t, routes, "spine1", "an1") == 4);
  CHECK(out_port(t, routes, "leaf2", "an1") == 4);
  CHECK(out_port(t, routes, "spine1", "leaf2") == 3);
  CHECK(out_port(t, routes, "spine0", "spine1") != kNoPort);
  const Lid h5 = lid_of(t, "h5");
  CHECK(routes.lft[t.find("leaf0")][h5] == routes.lft[t.find("leaf0")][h5 + 1]);
}

TEST_CASE("dmodk refuses what it cannot route") {
  SECTION("no tree") {
    CHECK_THROWS_WITH(dmodk_routes(ring(4)), ContainsSubstring("it routes generated fat trees only"));
  }
  SECTION("leaves that only meet by going down first") {
    Topology t = two_level(3, 2, 1);  // leaf0 - spine0 - leaf1 - spine1 - leaf2
    unplug(t, t.find("leaf0"), 3);
    unplug(t, t.find("leaf2"), 2);
    CHECK_THROWS_WITH(dmodk_routes(t), ContainsSubstring("no way up and then down from leaf2 to leaf0"));
  }
  SECTION("a switch of no level") {
    Topology t = two_level(2, 1, 1);
    t.nodes[t.find("spine0")].level = -1;
    CHECK_THROWS_WITH(dmodk_routes(t), ContainsSubstring("spine0 has none"));
  }
}
