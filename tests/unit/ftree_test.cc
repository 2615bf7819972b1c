#include "models/routing/ftree/ftree.h"

#include <map>

#include "models/routing/channel_graph.h"
#include "models/routing/routing_engine_rows.h"
#include "models/routing/validate.h"
#include "sim/config.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"
#include "tests/shift_load.h"
#include "tests/temp_folder.h"

using namespace weft;
using namespace weft::test;

namespace {

using Tables = std::map<std::string, std::string>;

/// A switch of 9 ports.
void add_switch(Topology& t, const char* name, Guid guid) {
  t.nodes[t.add_node(NodeKind::switch_, name, 9)].guid = guid;
}

/// Leaves A, B, C under spines s0, s1 by two cables each, in no order of ports or GUIDs; C lacks a host.
Topology pure_tree() {
  Topology t;
  add_switch(t, "C", 0x0200000000000103);
  add_switch(t, "A", 0x0200000000000301);
  add_switch(t, "B", 0x0200000000000202);
  add_switch(t, "s0", 0x0200000000001004);
  add_switch(t, "s1", 0x0200000000002003);
  add_host(t, "a0", 1, 1), add_host(t, "a1", 1, 2), add_host(t, "a2", 1, 3);
  add_host(t, "b0", 2, 2), add_host(t, "b1", 2, 1), add_host(t, "b2", 2, 3);
  add_host(t, "c0", 0, 1), add_host(t, "c1", 0, 2);
  cable(t, 1, 5, 3, 1), cable(t, 1, 6, 4, 1), cable(t, 1, 7, 3, 2), cable(t, 1, 8, 4, 2);
  cable(t, 2, 5, 4, 3), cable(t, 2, 6, 3, 3), cable(t, 2, 7, 4, 4), cable(t, 2, 8, 3, 4);
  cable(t, 0, 5, 3, 6), cable(t, 0, 6, 3, 5), cable(t, 0, 7, 4, 6), cable(t, 0, 8, 4, 5);
  return addressed(std::move(t));
}

/// Leaves A, B, spines s0 to s2, no cable from A to s2; I/O nodes i0 on s0 and i1 on s2.
Topology tree_with_io() {
  Topology t;
  Guid guid = 0x0200000000000100;
  for (const char* name : {"A", "B", "s0", "s1", "s2"}) add_switch(t, name, guid++);
  add_host(t, "a0", 0, 1), add_host(t, "a1", 0, 2);
  add_host(t, "b0", 1, 1), add_host(t, "b1", 1, 2), add_host(t, "b2", 1, 3);
  add_host(t, "i0", 2, 1), add_host(t, "i1", 4, 1);
  cable(t, 0, 5, 2, 5), cable(t, 0, 6, 3, 5);
  cable(t, 1, 5, 2, 6), cable(t, 1, 6, 3, 6), cable(t, 1, 7, 4, 6);
  return addressed(std::move(t));
}

FtreePorts ports_of(const Topology& t, const std::vector<const char*>& hosts) {
  FtreePorts ports;
  for (const char* host : hosts) ports.emplace(t.find(host), std::uint8_t{1});
  return ports;
}

/// By switch, the ports for each of `names`; - where there is none.
Tables tables_of(const Topology& t, const Routes& routes, const std::vector<const char*>& names) {
  Tables tables;
  for (const Node& sw : t.nodes) {
    if (sw.kind != NodeKind::switch_) continue;
    std::string& row = tables[sw.name];
    for (const char* name : names) {
      const unsigned port = out_port(t, routes, sw.name, name);
      row += (row.empty() ? "" : " ") + (port == kNoPort ? "-" : std::to_string(port));
    }
  }
  return tables;
}

std::string refusal(const Topology& t, const FtreeOptions& options = {}) {
  try {
    ftree_routes(t, options);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

void check_all_reached(const Topology& t, const Routes& routes) {
  const RouteReport report = check_routes(t, routes);
  CHECK(report.broken.empty());
  CHECK(report.reached == report.pairs);
  CHECK(find_credit_loop(t, routes, Ends::with_aggregation_nodes).free_of_loops());
}

/// The engine with the keys of `yaml`.
std::unique_ptr<RoutingEngine> engine_of(const std::string& yaml) {
  std::unique_ptr<RoutingEngine> engine = make_ftree();
  read_config(Document::parse(yaml, "ftree.yaml"), *engine);
  return engine;
}

}  // namespace

// The tables that OpenSM 3.3.23 (`opensm -R ftree` over ibsim) loaded into these fabrics.
TEST_CASE("ftree gives OpenSM's tables") {
  SECTION("of a pure tree") {
    const Topology t = pure_tree();
    const Routes routes = ftree_routes(t);
    CHECK(tables_of(t, routes, {"a0", "a1", "a2", "b1", "b0", "b2", "c0", "c1", "A", "B", "C", "s0", "s1"}) ==
          Tables{{"A", "1 2 3 5 6 7 5 8 0 6 8 5 6"},
                 {"B", "6 5 8 1 2 3 6 7 5 0 7 6 5"},
                 {"C", "6 8 5 6 7 5 1 2 8 7 0 6 8"},
                 {"s0", "1 2 2 3 4 4 6 5 1 3 6 0 -"},
                 {"s1", "1 1 2 3 3 4 6 6 2 4 5 - 0"}});
    CHECK(routes.warnings.empty());
    check_all_reached(t, routes);
  }
  SECTION("with roots, compute and I/O nodes named") {
    const Topology t = tree_with_io();
    const std::vector<const char*> names = {"a0", "a1", "b0", "b1", "b2", "i0",
                                            "i1", "A",  "B",  "s0", "s1", "s2"};
    FtreeOptions options;
    options.roots = {t.find("s0"), t.find("s1"), t.find("s2")};
    options.compute_ports = ports_of(t, {"a0", "a1", "b0", "b1", "b2"});
    Routes routes = ftree_routes(t, options);
    CHECK(tables_of(t, routes, names) == Tables{{"A", "1 2 5 6 5 5 - 0 5 5 6 -"},
                                                {"B", "5 6 1 2 3 5 7 6 0 5 6 7"},
                                                {"s0", "5 5 6 6 6 1 - 5 6 0 - -"},
                                                {"s1", "5 5 6 6 6 - - 5 6 - 0 -"},
                                                {"s2", "- - 6 6 6 - 1 - 6 - - 0"}});
    REQUIRE(routes.warnings.size() == 1);
    CHECK(routes.warnings[0].starts_with("ftree leaves 6 ways from adapter to adapter out"));

    options.io_ports = ports_of(t, {"i0", "i1"});
    options.max_reverse_hops = 1;
    routes = ftree_routes(t, options);
    CHECK(tables_of(t, routes, names) == Tables{{"A", "1 2 5 6 5 5 6 0 5 5 6 -"},
                                                {"B", "5 6 1 2 3 5 7 5 0 5 6 7"},
                                                {"s0", "5 5 6 6 6 1 6 5 6 0 - -"},
                                                {"s1", "5 5 6 6 6 6 6 5 6 - 0 -"},
                                                {"s2", "- - 6 6 6 6 1 - 6 - - 0"}});
    options.connect_roots = true;
    routes = ftree_routes(t, options);
    CHECK(tables_of(t, routes, names) == Tables{{"A", "1 2 5 6 5 5 6 0 5 5 6 -"},
                                                {"B", "5 6 1 2 3 5 7 5 0 5 6 7"},
                                                {"s0", "5 5 6 6 6 1 6 5 6 0 6 6"},
                                                {"s1", "5 5 6 6 6 6 6 5 6 6 0 6"},
                                                {"s2", "- - 6 6 6 6 1 6 6 6 6 0"}});
  }
}

TEST_CASE("ftree runs every shift without contention in a full tree") {
  for (const Topology& t :
       {two_level(8, 4, 4), k_ary_tree(4), k_ary_tree(6), two_level(16, 8, 8), two_level(8, 2, 8, 4)}) {
    const Routes routes = ftree_routes(t);
    check_all_reached(t, routes);
    for (std::size_t shift = 1; shift < t.endpoints().size(); ++shift) {
      CAPTURE(t.endpoints().size(), shift);
      CHECK(worst_load(t, routes, shift) == 1);
    }
  }
}

TEST_CASE("with fewer ways up than hosts, ftree shares them evenly") {
  const Topology t = two_level(8, 2, 6);
  const RouteReport report = check_routes(t, ftree_routes(t));
  CHECK(report.reached == 48 * 47);
  CHECK(report.subscription.front().flows == 42 * 3);
  CHECK(report.subscription.back().flows == 42 * 3);
}

TEST_CASE("a host that is missing changes no route to other leaves") {
  const Topology full = two_level(4, 4, 4);
  Topology t = full;
  unplug(t, t.find("leaf1"), 2);  // h5
  const Routes before = ftree_routes(full), after = ftree_routes(t);
  for (const char* sw : {"leaf0", "leaf1", "leaf2", "leaf3", "spine0", "spine1", "spine2", "spine3"}) {
    for (unsigned h = 0; h < 16; ++h) {
      if (h / 4 == 1) continue;
      const std::string host = fmt::format("h{}", h);
      CAPTURE(sw, host);
      CHECK(out_port(t, after, sw, host) == out_port(full, before, sw, host));
    }
  }
}

TEST_CASE("ftree refuses what OpenSM's ftree refuses, and says why") {
  const std::string begin = "ftree refuses this fabric: ";
  SECTION("a cable is missing") {
    Topology t = two_level(4, 3, 2);
    unplug(t, t.find("leaf2"), 4);
    CHECK(refusal(t) ==
          begin +
              "the numbers of switches above differ on rank 1 (roots 0): leaf2 has 2, the other 3 "
              "have 3. Without root_guids the tree must be pure; a cable may be missing");
    FtreeOptions options;
    options.roots = {t.find("spine0"), t.find("spine1"), t.find("spine2")};
    check_all_reached(t, ftree_routes(t, options));
  }
  SECTION("one of parallel cables is missing") {
    Topology t = two_level(4, 2, 2, 2);
    unplug(t, t.find("leaf2"), 4);
    CHECK(refusal(t) ==
          begin +
              "the numbers of cables to a switch above differ on rank 1 (roots 0): leaf2 to spine0 "
              "has 1, the other 7 have 2. Without root_guids the tree must be pure; a cable may be "
              "missing");
  }
  SECTION("a spine lacks a leaf") {
    Topology t = two_level(2, 5, 2);
    unplug(t, t.find("leaf0"), 7);
    unplug(t, t.find("leaf1"), 6);
    CHECK(refusal(t) ==
          begin +
              "the numbers of neighbours below differ on rank 0 (roots 0): spine3 has 1, spine4 has "
              "1, the other 3 have 2. Without root_guids the tree must be pure; a cable may be missing");
  }
  SECTION("hosts on every switch") {
    CHECK(refusal(torus(3)) ==
          begin +
              "all 9 switches have adapters on them (aggregation nodes are adapters), so none "
              "is a root; name the roots in root_guids and the adapters that hang on leaves in "
              "cn_guids");
    CHECK(refusal(ring(5)).starts_with(begin + "all 5 switches"));
  }
  SECTION("an aggregation node on a spine") {
    Topology t = two_level(3, 2, 2);
    t.nodes[t.find("spine1")].ports.emplace_back();
    const NodeIndex sharp = t.add_node(NodeKind::aggregation_node, "sharp", 1);
    cable(t, sharp, 1, t.find("spine1"), 4);
    t = addressed(std::move(t));
    const std::string text = refusal(t);
    CHECK(text.find("hangs on ") != std::string::npos);
    FtreeOptions options;
    options.compute_ports = ports_of(t, {"h0", "h1", "h2", "h3", "h4", "h5"});
    options.roots = {t.find("spine0"), t.find("spine1")};
    check_all_reached(t, ftree_routes(t, options));
  }
  SECTION("compute nodes at two heights") {
    const Topology t = tree_with_io();
    FtreeOptions options;
    options.roots = {t.find("s0"), t.find("s1"), t.find("s2")};
    CHECK(refusal(t, options) ==
          begin +
              "the compute node i0[1] hangs on s0 of rank 0, while the leaves have rank 1 "
              "(roots 0); name the adapters of one rank alone in cn_guids");
    options.compute_ports = ports_of(t, {"i0"});
    CHECK(refusal(t, options) ==
          begin +
              "from the roots to the compute nodes there must be 2 to 8 ranks of switches; to "
              "i0[1], on s0, there are 1");
    options.compute_ports = ports_of(t, {"a0", "a1"});
    CHECK(refusal(t, options) == begin + "all compute nodes hang on one switch, A; a tree needs them on two");
    options.compute_ports = FtreePorts{};
    CHECK(refusal(t, options) ==
          begin +
              "no adapter is a compute node; name some in cn_guids, by the GUIDs of their "
              "ports, and not in io_guids only");
    options.roots = {0, 1, 2, 3, 4};
    CHECK(refusal(t, options) == begin + "root_guids names all 5 switches, which leaves none below");
  }
  SECTION("too small, too high") {
    CHECK(refusal(Topology{}) == begin + "there are no switches with adapters");
    Topology t;
    add_switch(t, "sw", 1);
    add_host(t, "h0", 0, 1), add_host(t, "h1", 0, 2);
    CHECK(refusal(addressed(t)) == begin + "a tree needs two switches and two adapters; here are 1 and 2");
    t = Topology{};
    for (unsigned i = 0; i < 9; ++i) add_switch(t, fmt::format("sw{}", i).c_str(), i + 1);
    for (unsigned i = 0; i < 8; ++i) cable(t, i, 1, i + 1, 2);
    add_host(t, "h0", 8, 3), add_host(t, "h1", 8, 4);
    CHECK(refusal(addressed(t)) ==
          begin +
              "from the roots to the compute nodes there must be 2 to 8 ranks of switches; "
              "to h0[1], on sw8, there are 9");
  }
  SECTION("LMC") {
    Topology t = two_level(2, 2, 2);
    for (Node& node : t.nodes) {
      node.lid = 0;
      for (Port& port : node.ports) port.lid = 0;
    }
    CHECK(refusal(addressed(t, 1)) == begin + "it routes one LID for each port, and h0 has 2; set lmc to 0");
  }
  SECTION("reverse hops without end") {
    const Topology t = tree_with_io();
    FtreeOptions options;
    options.roots = {t.find("s0"), t.find("s1"), t.find("s2")};
    options.io_ports = ports_of(t, {"i0", "i1"});
    options.max_reverse_hops = 65'535;
    CHECK(refusal(t, options) ==
          begin +
              "max_reverse_hops makes the search for ways endless; take a smaller one, or "
              "fewer io_guids");
  }
}

TEST_CASE("planes are trees of their own") {
  Topology t;
  for (unsigned plane = 0; plane < 2; ++plane) {
    for (const char* name : {"leafA", "leafB", "spine"}) {
      const NodeIndex sw = t.add_node(NodeKind::switch_, fmt::format("{}{}", name, plane), 4);
      if (sw % 3 == 2) cable(t, sw, 1, sw - 2, 4), cable(t, sw, 2, sw - 1, 4);
    }
  }
  for (unsigned h = 0; h < 4; ++h) {
    const NodeIndex host = t.add_node(NodeKind::hca, fmt::format("h{}", h), 2);
    for (unsigned plane = 0; plane < 2; ++plane) cable(t, host, plane + 1, plane * 3 + h / 2, h % 2 + 1);
    t.nodes[host].host = h;
    t.hosts.push_back(t.nodes[host].name);
  }
  t = addressed(std::move(t));
  const Routes routes = ftree_routes(t);
  CHECK(routes.warnings.empty());
  for (unsigned plane = 0; plane < 2; ++plane) {
    for (unsigned h = 0; h < 4; ++h) {
      const Lid lid = t.nodes[t.find(fmt::format("h{}", h))].port(plane + 1).lid;
      CHECK(routes.lft[plane * 3][lid] == (h < 2 ? h + 1 : 4));
      CHECK(routes.lft[plane * 3 + 2][lid] == h / 2 + 1);
      CHECK(routes.lft[(1 - plane) * 3][lid] == kNoPort);
    }
  }
  unplug(t, 5, 1);
  unplug(t, 5, 2);
  CHECK(refusal(t) ==
        "ftree refuses this fabric: of the network of leafA1: a tree needs two switches and two adapters; "
        "here are "
        "1 and 2");
}

TEST_CASE("cables between leaves are told, and all hosts reached") {
  Topology t = two_level(3, 2, 3);
  for (const NodeIndex leaf : {t.find("leaf0"), t.find("leaf1")}) t.nodes[leaf].ports.emplace_back();
  cable(t, t.find("leaf0"), 6, t.find("leaf1"), 6);
  const Routes routes = ftree_routes(t);
  REQUIRE(routes.warnings.size() == 1);
  CHECK(routes.warnings[0].starts_with("ftree: 2 leaves (leaf0 for one) have cables to other leaves"));
  CHECK(check_routes(t, routes).reached == 9 * 8);
  CHECK(out_port(t, routes, "leaf0", "h3") == 6);
}

TEST_CASE("a ring of leaves under its spines gives ftree a credit loop, as OpenSM's") {
  Topology t = two_level(5, 2, 2);
  for (NodeIndex leaf = 0; leaf < 5; ++leaf) t.nodes[leaf].ports.resize(6);
  for (NodeIndex leaf = 0; leaf < 5; ++leaf) cable(t, leaf, 5, (leaf + 1) % 5, 6);
  const Routes routes = ftree_routes(t);
  CHECK(check_routes(t, routes).reached == 10 * 9);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).cycle.size() == 5);
}

TEST_CASE("the lists of ftree come from GUID files") {
  const Topology t = tree_with_io();
  const TempFolder folder;
  RoutingContext context;
  context.base_folder = folder.path();
  const auto guid = [&](const char* name, bool of_port = true) {
    const Node& node = t.nodes[t.find(name)];
    const bool is_switch = node.kind == NodeKind::switch_;
    return fmt::format("0x{:016x}\n", is_switch || !of_port ? node.guid : node.port(1).guid);
  };
  folder.write("roots", guid("s2") + guid("s0") + guid("s1"));
  folder.write("cns", guid("a0") + guid("a1") + guid("b0") + guid("b1") + guid("b2"));
  folder.write("ios", guid("i0") + guid("i1", false));
  const std::string yaml = "root_guids: roots\ncn_guids: cns\n";
  FtreeOptions options;
  options.roots = {t.find("s0"), t.find("s1"), t.find("s2")};
  options.compute_ports = ports_of(t, {"a0", "a1", "b0", "b1", "b2"});
  CHECK(engine_of(yaml)->build(t, context).lft == ftree_routes(t, options).lft);

  options.io_ports = ports_of(t, {"i0"});  // for OpenSM an adapter is a port
  options.max_reverse_hops = 2;
  options.connect_roots = true;
  const Routes routes =
      engine_of(yaml + "io_guids: ios\nmax_reverse_hops: 2\nconnect_roots: true\n")->build(t, context);
  CHECK(routes.lft == ftree_routes(t, options).lft);
  REQUIRE_FALSE(routes.warnings.empty());
  CHECK(routes.warnings[0] ==
        fmt::format(
            "io_guids: ftree passes over 1 of the GUIDs, as OpenSM does, since no adapter port has them; "
            "the first, 0x{:016x}, is of the node i1",
            t.nodes[t.find("i1")].guid));

  folder.write("roots", guid("s0") + guid("a0"));
  CHECK_THROWS_WITH(engine_of(yaml)->build(t, context), ContainsSubstring("is a0, which is no switch"));
}
