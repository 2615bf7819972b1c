// XGFT(h; m; w) with p cables a pair: its counts, its wiring, its rails, and that D-mod-K routes it.
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "models/routing/dmodk.h"
#include "models/routing/switch_graph.h"
#include "models/topology/fat_tree.h"
#include "tests/built_topology.h"
#include "tests/catch.h"

using namespace weft;
using namespace weft::test;
using Counts = std::vector<std::uint32_t>;

namespace {

Topology built(const std::string& keys) {
  Topology t = built_topology("{type: xgft, " + keys + "}");
  CHECK(t.check().empty());
  return t;
}

std::string refusal(const std::string& keys) { return topology_refusal("{type: xgft, " + keys + "}"); }

Counts switches(const Topology& t) {
  Counts counts(t.tree ? t.tree->down.size() : 8);
  for (const Node& node : t.nodes)
    if (node.kind == NodeKind::switch_) ++counts[static_cast<std::size_t>(node.level)];
  return counts;
}

std::string peer(const Topology& t, const std::string& node, unsigned port) {
  const Port& p = t.nodes[t.find(node)].port(port);
  return p.peer_node == kNone ? "free" : t.display_name(PortRef{p.peer_node, p.peer_port});
}

const LinkSpec& link(const Topology& t, const std::string& node, unsigned port) {
  return t.cables[t.nodes[t.find(node)].port(port).cable].link;
}

/// Flows over the fullest switch port when end i sends to end i + by, for every `by`.
unsigned worst_shift_load(Topology t) {
  t.assign_lids(false);
  const Routes routes = dmodk_routes(t);
  const std::vector<Endpoint> ends = t.endpoints();
  unsigned worst = 0;
  for (std::size_t by = 1; by < ends.size(); ++by) {
    std::map<std::pair<NodeIndex, unsigned>, unsigned> load;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const PortRef to = ends[(i + by) % ends.size()].where;
      NodeIndex at = t.nodes[ends[i].where.node].port(1).peer_node;
      for (unsigned hops = 0; at != to.node; ++hops) {
        REQUIRE(hops < 2 * t.tree->down.size());
        const unsigned out = routes.lft[at][t.nodes[to.node].port(1).lid];
        worst = std::max(worst, ++load[{at, out}]);
        at = t.nodes[at].port(out).peer_node;
      }
    }
  }
  return worst;
}

}  // namespace

// Level l has (m_(l+1) .. m_h)(w_1 .. w_l) switches and that times m_l p_l cables down.
TEST_CASE("an XGFT has the counts of its vectors", "[fast][xgft]") {
  const auto [m, w, p] =
      GENERATE(std::tuple{Counts{3, 2, 4}, Counts{1, 2, 3}, Counts{1, 1, 2}},
               std::tuple{Counts{5}, Counts{1}, Counts{1}},
               std::tuple{Counts{2, 2, 2, 2, 2}, Counts{1, 2, 1, 2, 2}, Counts{1, 1, 1, 3, 1}},
               std::tuple{Counts{7, 3}, Counts{1, 5}, Counts{1, 2}});
  const Topology t = built(fmt::format("children: [{}], parents: [{}], parallel: [{}]", fmt::join(m, ", "),
                                       fmt::join(w, ", "), fmt::join(p, ", ")));
  std::uint32_t ends = 1, cables = 0;
  Counts expected;
  for (const std::uint32_t children : m) ends *= children;
  std::uint32_t below = ends, wide = 1;
  for (std::size_t l = 0; l < m.size(); ++l) {
    below /= m[l];
    wide *= w[l];
    expected.push_back(below * wide);
    cables += expected.back() * m[l] * p[l];
  }
  CHECK(t.hosts.size() == ends);
  CHECK(switches(t) == expected);
  CHECK(t.cables.size() == cables);
  REQUIRE(t.tree);
  CHECK(t.tree->down == m);
  CHECK(t.tree->up == w);
  CHECK(t.tree->parallel == p);
  // The farthest leaves are 2(h - 1) cables apart.
  const SwitchGraph graph(t);
  std::uint32_t farthest = 0;
  const std::vector<std::uint32_t> distance = graph.distances(t.find("leaf00"));
  for (NodeIndex n = 0; n < t.nodes.size(); ++n)
    if (t.nodes[n].level == 0) farthest = std::max(farthest, distance[n]);
  CHECK(farthest == 2 * (m.size() - 1));
}

TEST_CASE("with the vectors of a full tree it is fat_tree's, port by port", "[fast][xgft]") {
  FatTree tree;
  tree.hosts = 128;
  tree.levels = 3;
  tree.radix = 8;
  const Topology same = tree.build(two_profiles());
  const Topology t = built("children: [4, 4, 8], parents: [1, 4, 4], radix: 8");
  CHECK(t.nodes == same.nodes);
  CHECK(t.cables == same.cables);
  CHECK(t.tree == same.tree);
}

TEST_CASE("parallel cables are neighbours, down ports come first", "[fast][xgft]") {
  const Topology t = built("children: [3, 2, 2], parents: [1, 2, 2], parallel: [1, 2, 3], radix: 12");
  CHECK(peer(t, "leaf03", 3) == "host0011 mlx5_0[1]");
  CHECK(peer(t, "leaf03", 4) == "spine02[3]");  // its pod's first spine, from its second child
  CHECK(peer(t, "leaf03", 5) == "spine02[4]");
  CHECK(peer(t, "leaf03", 6) == "spine03[3]");
  CHECK(peer(t, "leaf03", 8) == "free");
  CHECK(peer(t, "spine03", 5) == "core02[4]");  // place 1 of pod 1: cores 2 and 3, ports 4 to 6
  CHECK(peer(t, "spine03", 10) == "core03[6]");
  CHECK(peer(t, "spine03", 11) == "free");
}

TEST_CASE("levels of different switches and rates", "[fast][xgft]") {
  const Topology t = built(
      "children: [32, 8], parents: [1, 4], parallel: [1, 2], switch: hdr,"
      " tiers: [{speed: 2xHDR, cable: dac, length: 2 m}, {switch: qm9700, radix: 48}]");
  CHECK(t.nodes[t.find("leaf00")].profile == "hdr");
  CHECK(t.nodes[t.find("leaf00")].ports.size() == 40);
  CHECK(t.nodes[t.find("spine00")].profile == "qm9700");
  CHECK(t.nodes[t.find("spine00")].ports.size() == 48);
  CHECK(speed_text(link(t, "leaf00", 1)) == "2xHDR");
  CHECK(link(t, "leaf00", 1).cable == "dac");
  CHECK(link(t, "leaf00", 1).length == Length{2'000'000});
  CHECK(speed_text(link(t, "leaf00", 33)) == "4xHDR");  // the slower of the two
  const Topology fast = built("children: [2, 2], tiers: [{}, {speed: 4xXDR}]");
  CHECK(speed_text(link(fast, "leaf00", 1)) == "4xNDR");
  CHECK(speed_text(link(fast, "leaf00", 3)) == "4xXDR");
}

TEST_CASE("machines fill the leaves in order, rails as laid out", "[fast][xgft]") {
  const Topology some = built("children: [4, 3], parents: [1, 2], hosts: 6");
  CHECK(some.hosts.size() == 6);
  CHECK(switches(some) == Counts{3, 2});
  CHECK(peer(some, "leaf01", 2) == "host0005 mlx5_0[1]");
  CHECK(peer(some, "leaf01", 3) == "free");

  const Topology shared = built("children: [4, 2], parents: [1, 2], rails: 2, rail_layout: shared_leaves");
  CHECK(shared.hosts.size() == 4);
  CHECK(peer(shared, "leaf01", 2) == "host0002 mlx5_1[1]");
  const Topology apart = built("children: [4, 2], parents: [1, 2], rails: 2");
  CHECK(apart.hosts.size() == 4);
  CHECK(peer(apart, "leaf01", 3) == "host0002 mlx5_1[1]");
  const Topology planes = built("children: [4, 2], parents: [1, 2], rails: 2, rail_layout: planes");
  CHECK(planes.hosts.size() == 8);
  CHECK(planes.count(NodeKind::switch_) == 8);
  CHECK(peer(planes, "plane1-leaf01", 3) == "host0006 mlx5_1[1]");
  CHECK(peer(planes, "plane0-leaf01", 5) == "plane0-spine00[2]");
  CHECK(planes.planes == 2);
  CHECK(planes.tree);  // of each
}

// Zahavi 2010: as much bandwidth up as down on every level, and each shift loads a link with one flow at
// most.
TEST_CASE("D-mod-K routes every shift of a full XGFT without contention", "[fast][xgft]") {
  CHECK(worst_shift_load(built("children: [4, 4], parents: [1, 2], parallel: [1, 2]")) == 1);
  CHECK(worst_shift_load(built("children: [3, 3, 4], parents: [1, 3, 3]")) == 1);
  CHECK(worst_shift_load(built("children: [2, 2, 2, 2], parents: [1, 2, 2, 2]")) == 1);
  CHECK(worst_shift_load(built("children: [6, 6, 2], parents: [1, 3, 2], parallel: [1, 2, 6]")) == 1);
  CHECK(worst_shift_load(built("children: [4, 4], parents: [1, 2]")) == 2);  // tapered to a half
}

TEST_CASE("vectors that make no tree are refused at their key", "[fast][xgft]") {
  CHECK_THAT(refusal("children: []"), ContainsSubstring("children: give one number a level"));
  CHECK_THAT(refusal("children: [2,2,2,2,2,2,2,2,2]"),
             ContainsSubstring("children: give one number a level"));
  CHECK(refusal("children: [2, 2], parents: [1]") == "parents: 1 numbers, but `children` gives 2 levels");
  CHECK(refusal("children: [2, 2], parallel: [1, 1, 1]") ==
        "parallel: 3 numbers, but `children` gives 2 levels");
  CHECK_THAT(refusal("children: [2, 0]"), ContainsSubstring("children[1]: a switch has 1 to 254 ports"));
  CHECK_THAT(refusal("children: [2, 4294967295]"), ContainsSubstring("children[1]: a switch has 1 to 254"));
  CHECK_THAT(refusal("children: [2], parents: [2]"),
             ContainsSubstring("parents[0]: an adapter port has one"));
  CHECK_THAT(refusal("children: [2], parallel: [2]"), ContainsSubstring("parallel[0]: an adapter port has"));
  CHECK(refusal("children: [2], tiers: [{}, {}]") == "tiers: 2 tiers, but `children` gives 1 levels");
  CHECK(refusal("children: [40, 40], parents: [1, 25]") ==
        "children[0]: a switch of level 1 needs 40 ports down and 25 up, and `qm9700` has 64");
  CHECK_THAT(refusal("children: [40, 40], parents: [1, 2], tiers: [{}, {radix: 39}]"),
             ContainsSubstring("children[1]: a switch of level 2 needs 40 ports down and 0 up"));
  CHECK(refusal("children: [2, 2], tiers: [{}, {switch: none}]") ==
        "tiers[1].switch: there is no switch profile `none`");
  CHECK_THAT(refusal("children: [2, 2], tiers: [{speed: fast}]"),
             ContainsSubstring("tiers[0].speed: `fast`"));
  CHECK(refusal("children: [2, 2], hosts: 5") ==
        "hosts: the leaves of this tree take 1 to 4 machines of 1 rail(s), not 5");
  CHECK(refusal("children: [3, 2], rails: 2, rail_layout: shared_leaves") ==
        "rails: 2 rails do not divide the 3 ends of a leaf");
  CHECK(refusal("children: [2, 3], rails: 2") == "rails: 2 rails do not divide the 3 leaves");
  CHECK_THAT(refusal("children: [60, 60, 60, 60, 60]"), ContainsSubstring("are too many"));
  CHECK_THAT(refusal("children: [2, 2, 2, 2, 2, 2], parents: [1, 60, 60, 60, 60, 60]"),
             ContainsSubstring("too many to simulate"));
}
