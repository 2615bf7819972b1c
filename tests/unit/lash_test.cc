#include "models/routing/lash/lash.h"

#include <map>
#include <set>

#include "models/routing/channel_graph.h"
#include "models/routing/lash/acyclic_layer.h"
#include "models/routing/lash/lanes.h"
#include "models/routing/lash/mesh.h"
#include "models/routing/lash/mesh_shape.h"
#include "models/routing/opensm_order.h"
#include "models/routing/validate.h"
#include "sim/config.h"
#include "sim/random.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

using Path = std::vector<std::uint32_t>;

struct Engine : Configurable {
  std::unique_ptr<RoutingEngine> engine;
  void describe(Describe& d) override { d.choice("routing", engine, routing_engines(), "engine", ""); }
};

Routes lash(const Topology& t, const std::string& keys = "", unsigned lanes = 8) {
  Engine read;
  read_config(Document::parse("routing: {engine: lash" + keys + "}\n", "(test)"), read);
  return read.engine->build(t, {"", lanes});
}

void check_sound(const Topology& t, const Routes& routes) {
  const RouteReport report = check_routes(t, routes);
  CHECK(report.broken.empty());
  CHECK(report.reached == report.pairs);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
}

LashWays ways_of(const Topology& t, bool mesh = false) {
  const SwitchGraph graph(t);
  LashLinks links = lash_links(graph, opensm_switches(t, graph), mesh);
  if (mesh) order_by_mesh(links);
  return LashWays(std::move(links));
}

/// Coefficients from x^0 up, but that of the highest power, which is 1 or -1.
std::vector<std::int32_t> coefficients(const NeighbourDistances& distances) {
  std::vector<std::int32_t> signs;
  for (const std::uint32_t c : characteristic_polynomial(distances))
    signs.push_back(static_cast<std::int32_t>(c));
  signs.pop_back();
  return signs;
}

/// Whether `from` leads back to itself.
bool circle(const std::map<std::uint32_t, std::multiset<std::uint32_t>>& next, std::uint32_t from) {
  std::set<std::uint32_t> seen;
  Path stack{from};
  while (!stack.empty()) {
    const auto found = next.find(stack.back());
    stack.pop_back();
    if (found == next.end()) continue;
    for (const std::uint32_t to : found->second) {
      if (to == from) return true;
      if (seen.insert(to).second) stack.push_back(to);
    }
  }
  return false;
}

}  // namespace

TEST_CASE("the C library's random numbers, of a program that did not seed them") {
  GlibcRandom random;
  for (const std::uint32_t known : {1804289383u, 846930886u, 1681692777u, 1714636915u, 1957747793u})
    CHECK(random.next() == known);
}

TEST_CASE("a layer takes what closes no circle, and a refused path leaves no trace") {
  AcyclicLayer layer(5);
  CHECK(layer.add(Path{0, 1, 2}));
  CHECK(layer.add(Path{2, 3}));
  CHECK(layer.add(Path{1, 2, 3}));
  CHECK_FALSE(layer.add(Path{4, 3, 0}));  // 3 -> 0 closes 0 1 2 3; 4 -> 3 goes with it
  CHECK(layer.add(Path{3, 4}));
  CHECK_FALSE(layer.add(Path{4, 0}));
  layer.remove(Path{2, 3});
  CHECK_FALSE(layer.add(Path{4, 0}));  // 2 -> 3 is still there by {1, 2, 3}
  layer.remove(Path{1, 2, 3});
  CHECK(layer.add(Path{4, 0}));
  CHECK_FALSE(layer.add(Path{2, 3}));
}

TEST_CASE("a layer says what a search of the whole graph says") {
  RandomStream random(7, "layer");
  constexpr std::uint32_t kChannels = 14;
  AcyclicLayer layer(kChannels);
  std::map<std::uint32_t, std::multiset<std::uint32_t>> next;
  std::vector<Path> in;
  std::size_t refused = 0;
  for (int step = 0; step < 4000; ++step) {
    if (!in.empty() && random.chance(1, 2)) {
      const std::size_t at = random.below(in.size());
      layer.remove(in[at]);
      for (std::size_t i = 1; i < in[at].size(); ++i) next[in[at][i - 1]].extract(in[at][i]);
      in.erase(in.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    Path path(kChannels);
    for (std::uint32_t i = 0; i < kChannels; ++i) path[i] = i;
    random.shuffle(std::span(path));
    path.resize(2 + random.below(3));
    auto with = next;
    for (std::size_t i = 1; i < path.size(); ++i) with[path[i - 1]].insert(path[i]);
    bool closes = false;
    for (const std::uint32_t channel : path) closes = closes || circle(with, channel);
    REQUIRE(layer.add(path) == !closes);
    refused += closes;
    if (closes) continue;
    next = std::move(with);
    in.push_back(std::move(path));
  }
  CHECK(refused > 200);
}

TEST_CASE("ways are shortest, and all that lead to one switch make a tree") {
  for (const Topology& t : {torus(5), ring(9), k_ary_tree(4)}) {
    const SwitchGraph graph(t);
    const std::vector<NodeIndex> switches = opensm_switches(t, graph);
    const LashWays ways = ways_of(t);
    Path path;
    for (std::uint32_t a = 0; a < switches.size(); ++a) {
      const auto distance = graph.distances(switches[a]);
      for (std::uint32_t b = 0; b < switches.size(); ++b) {
        CHECK(ways.leads(a, b) == (a != b));
        ways.follow(a, b, path);
        CHECK(path.size() == distance[switches[b]]);
      }
    }
  }
}

// The lanes that OpenSM 3.3.23 asks for on rings of these lengths.
TEST_CASE("rings take OpenSM's lanes, and no circle is left") {
  for (const auto& [size, lanes] : {std::pair{3u, 1u}, {4u, 2u}, {5u, 2u}, {8u, 4u}, {16u, 8u}}) {
    CAPTURE(size);
    const Topology t = ring(size);
    const Routes routes = lash(t);
    CHECK(routes.vls == lanes);
    CHECK(routes.path_sls.highest() == lanes - 1);
    check_sound(t, routes);
  }
}

TEST_CASE("a fabric that needs more lanes than there are is refused") {
  CHECK_THROWS_WITH(lash(ring(20)),
                    ContainsSubstring("lash refuses this fabric: it needs at least 9 lanes, 8 are there"));
  CHECK(lash(ring(20), "", 15).vls == 10);
  CHECK_THROWS_WITH(lash(ring(8), ", max_vls: 3"), ContainsSubstring("at least 4 lanes, 3 are there"));
  CHECK(lash(ring(8), ", max_vls: 4").vls == 4);
  CHECK_THROWS_WITH(lash(ring(8), ", max_vls: 15", 2), ContainsSubstring("at least 3 lanes, 2 are there"));
  CHECK_THROWS_WITH(lash(ring(8), ", start_vl: 5"), ContainsSubstring("at least 4 lanes, 3 are there"));
  CHECK_THROWS_WITH(lash(ring(8), ", start_vl: 8"), ContainsSubstring("to start at VL 8, and 8 lanes"));
}

TEST_CASE("lanes begin where they are told to") {
  const Topology t = torus(5);
  const Routes plain = lash(t), moved = lash(t, ", start_vl: 3");
  CHECK(moved.lft == plain.lft);
  CHECK(moved.vls == plain.vls + 3);
  for (const Endpoint& from : t.endpoints()) {
    const NodeIndex home = home_of(t, from.where);
    for (Lid lid = 1; lid <= t.max_lid(); ++lid)
      CHECK(moved.path_sls.sl(home, lid) == plain.path_sls.sl(home, lid) + 3);
  }
  check_sound(t, moved);
}

TEST_CASE("both ways of a pair share a layer, and layers are filled alike") {
  const Topology t = torus(5);
  const LashWays ways = ways_of(t);
  const LashLanes lanes(ways, 8);
  REQUIRE(lanes.lanes() == 3);
  CHECK(lanes.fill() == std::vector<std::uint32_t>{202, 200, 198});  // as OpenSM logs it on a torus of 5 x 5
  std::vector<std::uint32_t> counted(3);
  for (std::uint32_t a = 0; a < 25; ++a) {
    for (std::uint32_t b = 0; b < 25; ++b) {
      CHECK(lanes.lane(a, b) == lanes.lane(b, a));
      if (a != b) ++counted[lanes.lane(a, b)];
    }
  }
  CHECK(counted == lanes.fill());
}

TEST_CASE("the first of parallel cables takes all, and with mesh analysis each its turn") {
  const Topology t = two_level(4, 2, 6, 3);
  const auto ports_to_far_hosts = [&](const Routes& routes) {
    std::map<unsigned, unsigned> hosts;  // by port
    for (unsigned host = 6; host < 24; ++host)
      ++hosts[out_port(t, routes, "leaf0", fmt::format("h{}", host))];
    return hosts;
  };
  const auto plain = ports_to_far_hosts(lash(t));
  CHECK(plain.size() == 1);
  const Routes spread = lash(t, ", do_mesh_analysis: yes");
  const auto turns = ports_to_far_hosts(spread);
  CHECK(turns.size() == 3);
  for (const auto& [port, hosts] : turns) CHECK(hosts == 6);
  check_sound(t, spread);
}

TEST_CASE("path bits of an LMC share their way") {
  Topology t = torus(4);
  for (Node& node : t.nodes) {
    node.lid = 0;
    for (Port& port : node.ports) port.lid = 0;
  }
  t.assign_lids(false, 2);
  const Routes routes = lash(t);
  check_sound(t, routes);
  const Lid base = lid_of(t, "h7");
  for (Lid bit = 1; bit < 4; ++bit)
    CHECK(routes.lft[t.find("0,0")][base + bit] == routes.lft[t.find("0,0")][base]);
}

TEST_CASE("parts that no cable joins are routed each") {
  Topology t;
  for (unsigned i = 0; i < 10; ++i) t.add_node(NodeKind::switch_, fmt::format("sw{}", i), 3);
  for (unsigned i = 0; i < 5; ++i) {
    cable(t, i, 2, (i + 1) % 5, 3);
    cable(t, 5 + i, 2, 5 + (i + 1) % 5, 3);
  }
  for (unsigned i = 0; i < 10; ++i) add_host(t, fmt::format("h{}", i), i, 1);
  t = addressed(std::move(t));
  for (const char* keys : {"", ", do_mesh_analysis: yes"}) {
    const Routes routes = lash(t, keys);
    CHECK(routes.vls == 2);
    CHECK(out_port(t, routes, "sw0", "h7") == kNoPort);
    CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
  }
}

TEST_CASE("two adapters back to back need no switch") {
  Topology t;
  for (const char* name : {"a", "b"}) t.add_node(NodeKind::hca, name, 1);
  cable(t, 0, 1, 1, 1);
  t = addressed(std::move(t));
  CHECK(lash(t).vls == 1);
  CHECK(lash(t, ", do_mesh_analysis: yes").vls == 1);
}

TEST_CASE("what a switch sees round itself tells the torus") {
  CHECK(coefficients({{0, 1}, {1, 0}}) == std::vector<std::int32_t>{-1, 0});  // a ring of 3
  CHECK(coefficients({{0, 2}, {2, 0}}) == std::vector<std::int32_t>{-4, 0});  // a ring of 4, or a corner
  CHECK(coefficients({{0, 4, 2}, {4, 0, 2}, {2, 2, 0}}) == std::vector<std::int32_t>{32, 24, 0});
  CHECK(mesh_dimensions(characteristic_polynomial({{0}})) == 1);
  CHECK(mesh_dimensions(characteristic_polynomial({{0, 2}, {2, 0}})) == 2);
  CHECK(mesh_dimensions(characteristic_polynomial({{0, 4, 2}, {4, 0, 2}, {2, 2, 0}})) == 2);
  CHECK(mesh_dimensions(characteristic_polynomial({{0, 7}, {7, 0}})) == 0);
  const NeighbourDistances inner{{0, 4, 2, 2}, {4, 0, 2, 2}, {2, 2, 0, 4}, {2, 2, 4, 0}};
  CHECK(mesh_dimensions(characteristic_polynomial(inner)) == 2);
  NeighbourDistances damaged = inner;  // the switch across one corner is missing
  damaged[0][2] = damaged[2][0] = 6;
  CHECK(coefficients(damaged) == std::vector<std::int32_t>{-192, -256, -80, 0});
  CHECK(mesh_dimensions(characteristic_polynomial(damaged)) == 2);
  // Eight links that are 2 apart: a hypercube of 8 dimensions.
  NeighbourDistances cube(8, std::vector<std::uint32_t>(8, 2));
  for (std::size_t i = 0; i < 8; ++i) cube[i][i] = 0;
  CHECK(coefficients(cube) == std::vector<std::int32_t>{-1792, -6144, -8960, -7168, -3360, -896, -112, 0});
  CHECK(mesh_dimensions(characteristic_polynomial(cube)) == 8);
}

// OpenSM 3.3.23 asks for these lanes on the same tori.
TEST_CASE("going through the dimensions in one order saves lanes") {
  const auto lanes = [](const Topology& t, const char* keys) {
    const Routes routes = lash(t, keys);
    check_sound(t, routes);
    return routes.vls;
  };
  CHECK(lanes(torus(4), "") == 2);
  CHECK(lanes(torus(4), ", do_mesh_analysis: yes") == 1);  // a hypercube, in order of its dimensions
  CHECK(lanes(torus(8), "") == 6);
  CHECK(lanes(torus(8), ", do_mesh_analysis: yes") == 4);
}

TEST_CASE("mesh analysis leaves alone what looks like no mesh, and survives what is damaged") {
  const Topology tree = k_ary_tree(4);
  const SwitchGraph graph(tree);
  LashLinks links = lash_links(graph, opensm_switches(tree, graph), true);
  const std::vector<std::uint32_t> order = order_by_mesh(links);
  std::set<std::uint32_t> all(order.begin(), order.end());
  CHECK(all.size() == tree.count(NodeKind::switch_));
  RandomStream random(3, "damage");
  for (int round = 0; round < 20; ++round) {
    Topology t = torus(6);
    for (int cut = 0; cut < 1 + round; ++cut) {
      const auto sw = static_cast<NodeIndex>(random.below(36));
      const auto port = static_cast<unsigned>(2 + random.below(4));
      if (t.nodes[sw].port(port).cable != kNone) unplug(t, sw, port);
    }
    CAPTURE(round);
    const Routes routes = lash(t, ", do_mesh_analysis: yes", 15);
    CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
    const RouteReport report = check_routes(t, routes);
    CHECK(report.pairs_by_hops == check_routes(t, lash(t, "", 15)).pairs_by_hops);
  }
}
