#include "models/routing/least_hops.h"

#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// The same from distances alone: ports whose neighbour is one step nearer to `to`.
std::vector<std::uint8_t> by_distance(const SwitchGraph& graph, NodeIndex from, NodeIndex to) {
  const std::vector<std::uint32_t> distance = graph.distances(to);
  std::vector<std::uint8_t> ports;
  if (from == to || distance[from] == SwitchGraph::kUnreached) return ports;
  for (const SwitchLink& link : graph.links(from))
    if (distance[link.peer] + 1 == distance[from]) ports.push_back(link.port);
  return ports;
}

void check_all_pairs(const Topology& t) {
  const SwitchGraph graph(t);
  LeastHops least_hops(graph);
  for (const NodeIndex from : graph.switches()) {
    least_hops.start_from(from);
    for (const NodeIndex to : graph.switches()) {
      CAPTURE(t.nodes[from].name, t.nodes[to].name);
      REQUIRE(least_hops.ports_to(to) == by_distance(graph, from, to));
    }
  }
}

}  // namespace

TEST_CASE("least hops are those of the distances") {
  for (const Topology& t : {ring(7), torus(5), two_level(6, 3, 2, 2), k_ary_tree(6)}) check_all_pairs(t);
}

TEST_CASE("least hops over ports of every number") {
  // A hub with 250 ports, each neighbour with two cables to it; further ports hold hosts.
  Topology t;
  t.add_node(NodeKind::switch_, "hub", 254);
  for (unsigned i = 0; i < 125; ++i) {
    t.add_node(NodeKind::switch_, fmt::format("sw{}", i), 200);
    cable(t, 0, i + 1, i + 1, i + 1);
    cable(t, 0, 250 - i, i + 1, 200);
  }
  check_all_pairs(addressed(std::move(t)));
}

TEST_CASE("no ports lead to a switch that no way leads to") {
  Topology t = two_level(2, 1, 1);
  unplug(t, t.find("leaf1"), 2);
  check_all_pairs(t);
  const SwitchGraph graph(t);
  LeastHops least_hops(graph);
  least_hops.start_from(t.find("leaf0"));
  CHECK(least_hops.ports_to(t.find("leaf1")).empty());
  CHECK(least_hops.ports_to(t.find("spine0")) == std::vector<std::uint8_t>{2});
}
