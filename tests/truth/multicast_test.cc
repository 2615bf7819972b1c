// Packets for a group: the time of each copy, what each link of the tree carries, and what a copy that cannot
// go on holds up. Closed forms, and counting.
#include <map>
#include <set>

#include "models/routing/multicast_tables.h"
#include "tests/catch.h"
#include "tests/fabric_rig.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr Lid kMlid = kFirstMulticastLid;

Message to_group(std::uint32_t source, std::uint64_t bytes, std::uint32_t flow = 0) {
  Message m;
  m.source = source;
  m.bytes = bytes;
  m.group = 0;
  m.flow = flow;
  return m;
}

/// Hosts h0.. on one switch, host i on port i + 1; the first `members` of them form the group.
Rig star(unsigned hosts, unsigned members) {
  Rig rig;
  for (unsigned i = 0; i < hosts; ++i) rig.host();
  const NodeIndex sw = rig.add_switch(hosts);
  for (unsigned i = 0; i < hosts; ++i) rig.wire(i, 1, sw, i + 1, link_of(gigabits_per_second(400)));
  rig.route_shortest();
  MulticastGroup group{kMlid, {}};
  std::vector<std::uint8_t> ports;
  for (unsigned i = 0; i < members; ++i) {
    group.members.push_back({i, 1});
    ports.push_back(static_cast<std::uint8_t>(i + 1));
  }
  rig.routes.multicast = MulticastTables({group});
  rig.routes.multicast.set(sw, kMlid, ports);
  return rig;
}

/// Switches in a line, two hosts on each (ports 1 and 2), 3 onwards, 4 back; all hosts are members.
Rig line(unsigned switches) {
  Rig rig;
  for (unsigned i = 0; i < 2 * switches; ++i) rig.host();
  MulticastGroup group{kMlid, {}};
  for (unsigned s = 0; s < switches; ++s) rig.add_switch(4);
  for (unsigned i = 0; i < 2 * switches; ++i) {
    rig.wire(i, 1, 2 * switches + i / 2, i % 2 + 1, link_of(gigabits_per_second(400)));
    group.members.push_back({i, 1});
  }
  for (unsigned s = 0; s + 1 < switches; ++s)
    rig.wire(2 * switches + s, 3, 2 * switches + s + 1, 4, link_of(gigabits_per_second(400)));
  rig.route_shortest();
  rig.routes.multicast = MulticastTables({group});
  for (unsigned s = 0; s < switches; ++s) {
    std::vector<std::uint8_t> ports{1, 2};
    if (s + 1 < switches) ports.push_back(3);
    if (s > 0) ports.push_back(4);
    rig.routes.multicast.set(2 * switches + s, kMlid, ports);
  }
  return rig;
}

std::map<std::uint32_t, Delivery> by_receiver(const Recorder& user) {
  std::map<std::uint32_t, Delivery> map;
  for (const Delivery& d : user.deliveries) CHECK(map.emplace(d.message.destination, d).second);
  return map;
}

}  // namespace

TEST_CASE("every member but the source has the message, after h switches and h + 1 wires") {
  Rig rig = line(4);
  rig.switches().port_to_port = nanoseconds(200);
  const auto world = rig.build();
  Recorder user(*world);
  world->post(to_group(2, 2048));
  CHECK(world->run() == RunEnd::idle);
  CHECK(world->check_conservation().empty());
  const auto got = by_receiver(user);
  REQUIRE(got.size() == 7);
  // 2048 + 74 B at 400 Gb/s are 42.44 ns, 5 m of cable 25 ns; the head of a copy waits for nothing.
  for (const auto& [host, delivery] : got) {
    const unsigned from = 1, at = host / 2, hops = (at > from ? at - from : from - at) + 1;
    CHECK(delivery.delivered == 42'440 + hops * 200'000 + (hops + 1) * 25'000);
    CHECK(delivery.parts.total() == delivery.delivered - delivery.posted);
    CHECK(delivery.parts[Part::pipeline] == hops * 200'000);
    CHECK(delivery.parts[Part::propagation] == (hops + 1) * 25'000);
    CHECK(delivery.message.source == 2);
    CHECK(delivery.message.bytes == 2048);
  }
  REQUIRE(user.sent.size() == 1);
  CHECK(user.sent[0].first == 42'440);  // UD: done when the packet has left
}

TEST_CASE("each link of the tree carries a message once, other links none") {
  Rig rig = line(5);
  const auto world = rig.build();
  Recorder user(*world);
  for (unsigned i = 0; i < 10; ++i) world->post(to_group(0, 1000, i % 3));
  CHECK(world->run() == RunEnd::idle);
  CHECK(user.deliveries.size() == 90);
  CHECK(world->counts().messages_posted == 90);
  CHECK(world->counts().messages_delivered == 90);
  CHECK(world->counts().injected == 10);
  CHECK(world->counts().copied == 80);
  world->for_each_port([&](const World::PortCounters& c) {
    const bool from_source = c.port.node == 0;
    const bool is_switch = c.port.node >= 10;
    const bool onwards = is_switch && (c.port.port == 3 ? c.port.node < 14 : c.port.port <= 2) &&
                         !(c.port.node == 10 && c.port.port == 1);
    CAPTURE(c.port.node, int{c.port.port});
    CHECK(c.xmit_packets == (from_source || onwards ? 10 : 0));
  });
}

TEST_CASE("who is no member gets nothing, and unicast goes on beside it") {
  Rig rig = star(6, 3);
  const auto world = rig.build();
  Recorder user(*world);
  world->post(to_group(1, 500));
  world->post(message(1, 5, 500));
  CHECK(world->run() == RunEnd::idle);
  std::multiset<std::uint32_t> receivers;
  for (const Delivery& d : user.deliveries) receivers.insert(d.message.destination);
  CHECK(receivers == std::multiset<std::uint32_t>{0, 2, 5});
}

TEST_CASE("a saturated group runs at the rate of its slowest member's link") {
  Rig rig;
  for (unsigned i = 0; i < 3; ++i) rig.host();
  const NodeIndex sw = rig.add_switch(3);
  rig.wire(0, 1, sw, 1, link_of(gigabits_per_second(400)));
  rig.wire(1, 1, sw, 2, link_of(gigabits_per_second(400)));
  rig.wire(2, 1, sw, 3, link_of(gigabits_per_second(100)));
  rig.route_shortest();
  rig.routes.multicast = MulticastTables({{kMlid, {{0, 1}, {1, 1}, {2, 1}}}});
  rig.routes.multicast.set(sw, kMlid, {1, 2, 3});
  const auto world = rig.build();
  Recorder user(*world);
  world->sample_every(1'000'000);
  constexpr unsigned kMessages = 400;
  for (unsigned i = 0; i < kMessages; ++i) world->post(to_group(0, 4096));
  CHECK(world->run() == RunEnd::idle);
  CHECK(user.wrong.empty());
  CHECK(user.samples > 100);
  std::map<std::uint32_t, std::vector<Ticks>> times;
  for (const Delivery& d : user.deliveries) times[d.message.destination].push_back(d.delivered);
  REQUIRE(times[1].size() == kMessages);
  REQUIRE(times[2].size() == kMessages);
  // 4170 B at 100 Gb/s. The slow copy holds the input buffer: once that is full, the fast member gets its
  // packets no faster.
  const Ticks each = 333'600;
  CHECK(times[2].back() - times[2].front() == (kMessages - 1) * each);
  // It fills at 3/4 of the fast rate, by 31 packets of 66 blocks.
  const unsigned full = 131'072 / 64 / 66 * 4 / 3 + 1;
  CHECK(times[1].back() - times[1][full] >= (kMessages - 1 - full - 1) * each);
  CHECK(times[1].back() - times[1][full] <= (kMessages - 1 - full + 1) * each);
}

TEST_CASE("a member that takes nothing stops the group, and is named") {
  Rig rig = star(4, 4);
  const auto world = rig.build();
  Recorder user(*world);
  world->stall_receiver(3, 0, kNeverTicks);
  for (unsigned i = 0; i < 200; ++i) world->post(to_group(0, 4096));
  CHECK(world->run() == RunEnd::stuck);
  CHECK(world->check_conservation().empty());
  const World::WaitReport report = world->wait_report();
  CHECK_FALSE(report.deadlock);
  REQUIRE_FALSE(report.culprits.empty());
  CHECK_THAT(report.culprits[0].why, ContainsSubstring("h3"));
  CHECK(world->counts().messages_delivered < world->counts().messages_posted);
}

TEST_CASE("copies lost on a dead wire are dropped, the others arrive") {
  Rig rig = line(3);
  const auto world = rig.build();
  Recorder user(*world);
  world->post(to_group(0, 4096));
  world->link_down_at(40'000, 6);  // the wire from switch 0 to switch 1, with the packet on it
  world->link_up_at(10'000'000, 6);
  CHECK(world->run() == RunEnd::idle);
  CHECK(world->check_conservation().empty());
  CHECK(by_receiver(user).size() == 1);
  CHECK(world->counts().dropped == 1);
  world->post(to_group(0, 4096));
  CHECK(world->run() == RunEnd::idle);
  CHECK(user.deliveries.size() == 1 + 5);
}

TEST_CASE("groups share wires with unicast by the packet, in every build the same") {
  const auto run = [] {
    Rig rig = line(6);
    rig.switches().port_to_port = nanoseconds(150);
    const auto world = rig.build();
    Recorder user(*world);
    world->sample_every(500'000);
    for (unsigned i = 0; i < 30; ++i) {
      for (std::uint32_t s = 0; s < 12; ++s) {
        world->post(to_group(s, 100 * i));
        world->post(message(s, (s + 1 + i % 11) % 12, 3000));
      }
    }
    CHECK(world->run() == RunEnd::idle);
    CHECK(user.wrong.empty());
    CHECK(user.deliveries.size() == 30 * 12 * 11 + 30 * 12);
    return world->fingerprint();
  };
  CHECK(run() == run());
}
