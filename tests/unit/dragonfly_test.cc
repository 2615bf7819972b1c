// Dragonflies and dragonfly+: counts, diameter, global links in each arrangement, ports, sizes that cannot
// be.
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "models/topology/global_links.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/topology_measures.h"

using namespace weft;
using namespace weft::test;

namespace {

Topology built(const std::string& keys) {
  Topology t = built_topology("{type: " + keys + "}");
  CHECK(t.check().empty());
  return t;
}

std::string refusal(const std::string& keys) { return topology_refusal("{type: " + keys + "}"); }

/// "group03-sw1" -> 3
std::uint32_t group_of(const Node& node) {
  return static_cast<std::uint32_t>(std::stoul(node.name.substr(5, node.name.find('-') - 5)));
}

/// Cables between each two groups.
std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> between_groups(const Topology& t) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> cables;
  for (const Cable& cable : t.cables) {
    const Node &a = t.nodes[cable.a.node], &b = t.nodes[cable.b.node];
    if (a.kind != NodeKind::switch_ || b.kind != NodeKind::switch_ || group_of(a) == group_of(b)) continue;
    ++cables[std::minmax(group_of(a), group_of(b))];
  }
  return cables;
}

constexpr Arrangement kArrangements[] = {Arrangement::absolute, Arrangement::relative,
                                         Arrangement::circulant};

}  // namespace

TEST_CASE("in every arrangement the groups' ports pair up, each two groups once", "[fast][dragonfly]") {
  for (const Arrangement arrangement : kArrangements)
    for (std::uint32_t groups = 2; groups <= 12; ++groups)
      for (std::uint32_t group = 0; group < groups; ++group) {
        std::set<std::uint32_t> reached;
        for (std::uint32_t q = 0; q + 1 < groups; ++q) {
          const GlobalPort peer = global_peer(arrangement, groups, {group, q});
          CHECK(peer.group != group);
          CHECK(peer.port + 1 < groups);
          CHECK(global_peer(arrangement, groups, peer) == GlobalPort{group, q});
          reached.insert(peer.group);
        }
        CHECK(reached.size() == groups - 1);
      }
}

// Hastings et al. 2015: absolute in order of number, relative in order of distance, circulant by turns.
TEST_CASE("each arrangement leads where it is defined to", "[fast][dragonfly]") {
  const auto reached = [](Arrangement arrangement, std::uint32_t groups, std::uint32_t group) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t q = 0; q + 1 < groups; ++q)
      order.push_back(global_peer(arrangement, groups, {group, q}).group);
    return order;
  };
  using Order = std::vector<std::uint32_t>;
  CHECK(reached(Arrangement::absolute, 7, 3) == Order{0, 1, 2, 4, 5, 6});
  CHECK(reached(Arrangement::relative, 7, 3) == Order{4, 5, 6, 0, 1, 2});
  CHECK(reached(Arrangement::circulant, 7, 3) == Order{4, 2, 5, 1, 6, 0});
  CHECK(reached(Arrangement::circulant, 6, 5) == Order{0, 4, 1, 3, 2});
}

TEST_CASE("a dragonfly has the counts and diameter of its numbers", "[fast][dragonfly]") {
  // p, a, h, g and the cables between two groups: floor(a h / (g-1))
  const auto [p, a, h, g, n] =
      GENERATE(std::tuple{2u, 4u, 2u, 9u, 1u}, std::tuple{4u, 8u, 4u, 33u, 1u},
               std::tuple{2u, 4u, 2u, 5u, 2u}, std::tuple{1u, 3u, 4u, 6u, 2u}, std::tuple{2u, 4u, 2u, 2u, 8u},
               std::tuple{3u, 5u, 2u, 1u, 0u}, std::tuple{1u, 1u, 4u, 5u, 1u});
  const std::string arrangement = GENERATE("absolute", "relative", "circulant");
  const Topology t =
      built(fmt::format("dragonfly, hosts_per_switch: {}, switches_per_group: {}, global_per_switch: {}, "
                        "groups: {}, arrangement: {}",
                        p, a, h, g, arrangement));
  CHECK(t.hosts.size() == a * p * g);
  CHECK(t.count(NodeKind::switch_) == a * g);
  CHECK(trunk_cables(t) == g * a * (a - 1) / 2 + n * g * (g - 1) / 2);
  const auto pairs = between_groups(t);
  CHECK(pairs.size() == g * (g - 1) / 2);
  for (const auto& [pair, cables] : pairs) CHECK(cables == n);
  CHECK(diameter(t) <= 3);
  if (n == 1 && a > 1) CHECK(diameter(t) == 3);
  // Half of the groups against the other half.
  if (g % 2 == 0)
    CHECK(cut(t, [a = a, g = g](std::uint32_t s) { return s / a < g / 2; }) == g / 2 * (g / 2) * n);
  CHECK(t.warnings.size() == (g > 1 && a * h % (g - 1) != 0 ? 1 : 0));
}

TEST_CASE("a dragonfly left to itself is balanced: a = 2p, h = p, g = a h + 1", "[fast][dragonfly]") {
  const Topology t = built("dragonfly, hosts_per_switch: 3");  // a = 6, h = 3, g = 19
  CHECK(t.hosts.size() == 3 * 6 * 19);
  const Topology large = built_topology("{type: dragonfly, hosts_per_switch: 13}");
  CHECK(large.hosts.size() == 13 * 26 * 339);  // 114,582
  CHECK(large.cables.size() == 114'582 + 339 * 26 * 25 / 2 + 339 * 338 / 2);
}

TEST_CASE("ports of a dragonfly: machines, the group, other groups", "[fast][dragonfly]") {
  const Topology t = built("dragonfly, hosts_per_switch: 2, switches_per_group: 4, global_per_switch: 2");
  CHECK(peer_of(t, "group01-sw02", 2) == "host0013 mlx5_0[1]");
  CHECK(peer_of(t, "group01-sw02", 3) == "group01-sw00[4]");  // it is the second of 1, 2, 3 there
  CHECK(peer_of(t, "group01-sw02", 4) == "group01-sw01[4]");
  CHECK(peer_of(t, "group01-sw02", 5) == "group01-sw03[5]");
  // Global ports 0 .. 7 of group 1, absolute: 0, 2, 3 ... 8. Its fifth leads to group 5, whose port 1 leads
  // back.
  CHECK(peer_of(t, "group01-sw00", 6) == "group00-sw00[6]");
  CHECK(peer_of(t, "group01-sw02", 6) == "group05-sw00[7]");
  CHECK(peer_of(t, "group01-sw03", 7) == "group08-sw00[7]");
  CHECK(peer_of(t, "group01-sw03", 8) == "free");
  const Topology twice = built(
      "dragonfly, hosts_per_switch: 2, switches_per_group: 4, global_per_switch: 2, groups: 5, arrangement: "
      "relative");
  // Four others, twice: the second round begins on the third switch.
  CHECK(peer_of(twice, "group01-sw00", 6) == "group02-sw01[7]");
  CHECK(peer_of(twice, "group01-sw02", 6) == "group02-sw03[7]");
  const Topology once = built(
      "dragonfly, hosts_per_switch: 2, switches_per_group: 4, global_per_switch: 2, groups: 5, parallel: 1");
  CHECK(peer_of(once, "group01-sw02", 6) == "free");
}

TEST_CASE("cables within and between groups", "[fast][dragonfly]") {
  const Topology t = built(
      "dragonfly, hosts_per_switch: 2, host_link: {cable: dac}, local_link: {cable: acc}, global_link: "
      "{speed: "
      "4xHDR, cable: optics, length: 100 m}");
  CHECK(link_of(t, "group00-sw00", 1).cable == "dac");
  CHECK(link_of(t, "group00-sw00", 3).cable == "acc");
  CHECK(link_of(t, "group00-sw00", 6).cable == "optics");
  CHECK(speed_text(link_of(t, "group00-sw00", 6)) == "4xHDR");
  CHECK(speed_text(link_of(t, "group00-sw00", 3)) == "4xNDR");
}

TEST_CASE("a dragonfly+ has the counts and diameter of its numbers", "[fast][dragonfly]") {
  // p, l, s, h, g and the cables between two groups: floor(s h / (g-1))
  const auto [p, l, s, h, g, n] =
      GENERATE(std::tuple{2u, 2u, 2u, 2u, 5u, 1u}, std::tuple{4u, 4u, 4u, 4u, 17u, 1u},
               std::tuple{3u, 2u, 4u, 2u, 5u, 2u}, std::tuple{2u, 3u, 2u, 3u, 4u, 2u},
               std::tuple{2u, 3u, 2u, 3u, 1u, 0u});
  const Topology t = built(fmt::format(
      "dragonfly_plus, hosts_per_leaf: {}, leaves: {}, spines: {}, global_per_spine: {}, groups: {}", p, l, s,
      h, g));
  CHECK(t.hosts.size() == g * l * p);
  CHECK(t.count(NodeKind::switch_) == g * (l + s));
  CHECK(trunk_cables(t) == g * l * s + n * g * (g - 1) / 2);
  for (const auto& [pair, cables] : between_groups(t)) CHECK(cables == n);
  CHECK(between_groups(t).size() == g * (g - 1) / 2);
  CHECK(diameter(t, [](const Node& node) { return node.level == 0; }) == (g > 1 ? 3 : 2));
}

// Shpiner et al.: with switches of k ports k^4/16 + k^2/4 machines.
TEST_CASE("a dragonfly+ left to itself is balanced", "[fast][dragonfly]") {
  const std::uint32_t k = GENERATE(4u, 6u, 8u, 36u);
  const Topology t =
      built_topology(fmt::format("{{type: dragonfly_plus, hosts_per_leaf: {}, radix: {}}}", k / 2, k));
  CHECK(t.hosts.size() == k * k * k * k / 16 + k * k / 4);  // 105,300 for k = 36
  for (const Node& node : t.nodes)
    if (node.kind == NodeKind::switch_) CHECK(std::ranges::count(node.ports, kNone, &Port::peer_node) == 0);
}

TEST_CASE("ports of a dragonfly+: leaves before spines, down before global", "[fast][dragonfly]") {
  const Topology t = built("dragonfly_plus, hosts_per_leaf: 2, leaves: 3, spines: 2, global_per_spine: 2");
  CHECK(peer_of(t, "group01-leaf02", 1) == "host0010 mlx5_0[1]");
  CHECK(peer_of(t, "group01-leaf02", 4) == "group01-spine01[3]");
  CHECK(peer_of(t, "group01-spine01", 1) == "group01-leaf00[4]");
  CHECK(peer_of(t, "group01-spine00", 4) == "group00-spine00[4]");  // absolute: 0, 2, 3, 4
  CHECK(peer_of(t, "group01-spine01", 5) == "group04-spine00[5]");
  CHECK(peer_of(t, "group01-spine01", 6) == "free");
  NodeIndex first_switch = 0;
  while (t.nodes[first_switch].kind != NodeKind::switch_) ++first_switch;
  CHECK(t.nodes[first_switch + 14].name == "group04-leaf02");
  CHECK(t.nodes[first_switch + 15].name == "group00-spine00");
  const Topology planes = built("dragonfly_plus, hosts_per_leaf: 2, groups: 3, rails: 2");
  CHECK(planes.hosts.size() == 12);
  CHECK(peer_of(planes, "plane1-group02-leaf01", 2) == "host0011 mlx5_1[1]");
}

TEST_CASE("dragonflies that cannot be are refused at their key", "[fast][dragonfly]") {
  CHECK(refusal("dragonfly, hosts_per_switch: 2, switches_per_group: 4, global_per_switch: 2, groups: 10") ==
        "groups: 10 groups cannot all be joined: the 8 global ports of each reach 9");
  CHECK(refusal("dragonfly, hosts_per_switch: 2, groups: 5, parallel: 3") ==
        "parallel: the 8 global ports of a group give 1 to 2 cables to each of 4 others, not 3");
  CHECK(refusal("dragonfly, hosts_per_switch: 20, groups: 2") ==
        "hosts_per_switch: a switch needs 20 ports for machines and 59 for the network, and `qm9700` has 64");
  CHECK(refusal("dragonfly_plus, hosts_per_leaf: 2, leaves: 60, global_per_spine: 5") ==
        "groups: a switch needs 65 ports, and `qm9700` has 64");
  CHECK_THAT(refusal("dragonfly, hosts_per_switch: 1, switches_per_group: 20, global_per_switch: 40, groups: "
                     "1000000"),
             ContainsSubstring("groups: 20000000 ends are too many"));
  CHECK_THAT(refusal("dragonfly, arrangement: random"), ContainsSubstring("absolute, relative, circulant"));
  CHECK_THAT(refusal("dragonfly, groups: 0"), ContainsSubstring("groups"));
  const Topology odd = built("dragonfly, hosts_per_switch: 2, groups: 4");
  REQUIRE(odd.warnings.size() == 1);
  CHECK(odd.warnings[0] ==
        "2 of the 8 global ports of each group stay free: they are too few for one more cable to each of 3 "
        "other "
        "groups");
}
