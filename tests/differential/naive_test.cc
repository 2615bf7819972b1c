// The packet engine against a naive simulator of the same rules: deliveries, completions, the nine parts of
// every message's time and the counters of every port agree to the picosecond.
//
// The naive simulator shares nothing with the engine but the description of the fabric:
//   naive_link.h      the clock with its ordered map of events, the packet, a link's constants
//   naive_fabric.h    wires and switches
//   naive_vl_tables.h VL arbitration
//   naive_send.h      posts, turns, gates, fetches
//   naive_hca.h       placement, completion, ACK
// Left out: port sets, SL2VL exceptions, VL15, routes that lead nowhere or to the wrong adapter, unequal
// devices of one kind.
#include "tests/catch.h"
#include "tests/differential/naive_hca.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Tally {
  unsigned stuck = 0;
  Ticks credit = 0, arbitration = 0;
};

/// Runs the naive simulator up to `time` inclusive.
void run(NaiveClock& clock, NaiveFabric& wires, NaiveHcas& hcas, Ticks time) {
  if (time != kNeverTicks) clock.mark(time);
  while (!clock.over() && clock.next() <= time) {
    const Ticks span = clock.next() - clock.now();
    wires.integrate(span);
    hcas.integrate(span);
    clock.run_instant();
    wires.arbitrate();
  }
}

/// The counters of every port but errors, which nothing here causes.
std::vector<World::PortCounters> counters(const NaiveFabric& wires, NaiveHcas& hcas) {
  std::vector<World::PortCounters> all;
  for (NodeIndex n = 0; n < wires.outputs().size(); ++n)
    for (const NaiveFabric::Output& out : wires.outputs()[n]) {
      World::PortCounters& c = all.emplace_back();
      c.xmit_wait = out.xmit_wait;
      c.rcv_bytes = out.rcv_bytes;
      c.rcv_packets = out.rcv_packets;
      c.rcv_errors = out.rcv_errors;
      c.link_downed = out.downed;
      c.out_of_sequence = hcas.out_of_sequence[n];
      for (const NaiveFabric::Lane& lane : out.lanes) {
        c.xmit_bytes += lane.xmit_bytes;
        c.xmit_packets += lane.xmit_packets;
        c.vl_xmit_bytes.push_back(lane.xmit_bytes);
        c.vl_xmit_packets.push_back(lane.xmit_packets);
        c.vl_credit_wait.push_back(lane.credit_wait);
      }
    }
  return all;
}

void check_counters(const std::vector<World::PortCounters>& engine,
                    const std::vector<World::PortCounters>& naive) {
  REQUIRE(engine.size() == naive.size());
  for (std::size_t p = 0; p < engine.size(); ++p) {
    const World::PortCounters &e = engine[p], &n = naive[p];
    CAPTURE(e.port.node, unsigned{e.port.port});
    CHECK(e.xmit_bytes == n.xmit_bytes);
    CHECK(e.xmit_packets == n.xmit_packets);
    CHECK(e.rcv_bytes == n.rcv_bytes);
    CHECK(e.rcv_packets == n.rcv_packets);
    CHECK(e.xmit_wait == n.xmit_wait);
    CHECK(e.vl_xmit_bytes == n.vl_xmit_bytes);
    CHECK(e.vl_xmit_packets == n.vl_xmit_packets);
    CHECK(e.vl_credit_wait == n.vl_credit_wait);
    CHECK(e.rcv_errors == n.rcv_errors);
    CHECK(e.link_downed == n.link_downed);
    CHECK(e.out_of_sequence == n.out_of_sequence);
    CHECK(e.xmit_discards == 0);
  }
}

Tally compare(std::uint64_t first, std::uint64_t seeds, const Spice& spice) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    RandomFabric fabric(seed, spice);
    const Rig rig = fabric.rig(fabric.natural_order());
    const auto world = rig.build();
    Player user(*world, fabric);
    RunEnd end = world->run(static_cast<Ticks>(seed % 7 + 1) * 3'000'017);  // amid the traffic
    const Ticks pause = world->now();
    const auto counters_then = world->port_counters();
    if (end == RunEnd::horizon) end = world->run();
    tally.stuck += end == RunEnd::stuck;

    const bool loses = fabric.loses();
    std::erase_if(fabric.changes, [&](const auto& c) { return c.at > world->now(); });  // too late
    NaiveClock clock;
    NaiveFabric wires(rig, fabric, clock);
    NaiveHcas naive(rig, fabric, clock, wires);
    run(clock, wires, naive, pause);
    check_counters(counters_then, counters(wires, naive));
    run(clock, wires, naive, world->now());
    check_counters(world->port_counters(), counters(wires, naive));
    run(clock, wires, naive, kNeverTicks);

    std::map<std::uint64_t, Ticks> delivered, sent;
    for (const Delivery& d : user.deliveries) {
      delivered[d.message.tag] = d.delivered;
      const Parts& naive_parts = naive.parts[d.message.tag];
      for (std::size_t p = 0; p < kParts; ++p) {
        CAPTURE(d.message.tag, kPartNames[p]);
        CHECK(d.parts.ticks[p] == naive_parts.ticks[p]);
      }
      tally.credit += d.parts[Part::credit];
      tally.arbitration += d.parts[Part::arbitration];
    }
    for (const auto& [time, m] : user.sent) sent[m.tag] = time;
    CHECK(delivered == naive.delivered);
    CHECK(sent == naive.sent);
    const bool all_done = delivered.size() == fabric.posts.size() && sent.size() == fabric.posts.size();
    if (!loses) CHECK((end == RunEnd::idle) == all_done);
  }
  return tally;
}

Spice everything(bool lockstep) {
  Spice spice;
  spice.lockstep = lockstep;
  return spice;
}

}  // namespace

TEST_CASE("random fabrics: the engine and a naive simulator agree to the picosecond", "[fast]") {
  const Tally all = compare(0, 400, everything(false));
  CHECK(all.stuck > 20);
  CHECK(all.credit > 0);
  CHECK(all.arbitration > 0);
  Spice plain = everything(false);  // nothing but wires: some rings deadlock, in both
  plain.mishaps = plain.adapter_costs = plain.policies = plain.fractional = false;
  CHECK(compare(20'000, 200, plain).stuck > 0);
}

TEST_CASE("fabrics in lockstep: the engine and a naive simulator agree to the picosecond", "[fast]") {
  CHECK(compare(5000, 500, everything(true)).stuck > 20);
}

TEST_CASE("many more: the engine and a naive simulator agree to the picosecond", "[slow]") {
  compare(100'000, 4000, everything(false));
  compare(200'000, 8000, everything(true));
}
