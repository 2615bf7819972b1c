// Rules of switches and adapters whose effect is a share of a wire: port sets, read ports, VL tables, turns
// of queue pairs, the injection gate, and the counters that report it all.
#include "tests/catch.h"
#include "tests/truth/shares.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr Ticks kWarm = 200'000'000, kEnd = 1'200'000'000;  // 0.2 ms, then 1 ms: 12,130 packets at 400 Gb/s

/// Hosts on one switch, all links 400 Gb/s.
Rig star(unsigned hosts) {
  Rig rig;
  rig.switches().port_to_port = nanoseconds(100);
  for (unsigned h = 0; h < hosts; ++h) rig.host();
  const NodeIndex hub = rig.add_switch(hosts);
  for (unsigned h = 0; h < hosts; ++h) rig.wire(h, 1, hub, h + 1);
  return rig;
}

std::vector<double> shares(const Rig& rig, std::vector<Saturator::Flow> flows) {
  const auto world = rig.build();
  Saturator user(*world, flows, kWarm, kEnd);
  CHECK(world->run(kEnd) == RunEnd::horizon);
  CHECK(world->check_conservation().empty());
  CHECK(world->counts().dropped == 0);
  std::vector<double> all;
  for (std::size_t f = 0; f < flows.size(); ++f) all.push_back(user.share(f));
  return all;
}

}  // namespace

TEST_CASE("a port set spreads packets over its wires, a single entry uses one", "[fast]") {
  // Each packet on a queue pair of its own: packets of one would overtake each other.
  Ticks finished[2];
  for (const bool as_set : {false, true}) {
    Rig rig;
    rig.switches().port_to_port = nanoseconds(100);
    const LinkSpec half = link_of(gigabits_per_second(200));
    for (int h = 0; h < 4; ++h) rig.host();
    const NodeIndex near = rig.add_switch(4), far = rig.add_switch(4);
    for (unsigned h = 0; h < 2; ++h) {
      rig.wire(h, 1, near, h + 1, half);
      rig.wire(h + 2, 1, far, h + 1, half);
      rig.wire(near, h + 3, far, h + 3, half);
    }
    rig.route_shortest();
    if (as_set) {
      rig.routes.groups.resize(rig.topology.nodes.size());
      rig.routes.groups[near] = {{3, 4}};
      for (NodeIndex h = 2; h < 4; ++h) rig.route(near, h, 4 + 1 + 0);  // beyond the 4 ports: group 0
    }
    const auto world = rig.build();
    Recorder user(*world);
    for (std::uint32_t i = 0; i < 1000; ++i)
      for (std::uint32_t h = 0; h < 2; ++h) world->post(message(h, h + 2, 4096, 0, i));
    CHECK(world->run() == RunEnd::idle);
    CHECK(user.deliveries.size() == 2000);
    CHECK(world->check_conservation().empty());
    finished[as_set] = user.deliveries.back().delivered;
    std::array<std::uint64_t, 2> sent{};
    for (const World::PortCounters& c : world->port_counters())
      if (c.port.node == near && c.port.port >= 3) sent[c.port.port - 3u] = c.xmit_packets;
    CHECK(sent[0] + sent[1] == 2000);
    CHECK(sent[1] == Approx(as_set ? 1000 : 0).epsilon(0.1));
  }
  CHECK(finished[false] == Approx(2000 * 164'880.0).epsilon(0.01));  // one wire carries it all
  CHECK(finished[true] < 1'200 * 164'880);                           // two carry a little more than half each
}

TEST_CASE("read_speedup 1 reads an input for one output at a time, at that output's rate", "[fast]") {
  for (const std::uint32_t speedup : {0u, 1u, 2u}) {
    Rig rig;
    rig.switches().port_to_port = nanoseconds(100);
    rig.switches().read_speedup = speedup;
    for (int h = 0; h < 3; ++h) rig.host();
    const NodeIndex hub = rig.add_switch(3);
    rig.wire(0, 1, hub, 1, link_of(gigabits_per_second(400)));
    for (unsigned h = 1; h < 3; ++h) rig.wire(h, 1, hub, h + 1, link_of(gigabits_per_second(200)));
    rig.route_shortest();
    const auto got = shares(rig, {{0, 1}, {0, 2}});
    for (const double share : got) CHECK(share == Approx(speedup == 1 ? 0.25 : 0.5).epsilon(0.01));
  }
}

TEST_CASE("T15 on a wire: low table 0:64,1:128,2:192, all saturated, gives 1:2:3", "[fast]") {
  Rig rig = star(4);
  rig.settings.data_vls = 4;
  rig.settings.sl2vl = Sl2Vl(4);
  rig.settings.arbitration.low = {{0, 64}, {1, 128}, {2, 192}};
  rig.route_shortest();
  const auto got = shares(rig, {{0, 3, 0}, {1, 3, 1}, {2, 3, 2}});
  CHECK(got[0] == Approx(1.0 / 6).epsilon(0.01));
  CHECK(got[1] == Approx(2.0 / 6).epsilon(0.01));
  CHECK(got[2] == Approx(3.0 / 6).epsilon(0.01));
}

TEST_CASE("queue pairs of one adapter take turns, whatever their quantum", "[fast]") {
  for (const std::uint32_t quantum : {1u, 4u}) {
    Rig rig = star(4);
    rig.hcas().qp_quantum = quantum;
    rig.route_shortest();
    for (const double share : shares(rig, {{0, 1}, {0, 2}, {0, 3}}))
      CHECK(share == Approx(1.0 / 3).epsilon(0.01));
  }
}

TEST_CASE("a static rate holds a queue pair to it and charges congestion_control", "[fast]") {
  Rig rig = star(2);
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  Message limited = message(0, 1, 4096 * 1000);
  limited.static_rate = picoseconds_per_byte(gigabits_per_second(100));
  world->post(limited);
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 1);
  const Delivery& d = user.deliveries[0];
  // 999 gaps of 4,122 B at 100 Gb/s, then the last packet's flight at 400.
  const Ticks flight = 2 * 25'000 + 100'000 + 82'440;
  CHECK(d.delivered - d.posted == 999 * 329'760 + flight);
  CHECK(d.parts[Part::congestion] == 999 * (329'760 - 82'440));
  CHECK(d.parts[Part::serialisation] == 1000 * 82'440);
}

TEST_CASE("counters: what a port sent its peer received; data, packets and ACKs add up", "[fast]") {
  Rig rig = star(3);
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  world->post(message(0, 2, 40'960));
  world->post(message(1, 2, 4'096));
  CHECK(world->run() == RunEnd::idle);
  std::map<PortRef, World::PortCounters, decltype([](PortRef a, PortRef b) {
             return std::pair(a.node, a.port) < std::pair(b.node, b.port);
           })>
      at;
  for (const World::PortCounters& c : world->port_counters()) at[c.port] = c;
  const NodeIndex hub = 3;
  CHECK(at[PortRef{0, 1}].xmit_packets == 10);
  CHECK(at[PortRef{0, 1}].xmit_bytes == 10 * 4122);
  CHECK(at[PortRef{0, 1}].rcv_packets == 1);  // the ACK
  CHECK(at[PortRef{0, 1}].rcv_bytes == 30);
  CHECK(at[PortRef{hub, 3}].xmit_packets == 11);
  CHECK(at[PortRef{2, 1}].rcv_bytes == 11 * 4122);
  CHECK(at[PortRef{2, 1}].xmit_packets == 2);
  for (const auto& [port, c] : at) {
    const Port& end = rig.topology.nodes[port.node].port(port.port);
    CHECK(c.xmit_bytes == at[PortRef{end.peer_node, end.peer_port}].rcv_bytes);
    CHECK(c.xmit_discards + c.rcv_errors + c.link_downed == 0);
  }
}

TEST_CASE("waiting behind one's own earlier messages is arbitration, not the adapter's message rate",
          "[fast]") {
  Rig rig = star(2);
  rig.hcas().qp_message_rate = 10'000'000;  // 100 ns: far less than a message takes on the wire
  rig.hcas().send_pipeline = nanoseconds(50);
  rig.hcas().prefetch = Bytes{16 * 1024};
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  for (int i = 0; i < 4; ++i) world->post(message(0, 1, 4096 * 100));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 4);
  for (const Delivery& d : user.deliveries) CHECK(d.parts[Part::pipeline] <= 50'000 + 100'000);
  CHECK(user.deliveries[3].parts[Part::arbitration] >= 3 * 100 * 82'440 - 4 * 82'440);
}

TEST_CASE("the message rate of a queue pair is charged to the pipeline while it is what holds back",
          "[fast]") {
  Rig rig = star(2);
  rig.hcas().qp_message_rate = 1'000'000;  // 1 us: longer than a packet takes on the wire
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  for (int i = 0; i < 3; ++i) world->post(message(0, 1, 4096));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 3);
  for (Ticks i = 0; i < 3; ++i) {
    const Delivery& d = user.deliveries[static_cast<std::size_t>(i)];
    CHECK(d.delivered - d.posted == i * 1'000'000 + 2 * 25'000 + 100'000 + 82'440);
    CHECK(d.parts[Part::pipeline] == i * 1'000'000 + 100'000);
    CHECK(d.parts[Part::arbitration] == 0);
  }
}
