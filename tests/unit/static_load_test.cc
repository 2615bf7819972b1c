// Static loads, tables side by side, fabrics with parts missing: counted by hand and against each other.
#include "models/routing/static_load.h"

#include <map>

#include "models/routing/dmodk.h"
#include "models/routing/minhop.h"
#include "models/routing/table_difference.h"
#include "models/routing/validate.h"
#include "models/topology/removal.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

FlowList all_to_all(std::uint32_t n) {
  return [n](const auto& visit) {
    for (std::uint32_t s = 0; s < n; ++s)
      for (std::uint32_t d = 0; d < n; ++d)
        if (s != d) visit(Flow{s, d, 1});
  };
}

FlowList shift(std::uint32_t n, std::uint32_t by) {
  return [n, by](const auto& visit) {
    for (std::uint32_t s = 0; s < n; ++s) visit(Flow{s, (s + by) % n, 1});
  };
}

FlowList list(std::vector<Flow> flows) {
  return [flows = std::move(flows)](const auto& visit) {
    for (const Flow& flow : flows) visit(flow);
  };
}

std::uint64_t busiest(const LoadReport& report) {
  std::uint64_t most = 0;
  for (const LinkLoad& link : report.links) most = std::max(most, link.flows);
  return most;
}

}  // namespace

TEST_CASE("an all-to-all's load is check_routes' subscription, and every hop is a link taken") {
  for (const Topology& t : {two_level(6, 3, 4, 2), torus(4), k_ary_tree(4)}) {
    const Routes routes = minhop_routes(t);
    StaticLoad load(t, routes);
    const auto n = static_cast<std::uint32_t>(t.endpoints().size());
    const LoadReport& report = load.of(all_to_all(n));
    const RouteReport paths = check_routes(t, routes);
    std::map<std::pair<NodeIndex, std::uint8_t>, std::uint64_t> flows;
    std::uint64_t taken = 0, links = 0;
    for (const LinkLoad& link : report.links) {
      flows[{link.port.node, link.port.port}] = link.flows;
      taken += link.flows;
    }
    for (const auto& s : paths.subscription) CHECK(flows.at({s.port.node, s.port.port}) == s.flows);
    for (const auto& [hops, pairs] : paths.pairs_by_hops) links += (hops + 1) * pairs;
    CHECK(report.flows == std::uint64_t{n} * (n - 1));
    CHECK(report.links_taken == links);
    CHECK(taken == links);
    CHECK(report.lost == 0);
  }
}

TEST_CASE("D-mod-K on full trees: no shift puts two flows on a link") {
  for (const char* mapping :
       {"{type: fat_tree, hosts: 4, levels: 2, radix: 4}", "{type: fat_tree, hosts: 8, levels: 2, radix: 4}",
        "{type: fat_tree, hosts: 16, levels: 3, radix: 4}",
        "{type: fat_tree, hosts: 32, levels: 2, radix: 8}",
        "{type: fat_tree, hosts: 128, levels: 3, radix: 8}",
        "{type: fat_tree, hosts: 648, levels: 2, radix: 36}",
        "{type: fat_tree, hosts: 2048, levels: 2, radix: 64}"}) {
    CAPTURE(mapping);
    const Topology t = addressed(built_topology(mapping));
    const Routes routes = dmodk_routes(t);
    StaticLoad load(t, routes);
    const auto n = static_cast<std::uint32_t>(t.endpoints().size());
    std::uint64_t most = 0;
    for (std::uint32_t by = 1; by < n; ++by) most = std::max(most, busiest(load.of(shift(n, by))));
    CHECK(most == 1);
  }
}

TEST_CASE("a flow has the least of its links' shares, by bytes and by rate") {
  Topology t;
  const NodeIndex left = t.add_node(NodeKind::switch_, "left", 4),
                  right = t.add_node(NodeKind::switch_, "right", 4);
  LinkSpec slow;
  slow.rate = gigabits_per_second(100);
  LinkSpec fast;
  fast.rate = gigabits_per_second(200);
  t.connect({left, 4}, {right, 4}, slow);
  for (unsigned i = 0; i < 4; ++i) {
    const NodeIndex host = t.add_node(NodeKind::hca, fmt::format("h{}", i), 1);
    t.nodes[host].host = i;
    t.hosts.push_back(t.nodes[host].name);
    t.connect({host, 1}, {i < 2 ? left : right, static_cast<std::uint8_t>(1 + i % 2)}, fast);
  }
  t = addressed(std::move(t));
  const Routes routes = minhop_routes(t);
  StaticLoad load(t, routes);
  // h0 -> h2 with 3 bytes, h1 -> h3 with 1: they share 100 Gb/s three to one.
  const LoadReport& report = load.of([](const auto& visit) {
    visit(Flow{0, 2, 3});
    visit(Flow{1, 3, 1});
  });
  CHECK(report.least_bandwidth == Approx(25e9));
  CHECK(report.mean_bandwidth == Approx(50e9));
  CHECK(report.least_share == Approx(0.125));
  CHECK(report.slowest.source == 1);
  CHECK(most_loaded(report, 1).at(0).load == Approx(4.0));  // two ends of 200 Gb/s want into 100
  // A flow that does not arrive loads nothing, and is told.
  Routes broken = minhop_routes(t);
  broken.lft.set(left, lid_of(t, "h3"), kNoPort);
  StaticLoad lossy(t, broken);
  CHECK(lossy.of(shift(4, 2)).lost == 1);
  CHECK(lossy.of(shift(4, 2)).flows == 3);
}

TEST_CASE("tables side by side: entries, and the pairs whose path they change") {
  const Topology t = ring(4);
  const Routes before = minhop_routes(t);
  Routes after = minhop_routes(t);
  CHECK(compare_tables(t, before.lft, after.lft).different == 0);
  // sw0 sends to h1 the other way round: only what starts at sw0, or comes through it, takes another path.
  after.lft.set(0, lid_of(t, "h1"), 3);
  const TableDifference difference = compare_tables(t, before.lft, after.lft);
  CHECK(difference.entries == 4 * 8);
  CHECK(difference.different == 1);
  REQUIRE(difference.switches.size() == 1);
  CHECK(difference.switches[0].node == 0);
  CHECK(difference.pairs == 12);
  const bool from_3_by_0 = out_port(t, before, "sw3", "h1") == 2;
  CHECK(difference.changed == (from_3_by_0 ? 2 : 1));
}

TEST_CASE("what is removed is gone, all else keeps its name, GUID and LID") {
  const Topology t = two_level(3, 2, 2);
  const std::uint32_t cable = t.nodes[t.find("leaf0")].port(1).cable;
  const Removal removal = without(t, std::vector{cable}, std::vector{t.find("spine0")});
  const Topology& left = removal.topology;
  CHECK(left.nodes.size() == t.nodes.size() - 1);
  CHECK(left.find("spine0") == kNone);
  CHECK(removal.now[t.find("spine0")] == kNone);
  CHECK(left.cables.size() == t.cables.size() - 1 - 3);
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
    if (removal.now[n] == kNone) continue;
    const Node& now = left.nodes[removal.now[n]];
    CHECK(now.name == t.nodes[n].name);
    CHECK(now.guid == t.nodes[n].guid);
    CHECK(now.lid == t.nodes[n].lid);
    for (unsigned p = 1; p <= now.ports.size(); ++p) CHECK(now.port(p).lid == t.nodes[n].port(p).lid);
  }
  CHECK(removal.cut_off == std::vector<std::uint32_t>{0});
  CHECK(left.endpoints().size() == 5);
  const RouteReport report = check_routes(left, minhop_routes(left));
  CHECK(report.reached == 20);
  CHECK(without(t, {}, {}).topology.cables == t.cables);
}

TEST_CASE("the receiver's cable is what an incast loads, and a source's own flows hold nobody up") {
  const Topology t = two_level(2, 1, 3);  // h0 h1 h2 | h3 h4 h5
  const Routes routes = minhop_routes(t);
  StaticLoad load(t, routes);
  const LoadReport& incast = load.of([](const auto& visit) {
    for (std::uint32_t source = 0; source < 5; ++source) visit(Flow{source, 5, 8});
  });
  const std::vector<LinkLoad> most = most_loaded(incast, 2);
  REQUIRE(most.size() == 2);
  CHECK(most[0].port == PortRef{t.find("leaf1"), 3});
  CHECK(most[0].flows == 5);
  CHECK(most[0].load == Approx(5));
  CHECK(most[1].flows == 3);  // the cable between the leaf and the spine, either end
  CHECK(incast.mean_share == Approx(0.2));
  const LoadReport& fan_out = load.of([](const auto& visit) {
    visit(Flow{0, 1, 10});
    visit(Flow{0, 2, 10});
  });
  CHECK(fan_out.least_share == Approx(1));
  CHECK(fan_out.flows == 2);  // nothing is left of the pattern before
  CHECK(most_loaded(fan_out, 1).at(0).flows == 2);
}

TEST_CASE("flows that do not arrive are told and load nothing") {
  const Topology t = two_level(2, 2, 2);
  Routes routes = minhop_routes(t);
  const Lid lid = lid_of(t, "h3");
  const NodeIndex leaf0 = t.find("leaf0");
  const auto expect_lost = [&](std::uint8_t port) {
    routes.lft.set(leaf0, lid, port);
    StaticLoad load(t, routes);
    const LoadReport& report = load.of(list({{1, 2, 5}, {0, 3, 5}, {1, 3, 5}}));
    CHECK(report.flows == 1);
    CHECK(report.lost == 2);
    CHECK((report.first_lost.source == 0 && report.first_lost.destination == 3));
    CHECK(report.links_taken == 4);
  };
  expect_lost(kNoPort);  // no entry
  expect_lost(0);        // to the switch itself
  expect_lost(2);        // to another host
  expect_lost(200);      // a port it does not have
  routes.lft.set(leaf0, lid, 3);
  routes.lft.set(t.find("spine0"), lid, 1);  // back and forth for ever
  StaticLoad load(t, routes);
  CHECK(load.of(list({{0, 3, 5}})).lost == 1);
  CHECK(load.of(list({{0, 3, 5}})).least_bandwidth == 0);
}

TEST_CASE("nothing sent is nothing carried") {
  const Topology t = ring(4);
  const Routes routes = minhop_routes(t);
  StaticLoad load(t, routes);
  const LoadReport& report = load.of(list({}));
  CHECK(report.flows == 0);
  CHECK(report.mean_share == 0);
  CHECK(report.least_bandwidth == 0);
  CHECK(report.busiest_seconds == 0);
}

TEST_CASE("port sets cannot be counted") {
  const Topology t = two_level(2, 2, 2);
  Routes routes = minhop_routes(t);
  routes.groups.resize(t.nodes.size());
  CHECK_NOTHROW(StaticLoad(t, routes));
  routes.groups[t.find("leaf0")] = {{3, 4}};
  CHECK_THROWS_AS(StaticLoad(t, routes), BadValue);
}
