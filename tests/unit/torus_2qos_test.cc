#include "models/routing/torus_2qos/torus_2qos.h"

#include <map>

#include "models/routing/channel_graph.h"
#include "models/routing/minhop.h"
#include "models/routing/torus_2qos/of_grid.h"
#include "models/routing/validate.h"
#include "sim/config.h"
#include "sim/error.h"
#include "tests/catch.h"
#include "tests/temp_folder.h"
#include "tests/torus_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Names of the switches from the one of `from` to the one of `to`, hosts.
std::vector<std::string> path(const Topology& t, const Routes& routes, const std::string& from,
                              const std::string& to) {
  std::vector<std::string> names;
  const NodeIndex end = t.find(to);
  for (NodeIndex at = t.nodes[t.find(from)].port(1).peer_node; at != end && names.size() < 50;) {
    names.push_back(t.nodes[at].name);
    at = t.nodes[at].port(routes.lft[at][lid_of(t, to)]).peer_node;
  }
  return names;
}

unsigned sl(const Topology& t, const Routes& routes, const std::string& from_switch, const std::string& to) {
  return routes.path_sls.sl(t.find(from_switch), lid_of(t, to));
}

std::uint8_t port_to(const Topology& t, const std::string& from, const std::string& to) {
  const Node& node = t.nodes[t.find(from)];
  for (std::uint8_t port = 1; port <= node.ports.size(); ++port)
    if (node.port(port).peer_node == t.find(to)) return port;
  return 0;
}

/// The lane of a packet that came to `at` from `before` and goes on to `next`.
unsigned vl(const Topology& t, const Routes& routes, const std::string& before, const std::string& at,
            const std::string& next, unsigned sl) {
  return routes.sl2vl->vl(t.find(at), port_to(t, at, before), port_to(t, at, next),
                          static_cast<std::uint8_t>(sl));
}

void check_sound(const Topology& t, const Routes& routes) {
  const RouteReport report = check_routes(t, routes);
  CHECK(report.broken.empty());
  CHECK(report.reached == report.pairs);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
}

std::string refusal(const Topology& t, unsigned max_vls = 8) {
  try {
    torus_2qos_routes(t, max_vls);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a ring, which least hops deadlock, is free of loops on two lanes") {
  for (const unsigned size : {3u, 4u, 5u, 8u, 9u}) {
    const Topology t = grid({{size}, {}, 2});
    CAPTURE(size);
    CHECK(find_credit_loop(t, minhop_routes(t), Ends::traffic_only).free_of_loops() == (size == 3));
    const Routes routes = torus_2qos_routes(t);
    check_sound(t, routes);
    CHECK(routes.engine == "torus-2QoS");
    CHECK(routes.vls == 2);
    CHECK(routes.warnings.empty());
    CHECK(check_routes(t, routes).pairs_by_hops == check_routes(t, minhop_routes(t)).pairs_by_hops);
  }
}

TEST_CASE("tori and meshes are routed by least hops, free of loops on two lanes") {
  for (const GridShape& shape : std::vector<GridShape>{{{5, 5}},
                                                       {{4, 4, 4}},
                                                       {{2, 3, 4}, {}, 2},
                                                       {{4, 1, 5}, {}, 1, 2},
                                                       {{5, 4, 3}, {true, false, true}},
                                                       {{1, 3, 1, 1, 4}},
                                                       {{1}, {}, 3},
                                                       {{2, 1}, {}, 3, 2}}) {
    const Topology t = grid(shape);
    CAPTURE(t.nodes[0].name, t.nodes.size());
    const Routes routes = torus_2qos_routes(t);
    check_sound(t, routes);
    CHECK(routes.vls == 2);
    CHECK(check_routes(t, routes).pairs_by_hops == check_routes(t, minhop_routes(t)).pairs_by_hops);
    if (shape.size.size() > kTorusDimensions) continue;
    const TorusConfig config = config_of_grid(t);
    if (config.seeds.empty()) continue;
    const Routes described = torus_2qos_routes(t, config);
    CHECK(described.lft == routes.lft);
    CHECK(described.path_sls == routes.path_sls);
  }
}

TEST_CASE("the way is along x, then y, then z, over the dateline where that is shorter") {
  const Topology t = grid({{6, 5, 4}});
  const Routes routes = torus_2qos_routes(t);
  CHECK(path(t, routes, "h1.1.0.0", "h3.2.1.0") == Names{"1.1.0", "2.1.0", "3.1.0", "3.2.0", "3.2.1"});
  CHECK(path(t, routes, "h5.0.0.0", "h1.4.0.0") == Names{"5.0.0", "0.0.0", "1.0.0", "1.4.0"});
  // Of two ways as long as each other the one without the dateline.
  CHECK(path(t, routes, "h4.0.0.0", "h1.0.0.0") == Names{"4.0.0", "3.0.0", "2.0.0", "1.0.0"});
  CHECK(sl(t, routes, "4.0.0", "h1.0.0.0") == 0);
  CHECK(sl(t, routes, "5.0.0", "h1.0.0.0") == 1);
  CHECK(sl(t, routes, "5.0.0", "h1.4.0.0") == 3);
  CHECK(sl(t, routes, "0.0.3", "h0.3.0.0") == 6);
  CHECK(sl(t, routes, "0.0.3", "0.3.0") == 6);  // a switch is a destination too
  CHECK(sl(t, routes, "0.0.0", "h0.0.0.0") == 0);
}

TEST_CASE("lanes tell datelines, turns against the order, and the level of service") {
  const Topology t = grid({{3, 3, 3}});
  const Routes routes = torus_2qos_routes(t);
  for (unsigned sl = 0; sl < 16; ++sl) {
    CAPTURE(sl);
    const unsigned level = sl / 8, x = sl & 1, y = sl >> 1 & 1, z = sl >> 2 & 1;
    CHECK(vl(t, routes, "0.0.0", "1.0.0", "2.0.0", sl) == 4 * level + x);
    CHECK(vl(t, routes, "0.0.0", "1.0.0", "1.1.0", sl) == 4 * level + y);
    CHECK(vl(t, routes, "0.0.0", "1.0.0", "1.0.2", sl) == 4 * level + z);
    CHECK(vl(t, routes, "1.1.0", "1.0.0", "2.0.0", sl) == 4 * level + 2 + x);
    CHECK(vl(t, routes, "1.0.1", "1.0.0", "1.1.0", sl) == 4 * level + 2 + y);
    CHECK(vl(t, routes, "h1.0.0.0", "1.0.0", "1.1.0", sl) == 4 * level + y);
    CHECK(vl(t, routes, "1.1.0", "1.0.0", "h1.0.0.0", sl) == level);
    CHECK(routes.sl2vl->vl(t.find("h1.0.0.0"), 0, 1, static_cast<std::uint8_t>(sl)) == level);
  }
  const Routes on_four = torus_2qos_routes(t, 4), on_two = torus_2qos_routes(t, 2);
  CHECK(vl(t, on_four, "1.1.0", "1.0.0", "2.0.0", 9) == 3);
  CHECK(vl(t, on_two, "1.1.0", "1.0.0", "2.0.0", 9) == 1);
  CHECK(on_two.vls == 2);
  CHECK(on_two.lft == routes.lft);
}

TEST_CASE("a ring that is cut is gone round the other way, on the same service level") {
  Topology t = grid({{6, 5}});
  const Routes whole = torus_2qos_routes(t);
  fail_link(t, "1.1", "2.1");
  fail_link(t, "0.4", "0.0");
  const Routes cut = torus_2qos_routes(t);
  check_sound(t, cut);
  CHECK(cut.vls == 2);
  CHECK(cut.path_sls == whole.path_sls);
  CHECK(path(t, cut, "h1.1.0", "h3.3.0") == Names{"1.1", "0.1", "5.1", "4.1", "3.1", "3.2", "3.3"});
  CHECK(path(t, cut, "h0.0.0", "h0.4.0") == Names{"0.0", "0.1", "0.2", "0.3", "0.4"});
}

TEST_CASE("a failed switch is gone round by a turn early and one against the order, on four lanes") {
  // The example of torus-2QoS(8).
  Topology t = grid({{6, 5}});
  const Routes whole = torus_2qos_routes(t);
  CHECK(path(t, whole, "h1.1.0", "h3.3.0") == Names{"1.1", "2.1", "3.1", "3.2", "3.3"});
  const unsigned before = sl(t, whole, "1.1", "h3.3.0");
  fail_switch(t, "3.1");
  const Routes routes = torus_2qos_routes(t);
  check_sound(t, routes);
  CHECK(routes.vls == 4);
  CHECK(path(t, routes, "h1.1.0", "h3.3.0") == Names{"1.1", "2.1", "2.2", "3.2", "3.3"});
  CHECK(sl(t, routes, "1.1", "h3.3.0") == before);
  CHECK(vl(t, routes, "2.1", "2.2", "3.2", before) == 2);
  CHECK(vl(t, routes, "2.2", "3.2", "3.3", before) == 0);

  const Routes on_two = torus_2qos_routes(t, 2);
  CHECK(on_two.vls == 2);
  REQUIRE(on_two.warnings.size() == 2);  // the switch outside, and
  CHECK_THAT(on_two.warnings[1], ContainsSubstring("needs 4 data VLs, the fabric operates 2"));
}

TEST_CASE("any one switch of a torus may fail, and neighbours along z") {
  const Topology whole = grid({{3, 4, 3}});
  const SwitchGraph graph(whole);
  for (const NodeIndex node : graph.switches()) {
    Topology t = whole;
    CAPTURE(t.nodes[node].name);
    fail_switch(t, t.nodes[node].name);
    check_sound(t, torus_2qos_routes(t));
  }
  Topology t = grid({{3, 3, 5}});
  for (const char* name : {"1.1.4", "1.1.0", "1.1.1"}) fail_switch(t, name);
  check_sound(t, torus_2qos_routes(t));
  Topology ring = grid({{8}});
  fail_switch(ring, "3");
  check_sound(ring, torus_2qos_routes(ring));
}

TEST_CASE("torus-2QoS says what it cannot route") {
  Topology t = grid({{5, 5}});
  CHECK_THAT(refusal(t, 1),
             ContainsSubstring("torus-2QoS refuses this fabric: it needs 2 data VLs; the fabric "
                               "operates 1"));
  fail_link(t, "1.1", "2.1");
  fail_link(t, "3.1", "4.1");
  CHECK_THAT(refusal(t), ContainsSubstring("the ring along x through ("));
  t = grid({{5, 5}, {true, true}});
  fail_link(t, "1.1", "1.2");
  CHECK_THAT(refusal(t), ContainsSubstring("the line along y through (1,0,0) is cut"));
  t = grid({{5, 5, 5}});
  fail_switch(t, "1.1.1");
  fail_switch(t, "2.1.1");
  CHECK_THAT(refusal(t),
             ContainsSubstring("switches are missing apart from each other, one of them at (1,1,1)"));
  t = grid({{5, 5}});
  fail_switch(t, "1.1");
  fail_switch(t, "2.1");
  CHECK_THAT(refusal(t), ContainsSubstring("switches are missing at (1,1,0) and at (2,1,0)"));
  t = grid({{2, 5}});
  fail_switch(t, "0.2");
  CHECK_THAT(refusal(t), ContainsSubstring("no tree for multicast"));
  CHECK_THAT(refusal(ring(5)), ContainsSubstring("name a torus-2QoS.conf in `config`"));
  CHECK_THAT(refusal(grid({{3, 3, 3, 3}})), ContainsSubstring("it has 4 dimensions"));
  t = grid({{5}});
  t.add_node(NodeKind::switch_, "another", 4);
  CHECK_THAT(refusal(t), ContainsSubstring("the grid has 5 places and the fabric 6 switches"));
}

TEST_CASE("parallel cables take turns, in the order of ports that the file gives") {
  const Topology t = grid({{3}, {}, 4, 2});
  TorusConfig config = config_of_grid(t);
  const Routes usual = torus_2qos_routes(t, config);
  const auto ports = [&](const Routes& routes) {
    std::vector<unsigned> taken;
    for (unsigned h = 0; h < 4; ++h) taken.push_back(out_port(t, routes, "0", fmt::format("h1.{}", h)));
    return taken;
  };
  CHECK(ports(usual) == std::vector<unsigned>{5, 6, 5, 6});
  CHECK(out_port(t, usual, "0", "1") == 5);  // switches have a turn of their own
  config.port_order = {2, 3};
  CHECK(ports(torus_2qos_routes(t, config)) == std::vector<unsigned>{5, 5, 6, 6});
  config.port_order = {9};
  CHECK_THROWS_WITH(torus_2qos_routes(t, config), ContainsSubstring("port_order names port 9; 0 has 8"));
  config = config_of_grid(t);
  config.group_ports = 4;
  CHECK_THROWS_WITH(torus_2qos_routes(t, config),
                    ContainsSubstring("0 and its adapters have 5 LIDs, but portgroup_max_ports is 4"));
}

TEST_CASE("all LIDs of a port go one way") {
  const Topology t = grid({{3, 3}, {}, 1, 2, 2});
  const Routes routes = torus_2qos_routes(t);
  check_sound(t, routes);
  const SwitchGraph graph(t);
  for (const LidOwner& owner : lid_owners(t)) {
    for (const NodeIndex node : graph.switches())
      for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid)
        CHECK(routes.lft[node][lid] == routes.lft[node][owner.base]);
  }
}

TEST_CASE("the engine reads its keys") {
  struct Holder : Configurable {
    std::unique_ptr<RoutingEngine> engine;
    void describe(Describe& d) override {
      d.choice("routing", engine, routing_engines(), "engine", "The engine.");
    }
  };
  const TempFolder folder;
  Topology t = grid({{5, 4}});
  folder.write("torus.conf", write_torus_config(config_of_grid(t)));
  const Routes told = torus_2qos_routes(t);
  t.grid.reset();
  const auto build = [&](const std::string& keys, unsigned max_vls) {
    Holder holder;
    read_config(Document::parse("routing: {engine: torus-2QoS" + keys + "}\n", "s.yaml"), holder);
    return holder.engine->build(t, {folder.path(), max_vls});
  };
  const Routes first = build(", config: torus.conf", 8);
  CHECK(first.lft == told.lft);
  CHECK(first.path_sls == told.path_sls);
  const Routes second = build(", config: torus.conf, qos_level: 1", 8);
  CHECK(second.lft == told.lft);
  CHECK(second.vls == 8);
  CHECK(sl(t, second, "4.3", "h0.0.0") == 11);
  check_sound(t, second);
  CHECK_THAT(build(", config: torus.conf, qos_level: 1", 4).warnings.at(0),
             ContainsSubstring("no lanes for the second level of service"));
  CHECK_THROWS_AS(build("", 8), Refusal);
  CHECK_THROWS_AS(build(", config: missing.conf", 8), ConfigError);
  CHECK_THROWS_AS(build(", config: torus.conf, qos_level: 2", 8), ConfigError);
}
