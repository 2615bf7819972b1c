// Compared tables against a comparison that writes every path out.
#include "models/routing/table_difference.h"

#include "models/topology/removal.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Switches and ports from an end on, until it arrives, leads nowhere, or has been everywhere.
std::vector<std::pair<NodeIndex, unsigned>> path(const Topology& t, const Routes& routes, PortRef from,
                                                 Lid lid) {
  std::vector<std::pair<NodeIndex, unsigned>> steps;
  NodeIndex at = t.nodes[from.node].port(from.port).peer_node;
  while (t.nodes[at].kind == NodeKind::switch_ && steps.size() <= t.nodes.size()) {
    const unsigned out = routes.lft[at][lid];
    steps.emplace_back(at, out);
    if (out == 0 || out > t.nodes[at].ports.size() || t.nodes[at].port(out).peer_node == kNone) break;
    at = t.nodes[at].port(out).peer_node;
  }
  return steps;
}

std::uint64_t changed_paths(const Topology& t, const Routes& a, const Routes& b) {
  std::uint64_t changed = 0;
  for (const Endpoint& from : t.endpoints())
    for (const Endpoint& to : t.endpoints()) {
      if (from.where == to.where) continue;
      const Port& port = t.nodes[to.where.node].port(to.where.port);
      for (Lid lid = port.lid; lid < port.lid + (Lid{1} << port.lmc); ++lid)
        changed += path(t, a, from.where, lid) != path(t, b, from.where, lid);
    }
  return changed;
}

}  // namespace

TEST_CASE("entries and paths that differ are those that do") {
  const Topology with_lmc = addressed(built_topology("{type: fat_tree, hosts: 12, levels: 2, radix: 8}"), 1);
  const std::vector<std::tuple<Topology, const char*, const char*>> cases{
      {k_ary_tree(4), "minhop", "dmodk"}, {k_ary_tree(4), "updn", "random"}, {ring(6), "minhop", "dfsssp"},
      {torus(4), "minhop", "dfsssp"},     {with_lmc, "minhop", "random"},    {ring(5), "sssp", "sssp"}};
  for (const auto& [t, first, second] : cases) {
    CAPTURE(first, second, t.nodes.size());
    const Routes a = make_routing_engine(first)->build(t, {}), b = make_routing_engine(second)->build(t, {});
    const TableDifference difference = compare_tables(t, a.lft, b.lft);
    std::size_t entries = 0, different = 0;
    for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
      if (t.nodes[n].kind != NodeKind::switch_) continue;
      std::size_t here = 0;
      for (const Node& node : t.nodes) {
        const bool is_switch = node.kind == NodeKind::switch_;
        const Lid base = is_switch ? node.lid : node.port(1).lid;
        for (Lid lid = base; lid < base + (Lid{1} << (is_switch ? node.lmc : node.port(1).lmc)); ++lid) {
          ++entries;
          here += a.lft[n][lid] != b.lft[n][lid];
        }
      }
      different += here;
      const auto told = std::ranges::find(difference.switches, n, &TableDifference::OfSwitch::node);
      CHECK((told == difference.switches.end() ? 0 : told->different) == here);
    }
    CHECK(difference.entries == entries);
    CHECK(difference.different == different);
    CHECK(difference.changed == changed_paths(t, a, b));
    if (std::string(first) == second) CHECK(different == 0);
    if (std::string(first) != second) CHECK(different > 0);
  }
}

TEST_CASE("one entry changed changes the paths that take it") {
  const Topology t = ring(6);  // sw0 - sw1 - ... : port 2 onwards, port 3 back
  const Routes before = make_routing_engine("minhop")->build(t, {});
  Routes after = before;
  const Lid h2 = lid_of(t, "h2");
  REQUIRE(before.lft[t.find("sw1")][h2] == 2);
  after.lft.set(t.find("sw1"), h2, 3);  // to sw0, and back again: h0, h1 circle
  const TableDifference difference = compare_tables(t, before.lft, after.lft);
  CHECK(difference.different == 1);
  CHECK(difference.changed == changed_paths(t, before, after));
  CHECK(difference.changed >= 2);
  CHECK(difference.pairs == 30);
  after.lft.set(t.find("sw1"), h2, kNoPort);
  CHECK(compare_tables(t, before.lft, after.lft).changed == difference.changed);
  CHECK(compare_tables(t, after.lft, after.lft).changed == 0);
}

TEST_CASE("a circle that both tables have is no difference") {
  const Topology t = ring(4);
  Routes both = make_routing_engine("minhop")->build(t, {});
  const Lid h2 = lid_of(t, "h2");
  both.lft.set(t.find("sw0"), h2, 2);
  both.lft.set(t.find("sw1"), h2, 3);
  const TableDifference difference = compare_tables(t, both.lft, both.lft);
  CHECK(difference.different == 0);
  CHECK(difference.changed == 0);
}

TEST_CASE("after a removal, what is left is compared") {
  const Topology t = two_level(3, 2, 2);
  const Routes before = make_routing_engine("minhop")->build(t, {});
  const std::vector<NodeIndex> spine{t.find("spine1")};
  const Removal removal = without(t, {}, spine);
  const Routes after = make_routing_engine("minhop")->build(removal.topology, {});
  const TableDifference difference = compare_tables(t, before.lft, removal.topology, after.lft, removal.now);
  // What spine1 is asked for no longer counts; spine0 has but one way to each leaf, before and after.
  for (const auto& [node, different] : difference.switches) {
    CHECK(t.nodes[node].level == 0);
    CHECK(different > 0);
  }
  std::size_t through_spine1 = 0;  // entries that must change
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
    if (t.nodes[n].level != 0) continue;
    for (unsigned h = 0; h < 6; ++h)
      through_spine1 +=
          t.nodes[n].port(before.lft[n][lid_of(t, fmt::format("h{}", h))]).peer_node == spine[0];
  }
  CHECK(through_spine1 > 0);
  CHECK(difference.entries == 4 * (6 + 4));
  CHECK(difference.different >= through_spine1);
}
