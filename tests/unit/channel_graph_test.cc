#include "models/routing/channel_graph.h"

#include "models/routing/minhop.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Each channel of the cycle ends at the switch the next one leaves, all the way round.
void check_closed(const Topology& t, const std::vector<Channel>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const PortRef from = cycle[i].from;
    CHECK(t.nodes[from.node].port(from.port).peer_node == cycle[(i + 1) % cycle.size()].from.node);
  }
}

std::string text(const Topology& t, const CreditLoopReport& report) {
  std::string all;
  for (const Channel& c : report.cycle)
    all += fmt::format("{}{}", all.empty() ? "" : " ", t.display_name(c.from));
  return all;
}

}  // namespace

TEST_CASE("a ring of five routed by least hops can deadlock") {
  const Topology t = ring(5);
  const CreditLoopReport report = find_credit_loop(t, minhop_routes(t), Ends::traffic_only);
  CHECK(text(t, report) == "sw0[2] sw1[2] sw2[2] sw3[2] sw4[2]");
  check_closed(t, report.cycle);
  CHECK(report.channels == 20);  // 5 hosts and 5 cables, both ways
}

TEST_CASE("a ring of four has ways of two hops in both directions, and a torus loops within four") {
  for (const unsigned side : {4u, 5u}) {
    const Topology t = torus(side);
    const CreditLoopReport report = find_credit_loop(t, minhop_routes(t), Ends::traffic_only);
    CHECK(report.cycle.size() == 4);
    check_closed(t, report.cycle);
  }
}

TEST_CASE("a shortest cycle is found among longer ones") {
  // A ring of three hangs on a ring of six by one cable: both loop on their own.
  Topology t;
  for (unsigned i = 0; i < 9; ++i) t.add_node(NodeKind::switch_, fmt::format("sw{}", i), 4);
  for (unsigned i = 0; i < 6; ++i) cable(t, i, 2, (i + 1) % 6, 3);
  for (unsigned i = 0; i < 3; ++i) cable(t, 6 + i, 2, 6 + (i + 1) % 3, 3);
  cable(t, 0, 4, 6, 4);
  for (unsigned i = 0; i < 9; ++i) add_host(t, fmt::format("h{}", i), i, 1);
  t = addressed(std::move(t));
  Routes routes = minhop_routes(t);
  // Send the small ring's neighbours the long way round.
  for (unsigned i = 0; i < 3; ++i) {
    routes.lft.set(6 + i, lid_of(t, fmt::format("h{}", 6 + (i + 2) % 3)), 2);
  }
  const CreditLoopReport report = find_credit_loop(t, routes, Ends::traffic_only);
  CHECK(text(t, report) == "sw6[2] sw7[2] sw8[2]");
}

TEST_CASE("trees have no credit loop") {
  for (const Topology& t : {two_level(4, 4, 4), k_ary_tree(4), k_ary_tree(6)}) {
    CHECK(find_credit_loop(t, minhop_routes(t), Ends::traffic_only).free_of_loops());
  }
}

TEST_CASE("one switch: every host's channel waits for every other's") {
  Topology t;
  t.add_node(NodeKind::switch_, "sw", 4);
  for (unsigned i = 0; i < 4; ++i) add_host(t, fmt::format("h{}", i), 0, i + 1);
  t = addressed(std::move(t));
  const CreditLoopReport report = find_credit_loop(t, minhop_routes(t), Ends::traffic_only);
  CHECK(report.channels == 8);
  CHECK(report.dependencies == 12);
  CHECK(report.free_of_loops());
}

TEST_CASE("ends on a spine close a loop that leaf traffic does not") {
  // Between spines ways go down and up again. Routed by hand, so that the two leaves serve opposite
  // directions.
  Topology t = two_level(2, 2, 1);
  for (const unsigned s : {0u, 1u}) {
    Node& spine = t.nodes[t.find(fmt::format("spine{}", s))];
    spine.ports.emplace_back();
    t.add_node(NodeKind::aggregation_node, fmt::format("an{}", s), 1);
    cable(t, t.find(fmt::format("spine{}", s)), 3, t.find(fmt::format("an{}", s)), 1);
  }
  t = addressed(std::move(t));
  Routes routes = minhop_routes(t);
  const auto send = [&](const char* sw, const char* to, std::uint8_t port) {
    routes.lft.set(t.find(sw), lid_of(t, to), port);
  };
  send("spine0", "an1", 1);  // over leaf0
  send("spine1", "an0", 2);  // over leaf1
  send("leaf0", "h1", 3);    // over spine1 ...
  send("leaf1", "h0", 2);    // ... and back over spine0
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
  const CreditLoopReport report = find_credit_loop(t, routes, Ends::with_aggregation_nodes);
  CHECK(report.cycle.size() == 4);
  check_closed(t, report.cycle);
}

TEST_CASE("a lane for the first cable and one for the others open a ring of five") {
  const Topology t = ring(5);  // no way is longer than two cables between switches
  const Routes routes = minhop_routes(t);
  const VlOf by_hop = [](NodeIndex, std::uint8_t in, std::uint8_t, std::uint8_t) -> std::uint8_t {
    return in > 1;
  };
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).cycle.size() == 5);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only, {0}, by_hop).free_of_loops());
  // One lane for all is the ring again, and the cycle names the lane.
  const VlOf by_sl = [](NodeIndex, std::uint8_t, std::uint8_t, std::uint8_t sl) { return sl; };
  const CreditLoopReport report = find_credit_loop(t, routes, Ends::traffic_only, {3}, by_sl);
  REQUIRE(report.cycle.size() == 5);
  for (const Channel& channel : report.cycle) CHECK(channel.vl == 3);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only, {3, 4}, by_sl).channels == 2 * report.channels);
}

TEST_CASE("no host sends to itself, whatever its switch would do with such a packet") {
  const Topology t = ring(3);
  Routes routes = minhop_routes(t);
  routes.lft.set(1, lid_of(t, "h0"), 2);
  routes.lft.set(2, lid_of(t, "h0"), kNoPort);  // nobody's packets for h0 come to sw0
  const CreditLoopReport delivered = find_credit_loop(t, routes, Ends::traffic_only);
  routes.lft.set(0, lid_of(t, "h0"), 2);  // where h0's packets for h1 go as well
  const CreditLoopReport passed_on = find_credit_loop(t, routes, Ends::traffic_only);
  CHECK(passed_on.dependencies == delivered.dependencies);
  CHECK(passed_on.channels == delivered.channels);
}

TEST_CASE("tables that lose or keep packets add no dependency") {
  const Topology t = ring(4);
  Routes routes = minhop_routes(t);
  for (NodeIndex sw = 0; sw < 4; ++sw) {
    Lft table = routes.lft[sw].written_out();
    for (std::uint8_t& port : table) port = port == 1 ? std::uint8_t{1} : kNoPort;
    routes.lft.set(sw, table);
  }
  const CreditLoopReport report = find_credit_loop(t, routes, Ends::traffic_only);
  CHECK(report.dependencies == 0);
  CHECK(report.free_of_loops());
}

TEST_CASE("groups wait, too: a ring whose unicast is free of loops has one with a group's tree") {
  Topology t = ring(4);
  Routes routes;  // along the line from sw0 to sw3, never over the cable that closes the ring
  routes.lft = ForwardingTables(t);
  for (NodeIndex at = 0; at < 4; ++at)
    for (NodeIndex to = 0; to < 4; ++to)
      routes.lft.set(at, lid_of(t, fmt::format("h{}", to)), to == at ? 1 : to > at ? 2 : 3);
  REQUIRE(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
  MulticastGroup group{kFirstMulticastLid, {}};
  for (const char* name : {"h0", "h1", "h2", "h3"}) group.members.push_back({t.find(name), 1});
  // The tree of the group leaves another cable out, that between sw1 and sw2.
  routes.multicast = MulticastTables({group});
  routes.multicast.set(0, group.mlid, {1, 2, 3});
  routes.multicast.set(1, group.mlid, {1, 3});
  routes.multicast.set(2, group.mlid, {1, 2});
  routes.multicast.set(3, group.mlid, {1, 2, 3});
  const CreditLoopReport report = find_credit_loop(t, routes, Ends::traffic_only);
  CHECK(report.cycle.size() == 4);
  // On the unicast routes' own tree there is none.
  routes.multicast.set(0, group.mlid, {1, 2});
  routes.multicast.set(1, group.mlid, {1, 2, 3});
  routes.multicast.set(2, group.mlid, {1, 2, 3});
  routes.multicast.set(3, group.mlid, {1, 3});
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
}
