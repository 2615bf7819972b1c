#include "models/topology/topology.h"

#include <algorithm>

#include "models/topology/topology_graph.h"
#include "sim/error.h"
#include "tests/catch.h"

using weft::kNone;
using weft::LinkSpec;
using weft::NodeIndex;
using weft::NodeKind;
using weft::PortRef;
using weft::Topology;

namespace {

// Two switches of three ports; h0 and h1 on sw0, h2 on sw1.
Topology small() {
  Topology t;
  const NodeIndex sw0 = t.add_node(NodeKind::switch_, "sw0", 3),
                  sw1 = t.add_node(NodeKind::switch_, "sw1", 3);
  for (const auto& [name, sw, port] :
       {std::tuple{"h0", sw0, 1}, std::tuple{"h1", sw0, 2}, std::tuple{"h2", sw1, 1}}) {
    const NodeIndex h = t.add_node(NodeKind::hca, name, 1);
    t.nodes[h].host = static_cast<std::uint32_t>(t.hosts.size());
    t.hosts.emplace_back(name);
    t.connect({h, 1}, {sw, static_cast<std::uint8_t>(port)}, {});
  }
  t.connect({sw0, 3}, {sw1, 3}, {});
  return t;
}

std::string refusal(Topology& t, PortRef a, PortRef b) {
  try {
    t.connect(a, b, {});
  } catch (const weft::BadValue& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("cables join two free ports and are found from both", "[fast][topology]") {
  Topology t = small();
  CHECK(t.check().empty());
  const weft::Port& port = t.nodes[0].port(3);
  CHECK(port.peer_node == 1);
  CHECK(port.peer_port == 3);
  CHECK(t.cables[port.cable].a == PortRef{0, 3});
  CHECK(refusal(t, {0, 3}, {1, 2}) == "sw0[3] is taken: it is cabled to sw1[3]");
  CHECK(refusal(t, {1, 4}, {1, 2}) == "sw1 has no port 4; it has ports 1 to 3");
  CHECK(refusal(t, {1, 0}, {1, 2}) == "sw1 has no port 0; it has ports 1 to 3");
  CHECK(refusal(t, {1, 2}, {1, 2}) == "sw1[2] is cabled to itself");
  CHECK(refusal(t, {99, 1}, {1, 2}) == "there is no node 99");
  CHECK_THROWS_AS(t.add_node(NodeKind::switch_, "big", 255), weft::BadValue);
}

TEST_CASE("endpoints come by machine, rail and port; aggregation nodes are none", "[fast][topology]") {
  Topology t;
  const NodeIndex sw = t.add_node(NodeKind::switch_, "sw", 6);
  const NodeIndex b1 = t.add_node(NodeKind::hca, "b mlx5_1", 1);
  const NodeIndex b0 = t.add_node(NodeKind::hca, "b mlx5_0", 2);
  const NodeIndex a = t.add_node(NodeKind::hca, "a mlx5_0", 2);
  const NodeIndex sharp = t.add_node(NodeKind::aggregation_node, "agg", 1);
  t.hosts = {"a", "b"};
  t.nodes[a].host = 0;
  t.nodes[b0].host = t.nodes[b1].host = 1;
  t.nodes[b1].rail = 1;
  t.connect({b1, 1}, {sw, 1}, {});
  t.connect({b0, 1}, {sw, 2}, {});
  t.connect({b0, 2}, {sw, 3}, {});
  t.connect({a, 2}, {sw, 4}, {});  // its port 1 has no cable and is no end
  t.connect({sharp, 1}, {sw, 5}, {});
  const auto ends = t.endpoints();
  REQUIRE(ends.size() == 4);
  CHECK(ends[0].where == PortRef{a, 2});
  CHECK(ends[1].where == PortRef{b0, 1});
  CHECK(ends[2].where == PortRef{b0, 2});
  CHECK(ends[3].where == PortRef{b1, 1});
  CHECK(t.count(NodeKind::hca) == 3);
  CHECK(t.count(NodeKind::aggregation_node) == 1);
}

TEST_CASE("names that repeat show their GUID; nodes are found by name or GUID", "[fast][topology]") {
  Topology t;
  t.add_node(NodeKind::switch_, "leaf", 2);
  t.add_node(NodeKind::hca, "same", 1);
  t.add_node(NodeKind::hca, "same", 1);
  t.nodes[0].guid = 0xabc;
  t.nodes[1].guid = 0x17;
  CHECK(t.display_name(0) == "leaf");
  CHECK(t.display_name(PortRef{0, 2}) == "leaf[2]");
  CHECK(t.display_name(1) == "same (0x0000000000000017)");
  CHECK(t.display_name(2) == "same (node 2)");
  CHECK(t.display_names() ==
        std::vector<std::string>{t.display_name(0), t.display_name(1), t.display_name(2)});
  CHECK(t.find("leaf") == 0);
  CHECK(t.find("same") == kNone);
  CHECK(t.find("S-0000000000000abc") == 0);
  CHECK(t.find("S-ABC") == 0);
  CHECK(t.find("H-abc") == kNone);
  CHECK(t.find("0x17") == 1);
  for (const char* none : {"", "0x", "0x0", "0xzz", "S-", "S-12345678901234567", "leaf0"})
    CHECK(t.find(none) == kNone);
}

TEST_CASE("LIDs go to switches and cabled adapter ports, aligned to 2^LMC", "[fast][topology]") {
  Topology t = small();
  t.add_node(NodeKind::hca, "spare", 1);
  t.assign_lids(false, 2);
  CHECK(t.nodes[0].lid == 1);
  CHECK(t.nodes[1].lid == 2);
  CHECK(t.nodes[2].port(1).lid == 4);
  CHECK(t.nodes[2].port(1).lmc == 2);
  CHECK(t.nodes[3].port(1).lid == 8);
  CHECK(t.nodes[4].port(1).lid == 12);
  CHECK(t.nodes[5].port(1).lid == 0);
  CHECK(t.max_lid() == 15);

  Topology kept = small();
  kept.nodes[1].lid = 1;
  kept.nodes[3].port(1).lid = 2;
  kept.assign_lids(false);
  CHECK(kept.nodes[0].lid == 3);
  CHECK(kept.nodes[1].lid == 1);
  CHECK(kept.nodes[2].port(1).lid == 4);
  CHECK(kept.nodes[3].port(1).lid == 2);
  CHECK(kept.max_lid() == 5);
  CHECK(kept.check().empty());
}

TEST_CASE("a subnet has 49,151 unicast LIDs and not one more", "[fast][topology]") {
  Topology t;
  for (int i = 0; i < 49'151; ++i) t.add_node(NodeKind::switch_, "s", 1);
  t.assign_lids(false);
  CHECK(t.max_lid() == 49'151);
  t.add_node(NodeKind::switch_, "s", 1);
  try {
    t.assign_lids(false);
    FAIL("accepted");
  } catch (const weft::BadValue& error) {
    CHECK(error.key == "lid_space");
    CHECK_THAT(error.what(), ContainsSubstring("up to 49152") && ContainsSubstring("lid_space: extended"));
  }
  t.nodes.back().lid = 0;
  t.assign_lids(true);
  CHECK(t.max_lid() == 49'152);
}

TEST_CASE("generated GUIDs are unique and leave given ones alone", "[fast][topology]") {
  Topology t = small();
  t.nodes[1].guid = 0x1234;
  t.assign_guids();
  CHECK(t.nodes[1].guid == 0x1234);
  CHECK(t.nodes[2].port(1).guid == t.nodes[2].guid + 1);
  CHECK(t.nodes[0].port(1).guid == 0);  // switch ports share the node's
  CHECK(t.check().empty());
}

TEST_CASE("check names what is unsound", "[fast][topology]") {
  const auto findings = [](auto damage) {
    Topology t = small();
    t.assign_guids();
    t.assign_lids(false);
    damage(t);
    return t.check();
  };
  const auto only = [&](auto damage) {
    const auto found = findings(damage);
    REQUIRE(found.size() == 1);
    return found[0];
  };
  CHECK(findings([](Topology&) {}).empty());
  CHECK(only([](Topology& t) { t.nodes[1].guid = t.nodes[0].guid; }) == "sw0 and sw1 have the same GUID");
  CHECK(only([](Topology& t) { t.nodes[1].lid = 1; }) == "LID 1 belongs to both sw0 and sw1");
  CHECK(only([](Topology& t) { t.nodes[4].port(1).lid = 2, t.nodes[4].port(1).lmc = 1; }) ==
        "LID 3 belongs to both h0[1] and h2[1]");
  CHECK(only([](Topology& t) { t.nodes[2].port(1).lmc = 9; }) == "h0[1] has LMC 9; it is at most 7");
  CHECK(only([](Topology& t) { t.nodes[2].host = kNone; }) == "h0 sits in no machine");
  CHECK(only([](Topology& t) { t.nodes[0].port(1).peer_port = 2; }) ==
        "cable 0 joins sw0[1] and h0[1], but sw0[1] does not say so");
  CHECK(only([](Topology& t) { t.cables[0].link.rate = weft::Rate{}; }) ==
        "the link h0[1] - sw0[1] has rate 0");
  CHECK(only([](Topology& t) { t.add_node(NodeKind::switch_, "spare", 4); }) == "spare has no cable");
  CHECK(findings([](Topology& t) { t.cables[3].b.node = 77; }) ==
        std::vector<std::string>{"cable 3 joins sw0[3] and node 77[3], but sw0[3] does not say so",
                                 "cable 3 ends at node 77[3], which does not exist"});
}

TEST_CASE("parts that no cable joins are named; planes that meet in a machine are one", "[fast][topology]") {
  Topology t = small();
  t.cables.pop_back();
  for (NodeIndex n : {0u, 1u}) t.nodes[n].port(3) = {};
  CHECK(t.check() ==
        std::vector<std::string>{"no path joins sw1 (2 nodes) with sw0 (3 nodes): the fabric is in 2 parts"});
  CHECK(weft::connected_parts(t) == std::vector<std::uint32_t>{0, 1, 0, 0, 1});
  t.nodes[4].host = t.nodes[3].host;  // h1 and h2: two adapters of one machine
  CHECK(t.check().empty());
}

TEST_CASE("the Boost view has a vertex a node and an edge a cable", "[fast][topology]") {
  Topology t;
  t.add_node(NodeKind::switch_, "a", 2);
  t.add_node(NodeKind::switch_, "b", 2);
  t.connect({0, 1}, {1, 1}, {});
  t.connect({0, 2}, {1, 2}, {});
  const weft::TopologyGraph graph = weft::to_graph(t);
  CHECK(boost::num_vertices(graph) == 2);
  CHECK(boost::num_edges(graph) == 2);  // parallel cables stay apart
  CHECK(boost::out_degree(0, graph) == 2);
  std::vector<std::uint32_t> cables;
  for (auto [edge, end] = boost::edges(graph); edge != end; ++edge) cables.push_back(graph[*edge].cable);
  std::ranges::sort(cables);
  CHECK(cables == std::vector<std::uint32_t>{0, 1});
}
