#include "models/topology/removal.h"

#include <numeric>

#include "models/routing/channel_graph.h"
#include "models/routing/validate.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

std::uint32_t cable_of(const Topology& t, const char* node, unsigned port) {
  return t.nodes[t.find(node)].port(port).cable;
}

/// What each node is cabled to, whatever the order of cables.
std::vector<std::string> cabling(const Topology& t) {
  std::vector<std::string> all;
  for (const Cable& cable : t.cables) {
    const std::string a = t.display_name(cable.a), b = t.display_name(cable.b);
    all.push_back(a < b ? a + " " + b : b + " " + a);
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("nothing taken out is the same fabric") {
  for (const Topology& t : {two_level(3, 2, 2, 2), ring(5), torus(3)}) {
    const Removal removal = without(t, {}, {});
    CHECK(removal.topology.nodes == t.nodes);
    CHECK(removal.topology.cables == t.cables);
    CHECK(removal.topology.hosts == t.hosts);
    CHECK(removal.topology.tree == t.tree);
    CHECK(removal.topology.grid == t.grid);
    CHECK(removal.cut_off.empty());
    std::vector<NodeIndex> same(t.nodes.size());
    std::iota(same.begin(), same.end(), NodeIndex{0});
    CHECK(removal.now == same);
  }
}

TEST_CASE("a cable taken out is a cable unplugged") {
  const Topology t = k_ary_tree(4);
  const std::vector<std::uint32_t> cables{cable_of(t, "leaf0", 3), cable_of(t, "core1", 2),
                                          cable_of(t, "h5", 1), cable_of(t, "leaf0", 3)};
  const Removal removal = without(t, cables, {});
  Topology unplugged = t;
  unplug(unplugged, t.find("leaf0"), 3);
  unplug(unplugged, t.find("core1"), 2);
  unplug(unplugged, t.find("h5"), 1);
  for (Node& node : unplugged.nodes)
    for (Port& port : node.ports)
      if (port.peer_node == kNone) port.peer_port = 0;
  CHECK(removal.topology.nodes == unplugged.nodes);
  CHECK(removal.topology.cables == unplugged.cables);
  CHECK(removal.cut_off == std::vector<std::uint32_t>{5});
  CHECK(removal.topology.tree == t.tree);
  for (const char* engine : {"minhop", "dmodk", "updn"}) {
    const Routes ours = make_routing_engine(engine)->build(removal.topology, {});
    CHECK(ours.lft == make_routing_engine(engine)->build(unplugged, {}).lft);
    const RouteReport report = check_routes(removal.topology, ours);
    CHECK(report.pairs == 15 * 14);
    CHECK(report.reached == report.pairs);
  }
}

TEST_CASE("a switch taken out takes its cables along, and keeps the others' addresses") {
  const Topology t = two_level(3, 2, 2);
  const std::vector<NodeIndex> spine{t.find("spine0")}, leaf{t.find("leaf1")};
  const Removal removal = without(t, {}, spine);
  const Topology& left = removal.topology;
  CHECK(left.nodes.size() == t.nodes.size() - 1);
  CHECK(left.cables.size() == t.cables.size() - 3);
  CHECK(left.find("spine0") == kNone);
  CHECK(removal.now[spine[0]] == kNone);
  CHECK(removal.cut_off.empty());
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
    if (n == spine[0]) continue;
    const Node &was = t.nodes[n], &is = left.nodes[removal.now[n]];
    CHECK(is.name == was.name);
    CHECK(is.guid == was.guid);
    CHECK(is.lid == was.lid);
    CHECK(is.ports.size() == was.ports.size());
    for (std::size_t p = 0; p < was.ports.size(); ++p) {
      CHECK(is.ports[p].lid == was.ports[p].lid);
      const bool lost = was.ports[p].peer_node == spine[0];
      CHECK((is.ports[p].peer_node == kNone) == (lost || was.ports[p].peer_node == kNone));
      if (!lost && was.ports[p].peer_node != kNone) {
        CHECK(is.ports[p].peer_node == removal.now[was.ports[p].peer_node]);
        CHECK(is.ports[p].peer_port == was.ports[p].peer_port);
      }
    }
  }
  const Removal without_leaf = without(t, {}, leaf);
  CHECK(without_leaf.cut_off == std::vector<std::uint32_t>{2, 3});
  CHECK(without_leaf.topology.endpoints().size() == 4);
  CHECK(without_leaf.topology.hosts == t.hosts);
}

TEST_CASE("taken out one by one or all at once") {
  const Topology t = addressed(built_topology("{type: torus, size: [4, 3], radix: 8}"));
  std::vector<NodeIndex> switches;
  for (NodeIndex n = 0; n < t.nodes.size(); ++n)
    if (t.nodes[n].kind == NodeKind::switch_) switches.push_back(n);
  const std::vector<NodeIndex> two{switches[1], switches[5]};
  const std::vector<std::uint32_t> cable{t.nodes[switches[8]].ports[0].cable};
  const Removal at_once = without(t, cable, two);
  const Removal first = without(t, cable, {});
  CHECK(first.topology.grid == t.grid);
  const std::vector<NodeIndex> one{first.now[two[0]]};
  const Removal second = without(first.topology, {}, one);
  CHECK(second.topology.grid == t.grid);
  CHECK(second.now[two[0]] == kNone);
  CHECK(second.topology.nodes[two[0]].lid == 0);
  const std::vector<NodeIndex> other{second.now[first.now[two[1]]]};
  const Removal third = without(second.topology, {}, other);
  CHECK(cabling(third.topology) == cabling(at_once.topology));
  CHECK(third.topology.nodes == at_once.topology.nodes);
}

TEST_CASE("torus-2QoS goes round a switch that is taken out, wherever it stood") {
  const Topology t = addressed(built_topology("{type: torus, size: [4, 4], radix: 8}"));
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
    if (t.nodes[n].kind != NodeKind::switch_) continue;
    CAPTURE(t.display_name(n));
    const std::vector<NodeIndex> one{n};
    const Removal removal = without(t, {}, one);
    const Routes routes = make_routing_engine("torus-2QoS")->build(removal.topology, {});
    const RouteReport report = check_routes(removal.topology, routes);
    CHECK(report.reached == report.pairs);
    CHECK(report.pairs == removal.topology.endpoints().size() * (removal.topology.endpoints().size() - 1));
    CHECK(routes.vls == 4);
    CHECK(find_credit_loop(removal.topology, routes, Ends::traffic_only).free_of_loops());
  }
}
