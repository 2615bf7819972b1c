#include "models/routing/minhop.h"

#include <map>

#include "models/routing/validate.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Two leaves of unlike GUID order and three spines, two of them in one chassis, with parallel cables to one
/// of them.
Topology recorded_fabric(std::uint8_t lmc) {
  Topology t;
  const auto add = [&](const char* name, Guid guid, Guid system) {
    const NodeIndex node = t.add_node(NodeKind::switch_, name, 8);
    t.nodes[node].guid = guid;
    t.nodes[node].system_guid = system;
  };
  add("A", 0x0200000000000201, 0x0200000000000201);
  add("B", 0x0200000000000102, 0x0200000000000102);
  add("s0", 0x0200000000001003, 0x0200000000001003);
  add("s1", 0x0200000000002002, 0x02000000000f0000);
  add("s2", 0x0200000000003001, 0x02000000000f0000);
  for (unsigned i = 0; i < 3; ++i) add_host(t, fmt::format("a{}", i), 0, i + 1);
  for (unsigned i = 0; i < 3; ++i) add_host(t, fmt::format("b{}", i), 1, i + 1);
  cable(t, 0, 4, 2, 1);
  cable(t, 0, 5, 3, 1);
  cable(t, 0, 6, 4, 1);
  cable(t, 0, 7, 2, 2);
  cable(t, 1, 4, 4, 2);
  cable(t, 1, 5, 2, 3);
  cable(t, 1, 6, 3, 2);
  cable(t, 1, 7, 2, 4);
  return addressed(std::move(t), lmc);
}

/// The ports `sw` uses for every LID of every node, "1111 2222 ...".
std::string ports_of(const Topology& t, const Routes& routes, const std::string& sw) {
  std::string text;
  for (const char* name : {"a0", "a1", "a2", "b0", "b1", "b2", "A", "B", "s0", "s1", "s2"}) {
    if (!text.empty()) text += ' ';
    const Node& node = t.nodes[t.find(name)];
    const unsigned lids = node.kind == NodeKind::switch_ ? 1 : 1u << node.port(1).lmc;
    for (unsigned bit = 0; bit < lids; ++bit) {
      text += std::to_string(routes.lft[t.find(sw)][lid_of(t, name) + bit]);
    }
  }
  return text;
}

}  // namespace

// The tables OpenSM 3.3.23 (`opensm -R minhop -l LMC` over ibsim) loaded into recorded_fabric.
TEST_CASE("minhop gives OpenSM's tables, LMC included") {
  using Tables = std::map<std::string, std::string>;
  const std::map<std::uint8_t, Tables> recorded = {
      {0,
       {{"A", "1 2 3 4 5 6 0 7 7 5 6"},
        {"B", "4 5 6 1 2 3 7 0 7 6 4"},
        {"s0", "1 2 1 3 4 3 2 4 0 2 2"},
        {"s1", "1 1 1 2 2 2 1 2 1 0 1"},
        {"s2", "1 1 1 2 2 2 1 2 1 1 0"}}},
      {2,
       {{"A", "1111 2222 3333 4564 5767 6754 0 7 7 5 6"},
        {"B", "4765 5645 6747 1111 2222 3333 7 0 7 6 4"},
        {"s0", "1212 2121 1212 3434 4343 3434 2 4 0 2 2"},
        {"s1", "1111 1111 1111 2222 2222 2222 1 2 1 0 1"},
        {"s2", "1111 1111 1111 2222 2222 2222 1 2 1 1 0"}}},
      {3,
       {{"A", "11111111 22222222 33333333 45645476 57676547 67547654 0 7 7 5 6"},
        {"B", "47656574 56457456 67474675 11111111 22222222 33333333 7 0 7 6 4"},
        {"s0", "12121212 21212121 12121212 34343434 43434343 34343434 2 4 0 2 2"},
        {"s1", "11111111 11111111 11111111 22222222 22222222 22222222 1 2 1 0 1"},
        {"s2", "11111111 11111111 11111111 22222222 22222222 22222222 1 2 1 1 0"}}},
  };
  for (const auto& [lmc, tables] : recorded) {
    const Topology t = recorded_fabric(lmc);
    const Routes routes = minhop_routes(t);
    for (const auto& [sw, ports] : tables) {
      CAPTURE(int{lmc}, sw);
      CHECK(ports_of(t, routes, sw) == ports);
    }
  }
}

TEST_CASE("minhop spreads a two-level tree evenly") {
  const Topology t = two_level(4, 4, 4);
  const RouteReport report = check_routes(t, minhop_routes(t));
  CHECK(report.reached == 16 * 15);
  CHECK(report.pairs_by_hops == std::map<unsigned, std::uint64_t>{{1, 48}, {3, 192}});
  CHECK(report.subscription.front().flows == 12);
  CHECK(report.subscription.back().flows == 12);
}

TEST_CASE("minhop leaves out what cannot be reached") {
  Topology t = two_level(2, 1, 2);
  unplug(t, t.find("leaf1"), 3);
  const Routes routes = minhop_routes(t);
  CHECK(out_port(t, routes, "leaf0", "h1") == 2);
  CHECK(out_port(t, routes, "leaf0", "h2") == kNoPort);
  CHECK(out_port(t, routes, "spine0", "h2") == kNoPort);
  CHECK(out_port(t, routes, "leaf1", "leaf1") == 0);
  const RouteReport report = check_routes(t, routes);
  CHECK(report.pairs == 12);
  CHECK(report.reached == 4);
}

TEST_CASE("minhop takes odd fabrics") {
  SECTION("no switch at all") {
    Topology t;
    t.add_node(NodeKind::hca, "h0", 1);
    t.add_node(NodeKind::hca, "h1", 1);
    cable(t, 0, 1, 1, 1);
    t = addressed(std::move(t));
    CHECK(minhop_routes(t).lft == ForwardingTables(t));
    CHECK(minhop_routes(t).lft[1].empty());
    CHECK(check_routes(t, minhop_routes(t)).pairs_by_hops == std::map<unsigned, std::uint64_t>{{0, 2}});
  }
  SECTION("a switch cabled to itself") {
    Topology t;
    t.add_node(NodeKind::switch_, "sw", 4);
    cable(t, 0, 3, 0, 4);
    add_host(t, "h0", 0, 1);
    add_host(t, "h1", 0, 2);
    t = addressed(std::move(t));
    const Routes routes = minhop_routes(t);
    CHECK(out_port(t, routes, "sw", "h0") == 1);
    CHECK(out_port(t, routes, "sw", "sw") == 0);
  }
  SECTION("nothing") { CHECK(minhop_routes(Topology{}).lft.empty()); }
}
