#include "models/topology/fat_tree.h"

#include <set>

#include "sim/error.h"
#include "tests/catch.h"

using weft::FatTree;
using weft::kNone;
using weft::NodeIndex;
using weft::NodeKind;
using weft::PortRef;
using weft::RailLayout;
using weft::Topology;
using Counts = std::vector<std::uint32_t>;

namespace {

FatTree tree(std::uint32_t hosts, std::uint32_t levels, std::uint32_t radix) {
  FatTree t;
  t.hosts = hosts;
  t.levels = levels;
  t.radix = radix;
  return t;
}

Topology built(const FatTree& tree) {
  Topology t = tree.build({});
  CHECK(t.check().empty());
  return t;
}

// Switches of each level.
Counts switches(const Topology& t) {
  Counts counts;
  for (const weft::Node& node : t.nodes) {
    if (node.kind != NodeKind::switch_) continue;
    if (static_cast<std::size_t>(node.level) >= counts.size())
      counts.resize(static_cast<std::size_t>(node.level) + 1);
    ++counts[static_cast<std::size_t>(node.level)];
  }
  return counts;
}

PortRef peer(const Topology& t, const std::string& node, unsigned port) {
  const weft::Port& p = t.nodes[t.find(node)].port(port);
  return {p.peer_node, p.peer_port};
}
std::string peer_text(const Topology& t, const std::string& node, unsigned port) {
  const PortRef p = peer(t, node, port);
  return p.node == kNone ? "free" : t.display_name(p);
}

std::string refusal(const FatTree& tree) {
  try {
    tree.build({});
  } catch (const weft::BadValue& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

}  // namespace

// The wiring of fat trees in textbooks, port by port, for K-port switches: h = K/2.
TEST_CASE("a full three-level tree is the k-ary tree of the textbooks", "[fast][fat_tree]") {
  const std::uint32_t k = GENERATE(4u, 8u, 16u);
  const std::uint32_t h = k / 2, hosts = k * h * h;
  const Topology t = built(tree(hosts, 3, k));
  CHECK(t.hosts.size() == hosts);
  CHECK(switches(t) == Counts{k * h, k * h, h * h});
  CHECK(t.cables.size() == 3 * hosts);
  REQUIRE(t.tree);
  CHECK(t.tree->down == Counts{h, h, k});
  CHECK(t.tree->up == Counts{1, h, h});
  CHECK(t.tree->parallel == Counts{1, 1, 1});
  const NodeIndex leaf = hosts, spine = leaf + k * h, core = spine + k * h;  // adapters come first
  const auto wired = [&t](NodeIndex a, std::uint32_t pa, NodeIndex b, std::uint32_t pb) {
    const weft::Port& port = t.nodes[a].port(pa);
    return port.peer_node == b && port.peer_port == pb;
  };
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < hosts; ++i) wrong += !wired(i, 1, leaf + i / h, i % h + 1);
  for (std::uint32_t e = 0; e < k * h; ++e)
    for (std::uint32_t j = 0; j < h; ++j)
      wrong += !wired(leaf + e, h + j + 1, spine + e / h * h + j, e % h + 1);
  for (std::uint32_t a = 0; a < k * h; ++a)
    for (std::uint32_t j = 0; j < h; ++j)
      wrong += !wired(spine + a, h + j + 1, core + a % h * h + j, a / h + 1);
  CHECK(wrong == 0);
  const auto ends = t.endpoints();
  for (std::uint32_t i = 0; i < hosts; ++i) wrong += ends[i].where != PortRef{i, 1} || ends[i].host != i;
  CHECK(wrong == 0);
}

TEST_CASE("the largest textbook tree has its sizes", "[fast][fat_tree]") {
  const Topology t = built(tree(32 * 32 * 32 / 4, 3, 32));
  CHECK(t.hosts.size() == 8192);
  CHECK(switches(t) == Counts{512, 512, 256});
}

TEST_CASE("one, two and four levels", "[fast][fat_tree]") {
  const Topology one = built(tree(5, 1, 8));
  CHECK(switches(one) == Counts{1});
  CHECK(peer_text(one, "leaf00", 5) == "host0004 mlx5_0[1]");
  CHECK(peer_text(one, "leaf00", 6) == "free");

  const Topology two = built(tree(32, 2, 8));  // full: 8 leaves of 4, 4 spines
  CHECK(switches(two) == Counts{8, 4});
  CHECK(peer_text(two, "leaf03", 5) == "spine00[4]");
  CHECK(peer_text(two, "leaf03", 8) == "spine03[4]");

  const Topology four = built(tree(32, 4, 4));  // 4^4/8 machines
  CHECK(switches(four) == Counts{16, 16, 16, 8});
  CHECK(four.tree->down == Counts{2, 2, 2, 4});
  CHECK(four.tree->up == Counts{1, 2, 2, 2});
  CHECK(four.cables.size() == 32 * 4);
}

TEST_CASE("a tree filled in part has the switches it needs, filled by parallel cables", "[fast][fat_tree]") {
  // 512 GPUs of a DGX SuperPOD: 16 leaves, 8 spines, four cables between each pair.
  FatTree dgx = tree(64, 2, 64);
  dgx.rails = 8;
  const Topology pod = built(dgx);
  CHECK(switches(pod) == Counts{16, 8});
  CHECK(pod.tree->parallel == Counts{1, 4});
  CHECK(pod.tree->down == Counts{32, 16});
  CHECK(pod.tree->up == Counts{1, 8});
  CHECK(peer_text(pod, "leaf01", 33) == "spine00[5]");
  CHECK(peer_text(pod, "leaf01", 36) == "spine00[8]");
  CHECK(peer_text(pod, "leaf01", 37) == "spine01[5]");

  const Topology some = built(tree(9, 3, 4));  // of 16: five leaves in three pods, the last half empty
  CHECK(switches(some) == Counts{5, 6, 4});
  CHECK(peer_text(some, "leaf04", 2) == "free");
  CHECK(peer_text(some, "spine04", 2) == "free");

  FatTree apart = tree(16, 2, 8);
  apart.parallel = 1;
  CHECK(switches(built(apart)) == Counts{4, 4});
  apart.parallel = 2;
  CHECK(switches(built(apart)) == Counts{4, 2});
}

TEST_CASE("a level that joins a single group is built, with a warning", "[fast][fat_tree]") {
  const Topology t = built(tree(2, 3, 4));
  CHECK(switches(t) == Counts{1, 1, 1});
  REQUIRE(t.warnings.size() == 2);
  CHECK(t.warnings[1] == "level 3 of the fat tree joins a single switch group; levels: 2 would do");
}

TEST_CASE("rails: on one leaf, on leaves of their own, or in planes", "[fast][fat_tree]") {
  FatTree rails = tree(8, 2, 8);  // four down ports a leaf
  rails.rails = 2;
  rails.rail_layout = RailLayout::shared_leaves;
  const Topology shared = built(rails);
  CHECK(switches(shared) == Counts{4, 2});
  CHECK(peer_text(shared, "leaf01", 1) == "host0002 mlx5_0[1]");
  CHECK(peer_text(shared, "leaf01", 2) == "host0002 mlx5_1[1]");
  CHECK(peer_text(shared, "leaf01", 3) == "host0003 mlx5_0[1]");

  rails.rail_layout = RailLayout::rail_optimised;
  const Topology apart = built(rails);
  CHECK(switches(apart) == Counts{4, 2});
  CHECK(peer_text(apart, "leaf00", 2) == "host0001 mlx5_0[1]");
  CHECK(peer_text(apart, "leaf01", 2) == "host0001 mlx5_1[1]");
  CHECK(peer_text(apart, "leaf02", 1) == "host0004 mlx5_0[1]");
  CHECK(apart.tree.has_value());

  rails.rail_layout = RailLayout::planes;
  const Topology planes = built(rails);
  CHECK(switches(planes) == Counts{4, 2});
  CHECK(peer_text(planes, "plane1-leaf01", 4) == "host0007 mlx5_1[1]");
  CHECK(peer_text(planes, "plane1-leaf00", 5) == "plane1-spine00[1]");
  CHECK(planes.planes == 2);
  CHECK(planes.tree);  // of each
  const auto ends = planes.endpoints();
  REQUIRE(ends.size() == 16);
  CHECK(ends[3].host == 1);
  CHECK(ends[3].rail == 1);
}

TEST_CASE("the taper is a leaf's up-bandwidth over its down-bandwidth", "[fast][fat_tree]") {
  FatTree half = tree(48, 2, 36);
  half.taper = {1, 2};
  const Topology t = built(half);  // 24 down, 12 up
  CHECK(switches(t) == Counts{2, 1});
  CHECK(peer_text(t, "leaf00", 24) == "host0023 mlx5_0[1]");
  CHECK(peer_text(t, "leaf00", 25) == "spine00[1]");

  half.taper = {7, 10};
  half.radix = 64;
  CHECK(built(half).tree->down[0] == 37);  // and 26 up: 25.9 rounded up

  half.leaf_down = 10;  // 7 up
  CHECK(built(half).tree->up[1] * built(half).tree->parallel[1] == 7);

  FatTree mixed = tree(16, 2, 24);  // uplinks twice as fast: half as many do
  mixed.host_link.speed = "2xNDR";
  mixed.leaf_link.speed = "4xNDR";
  const Topology fast = built(mixed);
  CHECK(fast.tree->down[0] == 16);
  CHECK(fast.tree->up[1] * fast.tree->parallel[1] == 8);
}

// 4xNDR below, 8xNDR above: half as many ports up, and so two thirds of 12 down.
TEST_CASE("a spine's ports are shared out by the rates of its tiers", "[fast][fat_tree]") {
  FatTree mixed = tree(6 * 12, 3, 12);
  mixed.core_link.speed = "8xNDR";
  const Topology t = built(mixed);
  CHECK(t.tree->down == Counts{6, 8, 2});  // leaves of a pod: 8 of the spine's 12 ports
  CHECK(switches(t) == Counts{12, 12, 6});
  CHECK(peer_text(t, "spine00", 8) == "leaf07[7]");
  CHECK(peer_text(t, "spine00", 9) == "core00[1]");  // and 4 up, all to one core: it has two pods
  CHECK(peer_text(t, "spine00", 12) == "core00[4]");
  // Bandwidth up equals bandwidth down: 8 x 400 = 4 x 800 Gb/s.
  const auto rate = [&t](const char* node, unsigned port) {
    return data_rate(t.cables[t.nodes[t.find(node)].port(port).cable].link).gbps();
  };
  CHECK(8 * rate("spine00", 1) == 4 * rate("spine00", 9));

  mixed.core_link.speed = "2xNDR";  // half as fast: twice as many up
  CHECK(built(mixed).tree->down[1] == 4);
  mixed.core_link.speed = "1xSDR";
  CHECK_THAT(refusal(mixed), ContainsSubstring("core_link.speed: 11 ports of 1xSDR up are too few"));
}

TEST_CASE("links have the speed, cable and length of their tier", "[fast][fat_tree]") {
  FatTree links = tree(16, 3, 4);
  links.host_link.cable = "dac";
  links.host_link.length = weft::Length{2'000'000};
  links.leaf_link.speed = "NDR200";
  links.taper = {1, 2};
  links.core_link.cable = "optics";
  const Topology t = built(links);
  const auto link = [&](const char* node, unsigned port) {
    return t.cables[t.nodes[t.find(node)].port(port).cable].link;
  };
  CHECK(speed_text(link("leaf00", 1)) == "4xNDR");
  CHECK(link("leaf00", 1).cable == "dac");
  CHECK(link("leaf00", 1).length == weft::Length{2'000'000});
  CHECK(speed_text(link("leaf00", 3)) == "2xNDR");
  CHECK(link("leaf00", 3).cable.empty());
  CHECK(link("spine00", 3).cable == "optics");
}

TEST_CASE("radix and speed come from the switch profile", "[fast][fat_tree]") {
  weft::BuildContext context;
  context.switch_shape = [](const std::string& profile) -> weft::BuildContext::SwitchShape {
    if (profile != "sx6036") throw weft::BadValue("", "there is no switch profile `" + profile + "`");
    return {36, weft::Generation::fdr, 4};
  };
  FatTree tree;
  tree.hosts = 36;
  tree.switch_profile = "sx6036";
  const Topology t = tree.build(context);
  CHECK(t.nodes[t.find("leaf01")].ports.size() == 36);
  CHECK(t.nodes[t.find("leaf01")].profile == "sx6036");
  CHECK(speed_text(t.cables[0].link) == "4xFDR");
  tree.switch_profile = "sx9999";
  try {
    tree.build(context);
    FAIL("accepted");
  } catch (const weft::BadValue& error) {
    CHECK(error.key == "switch");
    CHECK_THAT(error.what(), ContainsSubstring("sx9999"));
  }
}

TEST_CASE("sizes that cannot be are refused with what could", "[fast][fat_tree]") {
  CHECK(refusal(tree(33, 2, 8)) ==
        "hosts: 33 machines with 1 rail(s) do not fit: 2 level(s) of 8-port switches with 4 down ports a "
        "leaf hold at "
        "most 32; levels: 3 holds 128");
  CHECK_THAT(refusal(tree(2000, 4, 8)), ContainsSubstring("hold at most 512"));
  CHECK_THAT(refusal(tree(9, 1, 8)), ContainsSubstring("hold at most 8"));
  CHECK_THAT(refusal(tree(0, 2, 8)), ContainsSubstring("hosts: a fat tree needs"));
  CHECK_THAT(refusal(tree(1, 5, 8)), ContainsSubstring("levels: a fat tree has 1 to 4"));
  CHECK_THAT(refusal(tree(1, 2, 1)), ContainsSubstring("radix: a switch has 2 to 254"));
  CHECK_THAT(refusal(tree(1, 2, 300)), ContainsSubstring("radix: a switch has 2 to 254"));

  FatTree t = tree(16, 2, 8);
  t.parallel = 3;
  CHECK(refusal(t) == "parallel: 3 cables to each spine do not divide a leaf's 4 up ports");
  t.parallel = 4;
  CHECK_THAT(refusal(t), ContainsSubstring("hold at most 8"));
  t.parallel.reset();
  t.taper = {0, 1};
  CHECK_THAT(refusal(t), ContainsSubstring("taper: a leaf without up-bandwidth"));
  t.taper = {50, 1};
  CHECK_THAT(refusal(t), ContainsSubstring("taper: a switch of 8 ports has none left"));
  t.taper = {1'000'000'007, 1};
  CHECK_THAT(refusal(t), ContainsSubstring("taper: taper is at most"));
  t.taper = {1, 1};
  t.leaf_down = 5;
  CHECK_THAT(refusal(t), ContainsSubstring("leaf_down: 5 down and 5 up ports"));
  t.leaf_down.reset();
  t.rails = 5;
  t.rail_layout = RailLayout::shared_leaves;
  CHECK_THAT(refusal(t), ContainsSubstring("rails: 5 rails of a machine do not fit the 4 down ports"));
  t.rail_layout = RailLayout::rail_optimised;
  t.levels = 1;
  CHECK_THAT(refusal(t), ContainsSubstring("rail_layout: levels: 1 is one switch"));
  FatTree speed = tree(4, 2, 8);
  speed.core_link.speed = "fast";
  CHECK_THAT(refusal(speed), ContainsSubstring("core_link.speed: `fast` is no link speed"));
  FatTree unknown;
  unknown.hosts = 4;
  CHECK_THAT(refusal(unknown), ContainsSubstring("switch: no switch profiles are at hand"));
}

TEST_CASE("every size up to a full tree is sound, and no switch is idle", "[fast][fat_tree]") {
  for (const RailLayout layout : {RailLayout::shared_leaves, RailLayout::rail_optimised, RailLayout::planes})
    for (std::uint32_t levels = 2; levels <= 3; ++levels)
      for (std::uint32_t hosts = 1; hosts <= 36; ++hosts) {
        FatTree t = tree(hosts, levels, 6);
        t.rails = 2;
        t.rail_layout = layout;
        Topology topology;
        try {
          topology = t.build({});
        } catch (const weft::BadValue&) {
          CHECK(hosts > 6);  // never the small ones
          continue;
        }
        INFO(hosts << " machines, " << levels << " levels");
        CHECK(topology.check().empty());
        CHECK(topology.endpoints().size() == 2 * hosts);
      }
}
