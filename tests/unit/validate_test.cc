#include "models/routing/validate.h"

#include "models/routing/minhop.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

void send(const Topology& t, Routes& routes, const std::string& sw, const std::string& destination,
          unsigned port) {
  routes.lft.set(t.find(sw), lid_of(t, destination), static_cast<std::uint8_t>(port));
}

}  // namespace

TEST_CASE("a chain counts switches and flows as they pass") {
  Topology t;
  for (unsigned i = 0; i < 3; ++i) t.add_node(NodeKind::switch_, fmt::format("sw{}", i), 4);
  cable(t, 0, 4, 1, 3);
  cable(t, 1, 4, 2, 3);
  add_host(t, "h0", 0, 1);
  add_host(t, "h1", 0, 2);
  add_host(t, "h2", 1, 1);
  add_host(t, "h3", 2, 1);
  t = addressed(std::move(t));
  const RouteReport report = check_routes(t, minhop_routes(t));
  CHECK(report.pairs == 12);
  CHECK(report.reached == 12);
  CHECK(report.broken.empty());
  CHECK(report.pairs_by_hops == std::map<unsigned, std::uint64_t>{{1, 2}, {2, 6}, {3, 4}});
  REQUIRE(report.subscription.size() == 4);
  // {h0, h1} x {h2, h3} both ways over the first cable; {h0, h1, h2} x {h3} over the second.
  CHECK(report.subscription[0].port == PortRef{0, 4});
  CHECK(report.subscription[0].flows == 4);
  CHECK(report.subscription[1].port == PortRef{1, 3});
  CHECK(report.subscription[1].flows == 4);
  CHECK(report.subscription[2].flows == 3);
  CHECK(report.subscription[3].flows == 3);
}

TEST_CASE("broken paths say where and why") {
  Topology t = two_level(2, 2, 2);
  Routes routes = minhop_routes(t);
  std::string reason;
  std::size_t ports = 1;  // h2 -> h0: out of h2
  SECTION("no entry") {
    send(t, routes, "leaf1", "h0", kNoPort);
    reason = fmt::format("leaf1 has no entry for LID {}", lid_of(t, "h0"));
  }
  SECTION("no cable") {
    unplug(t, t.find("leaf1"), 4);
    routes = minhop_routes(t);
    send(t, routes, "leaf1", "h0", 4);
    reason = "leaf1[4] has no cable";
  }
  SECTION("no such port") {
    send(t, routes, "leaf1", "h0", 99);
    reason = "leaf1 has no port 99";
  }
  SECTION("kept by a switch") {
    send(t, routes, "leaf1", "h0", 0);
    reason = fmt::format("leaf1 takes LID {} for its own (port 0)", lid_of(t, "h0"));
  }
  SECTION("given to another adapter") {
    send(t, routes, "leaf1", "h0", 2);
    reason = "ends at h3[1], which is not the destination";
    ports = 2;
  }
  SECTION("a loop") {
    send(t, routes, "spine0", "h0", 2);
    send(t, routes, "leaf1", "h0", 3);
    reason = "loops at leaf1";
    ports = 3;
  }
  const RouteReport report = check_routes(t, routes);
  CHECK(report.pairs == 12);
  CHECK(report.reached == 10);
  REQUIRE(report.broken.size() == 2);
  CHECK(report.broken[0].reason == reason);
  CHECK(report.broken[0].source.where.node == t.find("h2"));
  CHECK(report.broken[0].destination.where.node == t.find("h0"));
  CHECK(report.broken[0].ports.size() == ports);
  CHECK(report.broken[1].source.where.node == t.find("h3"));
}

TEST_CASE("a destination without a LID fails for every source, and 20 broken paths are kept") {
  Topology t = two_level(2, 1, 20);
  t.nodes[t.find("h7")].port(1).lid = 0;
  const RouteReport report = check_routes(t, minhop_routes(t));
  CHECK(report.pairs == 40 * 39);
  CHECK(report.reached == 40 * 39 - 39);
  REQUIRE(report.broken.size() == 20);
  CHECK(report.broken[0].reason == "h7[1] has no LID");
}

TEST_CASE("each path bit of an LMC is a pair of its own") {
  Topology t = two_level(2, 2, 1);
  for (Node& node : t.nodes) {
    node.lid = 0;
    for (Port& port : node.ports) port.lid = 0;
  }
  t = addressed(std::move(t), 1);
  const RouteReport report = check_routes(t, minhop_routes(t));
  CHECK(report.pairs == 4);
  CHECK(report.reached == 4);
  CHECK(report.subscription.back().flows == 1);  // the two LIDs of a host take different spines
}

TEST_CASE("aggregation nodes are no traffic ends") {
  Topology t = two_level(2, 1, 2);
  t.nodes[t.find("h3")].kind = NodeKind::aggregation_node;
  CHECK(check_routes(t, minhop_routes(t)).pairs == 6);
}

TEST_CASE("planes are no broken pairs, a cut within a rail is") {
  Topology t;
  for (const char* name : {"plane0", "plane1"}) t.add_node(NodeKind::switch_, name, 4);
  for (unsigned h = 0; h < 3; ++h) {
    t.hosts.push_back(fmt::format("h{}", h));
    for (unsigned rail = 0; rail < 2; ++rail) {
      const NodeIndex adapter = t.add_node(NodeKind::hca, fmt::format("h{} mlx5_{}", h, rail), 1);
      t.nodes[adapter].host = h;
      t.nodes[adapter].rail = rail;
      cable(t, adapter, 1, rail, h + 1);
    }
  }
  t = addressed(std::move(t));
  RouteReport report = check_routes(t, minhop_routes(t));
  CHECK(report.pairs == 12);
  CHECK(report.reached == 12);
  CHECK(report.across_planes == 18);
  CHECK(report.broken.empty());

  t.nodes[t.find("h0 mlx5_1")].rail = 0;  // now rail 0 is in two parts
  report = check_routes(t, minhop_routes(t));
  CHECK(report.pairs == 18);
  CHECK(report.reached == 12);
  CHECK(report.across_planes == 12);
  REQUIRE(report.broken.size() == 6);
  CHECK_THAT(report.broken[0].reason, ContainsSubstring("has no entry for LID"));
}
