// What happens when nothing can move: a circle of full buffers is named link by link, a culprit by its port
// and reason, and what will move again is left alone.

#include "tests/catch.h"
#include "tests/fabric_rig.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Four switches in a circle, host i on port 1 of switch i, port 2 clockwise, port 3 counter-clockwise;
/// everything is routed clockwise. Nodes 0-3 are hosts, 4-7 switches.
Rig clockwise_ring(unsigned buffer_packets) {
  Rig rig;
  rig.switches().port_to_port = nanoseconds(130);
  rig.switches().buffer = Bytes{buffer_packets * 65u * 64u};
  for (int i = 0; i < 4; ++i) rig.host();
  for (int i = 0; i < 4; ++i) rig.add_switch(3);
  for (NodeIndex i = 0; i < 4; ++i) {
    rig.wire(4 + i, 2, 4 + (i + 1) % 4, 3);
    rig.wire(i, 1, 4 + i, 1);
  }
  for (NodeIndex s = 0; s < 4; ++s)
    for (NodeIndex h = 0; h < 4; ++h) rig.route(4 + s, h, s == h ? 1 : 2);
  return rig;
}

/// A sender, a receiver, and one switch between them.
struct Pair {
  Rig rig;
  Pair() {
    const NodeIndex a = rig.host(), b = rig.host(), sw = rig.add_switch(2);
    rig.switches().buffer = Bytes{4 * 65 * 64};
    rig.hcas().buffer = Bytes{4 * 65 * 64};
    rig.wire(a, 1, sw, 1);
    rig.wire(sw, 2, b, 1);
    rig.route_shortest();
  }
};

}  // namespace

TEST_CASE("a ring routed clockwise deadlocks, and its four links are named in order", "[fast]") {
  const Rig rig = clockwise_ring(1);
  const auto world = rig.build();
  Recorder user(*world);
  world->sample_every(1'000'003);
  for (std::uint32_t h = 0; h < 4; ++h) world->post(message(h, (h + 2) % 4, 1 << 20));
  CHECK(world->run(1'000'000'000'000) == RunEnd::stuck);
  CHECK(user.wrong.empty());
  CHECK(user.deliveries.empty());
  const auto report = world->wait_report();
  CHECK_FALSE(report.can_move);
  REQUIRE(report.deadlock);
  REQUIRE(report.cycle.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {  // each waits for the next around the circle
    CHECK(report.cycle[i].output.port == 2);
    CHECK(report.cycle[(i + 1) % 4].output.node == 4 + (report.cycle[i].output.node - 4 + 1) % 4);
    CHECK_THAT(report.cycle[i].why,
               ContainsSubstring(fmt::format("s{}", (report.cycle[i].output.node - 4 + 1) % 4)));
  }
  CHECK(report.routes.size() == 4);
  CHECK(report.blocked_outputs == 8);  // the ring's links and the hosts'
  CHECK(report.waiting_packets == world->live_packets());
}

TEST_CASE("a circle closes when its wires are free, not when that is foreseen", "[fast]") {
  // On three ports two reads at once limit nothing, but an output whose reads are limited foresees nothing.
  const auto closes_at = [](unsigned read_speedup) {
    Rig rig = clockwise_ring(1);
    rig.switches().read_speedup = read_speedup;
    for (Cable& cable : rig.topology.cables)
      if (cable.a.port == 2) cable.link = link_of(gigabits_per_second(2));  // 16.5 us a packet
    rig.settings.stall_check = 5'000'000;
    const auto world = rig.build();
    Recorder user(*world);
    for (std::uint32_t h = 0; h < 4; ++h) world->post(message(h, (h + 2) % 4, 1 << 20));
    CHECK(world->run(1'000'000'000'000) == RunEnd::stuck);
    return std::pair(world->now(), world->live_packets());
  };
  const auto tried = closes_at(2);
  CHECK(tried.first > 16'000'000);
  CHECK(closes_at(0) == tried);
}

TEST_CASE("ACKs that wait in the circle are part of it", "[fast]") {
  // Long messages next to short ones: the short ones' ACKs travel the same lane and end up in the knot. Never
  // a hang.
  const Rig rig = clockwise_ring(2);
  const auto world = rig.build();
  Recorder user(*world);
  for (std::uint32_t h = 0; h < 4; ++h) {
    for (int i = 0; i < 50; ++i) world->post(message(h, (h + 1) % 4, 64, 0, 1));
    world->post(message(h, (h + 3) % 4, 1 << 20));
  }
  CHECK(world->run(1'000'000'000'000) == RunEnd::stuck);
  CHECK(world->wait_report().deadlock);
  CHECK(world->check_conservation().empty());
}

TEST_CASE("the same ring with the circle broken by a second lane finishes", "[fast]") {
  Rig rig = clockwise_ring(1);
  rig.settings.data_vls = 2;
  SlMap first{}, second{};
  second.fill(1);
  rig.settings.sl2vl = Sl2Vl(first);
  rig.settings.sl2vl.set(7, kAnyPort, 2,
                         second);  // the dateline: from switch 3 to switch 0 change to VL 1, and stay
  for (NodeIndex s = 4; s < 7; ++s) rig.settings.sl2vl.set(s, 3, 2, second);
  rig.settings.sl2vl.set(4, 3, 2, second);
  // Packets that have not crossed it yet stay on VL 0: only those of hosts 2 and 3 to 0 and 1 cross.
  rig.settings.sl2vl.set(5, 3, 2, first);
  rig.settings.sl2vl.set(6, 3, 2, first);
  const auto world = rig.build();
  Recorder user(*world);
  for (std::uint32_t h = 0; h < 4; ++h) world->post(message(h, (h + 2) % 4, 1 << 18));
  CHECK(world->run(1'000'000'000'000) == RunEnd::idle);
  CHECK(user.deliveries.size() == 4);
}

TEST_CASE("a receiver that stalls for ever is named", "[fast]") {
  for (const std::uint64_t bytes : {64u, 4096u, 1u << 20}) {  // also when its sender has nothing more to send
    CAPTURE(bytes);
    const Pair pair;
    const auto world = pair.rig.build();
    Recorder user(*world);
    world->stall_receiver(1, 0, kNeverTicks);
    world->post(message(0, 1, bytes));
    world->post(message(1, 0, 4096));  // the other direction is not affected
    CHECK(world->run(1'000'000'000'000) == RunEnd::stuck);
    REQUIRE(user.deliveries.size() == 1);
    CHECK(user.deliveries[0].message.source == 1);
    const auto report = world->wait_report();
    CHECK_FALSE(report.deadlock);
    REQUIRE(report.culprits.size() == 1);
    CHECK(report.culprits[0].output == PortRef{2, 2});
    CHECK_THAT(report.culprits[0].why, ContainsSubstring("h1") && ContainsSubstring("stalled"));
    CHECK(world->check_conservation().empty());
  }
}

TEST_CASE("a receiver that stalls for a while, even long, recovers", "[fast]") {
  for (const Ticks until : {Ticks{5'000'000}, Ticks{20'000'000'000}}) {  // 5 us; 20 ms, many watches long
    const Pair pair;
    const auto world = pair.rig.build();
    Recorder user(*world);
    world->stall_receiver(1, 1'000'000, until);
    world->post(message(0, 1, 1 << 20));
    CHECK(world->run(1'000'000'000'000) == RunEnd::idle);
    REQUIRE(user.deliveries.size() == 1);
    CHECK(user.deliveries[0].delivered > until);
    CHECK(user.deliveries[0].parts[Part::credit] > until - 3'000'000);  // the wait shows as credit
    CHECK(world->wait_report().can_move);
  }
}

TEST_CASE("two messages held back by one stall are told in the order they were posted", "[fast]") {
  const Pair pair;
  const auto world = pair.rig.build();
  Recorder user(*world);
  world->stall_receiver(1, 0, 3'000'000);
  for (std::uint64_t i = 0; i < 3; ++i) world->post(message(0, 1, 64, 0, 0, i));
  CHECK(world->run() == RunEnd::idle);  // their rows are free again, in some other order
  world->stall_receiver(1, world->now(), world->now() + 3'000'000);
  for (std::uint64_t i = 3; i < 9; ++i) world->post(message(0, 1, 64, 0, 0, i));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 9);
  for (std::uint64_t i = 0; i < 9; ++i) CHECK(user.deliveries[i].message.tag == i);
}

TEST_CASE("a link that is down is named", "[fast]") {
  const Pair pair;
  const auto world = pair.rig.build();
  Recorder user(*world);
  world->link_down_at(1'000'000, 1);  // the switch's link to host 1
  world->post(message(0, 1, 1 << 20));
  CHECK(world->run(1'000'000'000'000) == RunEnd::stuck);
  const auto report = world->wait_report();
  CHECK_FALSE(report.deadlock);
  REQUIRE(report.culprits.size() == 1);
  CHECK(report.culprits[0].output == PortRef{2, 2});
  CHECK_THAT(report.culprits[0].why, ContainsSubstring("down"));
  CHECK(world->check_conservation().empty());
}

TEST_CASE("a link that comes up again, however late, is waited for", "[fast]") {
  for (const Ticks up : {Ticks{6'000'000}, Ticks{50'000'000'000}}) {  // 6 us; 50 ms, many watches long
    const Pair pair;
    const auto world = pair.rig.build();
    Recorder user(*world);
    world->link_down_at(1'000'000, 1);
    world->link_up_at(up, 1);
    world->wake(0, 2'000'000, 0);
    struct Late : Recorder {
      using Recorder::Recorder;
      void on_wake(std::uint32_t, std::uint32_t) override { world->post(message(0, 1, 20'000)); }
    } late(*world);
    CHECK(world->run(1'000'000'000'000) == RunEnd::idle);
    REQUIRE(late.deliveries.size() == 1);
    // Four whole packets and one of 3,616 bytes start at the very instant the link is up.
    CHECK(late.deliveries[0].delivered == up + (4 * 4122 + 3642) * 20 + 25'000);
  }
}

TEST_CASE("a link that was busy before it went down starts afresh when it is up", "[fast]") {
  const Pair pair;
  const auto world = pair.rig.build();
  Recorder user(*world);
  world->post(message(0, 1, 40'960));
  CHECK(world->run() == RunEnd::idle);
  const Ticks base = world->now();
  world->link_down_at(base + 1'000, 1);
  world->link_up_at(base + 9'000'000, 1);
  world->post(message(0, 1, 4096));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 2);
  CHECK(user.deliveries[1].delivered == base + 9'000'000 + 4122 * 20 + 25'000);
}

TEST_CASE("what is on the wire when a link goes down is lost, and counted", "[fast]") {
  const Pair pair;
  const auto world = pair.rig.build();
  Recorder user(*world);
  world->link_down_at(45'000, 1);  // the head left the switch at 25 ns and would arrive at 50
  world->link_up_at(46'000, 1);
  world->post(message(0, 1, 4096));
  world->run();
  CHECK(user.deliveries.empty());
  CHECK(world->counts().dropped == 1);
  CHECK(world->check_conservation().empty());
  for (const auto& c : world->port_counters()) {
    if (c.port == PortRef{1, 1}) CHECK(c.rcv_errors == 1);
    if (c.port == PortRef{2, 2}) CHECK(c.link_downed == 1);
  }
}

TEST_CASE("a link may change to a generation with another update policy", "[fast]") {
  Pair pair;
  pair.rig.devices.links[Generation::hdr].update = CreditUpdate::threshold;
  pair.rig.devices.links[Generation::hdr].update_threshold = Bytes{130 * 64};
  const auto world = pair.rig.build();
  Recorder user(*world);
  world->sample_every(100'003);
  LinkSpec hdr, ndr;
  hdr.generation = Generation::hdr;
  world->link_rate_at(3'000'000, 0, hdr);
  world->link_rate_at(7'000'000, 0, ndr);
  world->link_rate_at(9'000'000, 0, hdr);
  world->link_rate_at(11'123'456, 0, ndr);
  world->post(message(0, 1, 4096 * 300));
  CHECK(world->run(1'000'000'000'000) == RunEnd::idle);
  CHECK(user.wrong.empty());
  CHECK(user.deliveries.size() == 1);
}

TEST_CASE("an idle fabric is not stuck, and a wake far ahead is waited for", "[fast]") {
  const Pair pair;
  const auto world = pair.rig.build();
  struct Late : Recorder {
    using Recorder::Recorder;
    void on_wake(std::uint32_t endpoint, std::uint32_t tag) override {
      CHECK(endpoint == 0);
      CHECK(tag == 5);
      world->post(message(0, 1, 64));
    }
  } user(*world);
  CHECK(world->run() == RunEnd::idle);
  world->wake(0, 3'000'000'000'000, 5);
  CHECK(world->run() == RunEnd::idle);
  CHECK(user.deliveries.size() == 1);
  CHECK(user.deliveries[0].posted == 3'000'000'000'000);
}
