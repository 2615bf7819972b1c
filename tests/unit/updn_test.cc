// updn, dnup, dor and random: what each allows, refuses and promises. Against OpenSM's tables:
// differential/opensm_updn.
#include <map>
#include <set>

#include "models/routing/channel_graph.h"
#include "models/routing/least_hops.h"
#include "models/routing/minhop.h"
#include "models/routing/validate.h"
#include "sim/config.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"
#include "tests/temp_folder.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Engine : Configurable {
  std::unique_ptr<RoutingEngine> engine;
  void describe(Describe& d) override { d.choice("routing", engine, routing_engines(), "engine", ""); }
};

Routes route(const Topology& t, const std::string& keys, const std::string& folder = "") {
  Engine read;
  read_config(Document::parse("routing: {engine: " + keys + "}\n", "(test)"), read);
  return read.engine->build(t, {folder, 8});
}

std::string guid(const Topology& t, const std::string& node) {
  return fmt::format("0x{:x}\n", t.nodes[t.find(node)].guid);
}

std::string refusal(const Topology& t, const std::string& keys, const std::string& folder = "") {
  try {
    route(t, keys, folder);
  } catch (const Refusal& error) {
    return error.what();
  }
  return "";
}

/// The switches from one host to another.
std::vector<std::string> way(const Topology& t, const Routes& routes, const std::string& from,
                             const std::string& to) {
  std::vector<std::string> names;
  NodeIndex at = home_of(t, {t.find(from), 1});
  for (int hops = 0; hops < 20; ++hops) {
    names.push_back(t.nodes[at].name);
    const std::uint8_t port = routes.lft[at][lid_of(t, to)];
    if (port == kNoPort) break;
    at = t.nodes[at].port(port).peer_node;
    if (t.nodes[at].kind != NodeKind::switch_) return names;
  }
  return {};
}

}  // namespace

TEST_CASE("updn finds the roots of a tree, and its tables are minhop's there") {
  for (const Topology& t : {two_level(6, 3, 4, 2), k_ary_tree(4)}) {
    const Routes routes = route(t, "updn");
    const RouteReport report = check_routes(t, routes);
    CHECK(report.reached == report.pairs);
    CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
    const Routes minhop = minhop_routes(t);
    for (const Endpoint& end : t.endpoints()) {
      const Lid lid = t.nodes[end.where.node].port(1).lid;
      for (NodeIndex n = 0; n < t.nodes.size(); ++n) CHECK(routes.lft[n][lid] == minhop.lft[n][lid]);
    }
  }
}

TEST_CASE("a ring has no roots to find; with one named, no way turns up again") {
  const Topology t = ring(6);
  CHECK_THAT(refusal(t, "updn"), ContainsSubstring("updn refuses this fabric: no switch looks like a root"));
  const TempFolder folder;
  folder.write("roots", guid(t, "sw0"));
  const Routes routes = route(t, "updn, root_guids: roots", folder.path());
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
  CHECK_FALSE(find_credit_loop(t, minhop_routes(t), Ends::traffic_only).free_of_loops());
  CHECK(check_routes(t, routes).reached == 30);
  // sw3 is farthest from the root: down to it and up again is what no other way may do.
  CHECK(way(t, routes, "h2", "h4") == std::vector<std::string>{"sw2", "sw1", "sw0", "sw5", "sw4"});
  CHECK(way(t, routes, "h1", "h3") == std::vector<std::string>{"sw1", "sw2", "sw3"});
}

TEST_CASE("files of roots that name none are refused, and what is no switch is passed over") {
  const Topology t = two_level(3, 2, 2);
  const TempFolder folder;
  folder.write("hosts", guid(t, "h0"));
  CHECK_THAT(refusal(t, "updn, root_guids: hosts", folder.path()),
             ContainsSubstring("names no switch as a root"));
  folder.write("both", guid(t, "h0") + guid(t, "spine0") + guid(t, "spine1"));
  const Routes routes = route(t, "updn, root_guids: both", folder.path());
  REQUIRE(routes.warnings.size() == 1);
  CHECK_THAT(routes.warnings[0], ContainsSubstring("is no switch, so no root"));
  CHECK_THROWS_AS(route(t, "updn, root_guids: nowhere", folder.path()), ConfigError);
}

TEST_CASE("spines reach each other only with connect_roots") {
  const Topology t = two_level(4, 2, 2);
  CHECK(out_port(t, route(t, "updn"), "spine0", "spine1") == kNoPort);
  CHECK(out_port(t, route(t, "updn, connect_roots: yes"), "spine0", "spine1") != kNoPort);
  CHECK(out_port(t, route(t, "dnup"), "spine0", "spine1") == kNoPort);
  CHECK(out_port(t, route(t, "dnup, connect_roots: yes"), "spine0", "spine1") != kNoPort);
}

TEST_CASE("dor goes dimension by dimension: free of loops on a mesh and a HyperX, not on a torus") {
  for (const auto& [keys, loops] : {std::pair{"{type: torus, size: [4, 3, 2], wrap: no}", false},
                                    std::pair{"{type: hyperx, size: [3, 4], hosts_per_switch: 2}", false},
                                    std::pair{"{type: torus, size: [5, 5]}", true}}) {
    CAPTURE(keys);
    const Topology t = addressed(built_topology(keys, two_profiles()));
    const Routes routes = route(t, "dor");
    const RouteReport report = check_routes(t, routes);
    CHECK(report.reached == report.pairs);
    CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops() == !loops);
  }
}

TEST_CASE("random takes each least-hop port about equally often, by the seed alone") {
  const Topology t = two_level(16, 8, 16);
  const Routes routes = route(t, "random");
  CHECK(route(t, "random").lft == routes.lft);
  CHECK_FALSE(route(t, "random, seed: 2").lft == routes.lft);
  std::map<unsigned, unsigned> uses;
  const SwitchGraph graph(t);
  for (unsigned leaf = 0; leaf < 16; ++leaf)
    for (unsigned h = 0; h < 256; ++h)
      if (h / 16 != leaf) ++uses[out_port(t, routes, fmt::format("leaf{}", leaf), fmt::format("h{}", h))];
  CHECK(uses.size() == 8);
  for (const auto& [port, count] : uses) {  // 3,840 draws among 8: 480 each, six standard deviations are 123
    CHECK(count > 480 - 123);
    CHECK(count < 480 + 123);
  }
  const RouteReport report = check_routes(t, routes);
  CHECK(report.reached == report.pairs);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
}

TEST_CASE("the further LIDs of a port take other ways first") {
  Topology t = two_level(4, 4, 2);
  for (Node& node : t.nodes)
    for (Port& port : node.ports) port.lid = 0;
  t.assign_lids(false, 2);
  for (const char* engine : {"minhop", "updn", "dnup"}) {
    CAPTURE(engine);
    const Routes routes = route(t, engine);
    for (unsigned h = 2; h < 8; ++h) {
      const Lid base = lid_of(t, fmt::format("h{}", h));
      std::set<unsigned> ways;
      for (Lid lid = base; lid < base + 4; ++lid) ways.insert(routes.lft[t.find("leaf0")][lid]);
      CHECK(ways.size() == 4);
    }
  }
}
