// T12 and T13: a link whose buffer cannot cover its credit loop carries floor(B/p) packets a loop; 12-bit
// counters cap the buffer at 2,048 blocks.
#include <algorithm>

#include "tests/catch.h"
#include "tests/fabric_rig.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr Ticks kPortToPort = 130'000, kWire = 25'000;
constexpr std::uint64_t kPacketBytes = 4122;

/// Time between the deliveries of 12,000 packets, after 1,200, through a switch whose input has `blocks` and
/// whose credit loop is `loop`: from the start of a packet to the time the credit for its blocks is usable.
/// It starts at 0, its head is at the output at wire + port-to-port, its tail has left one serialisation
/// later, and the credit needs the switch's processing and the wire back.
Ticks spacing(Generation generation, Ticks per_byte, std::uint32_t blocks, Ticks loop) {
  const Ticks ser = static_cast<Ticks>(kPacketBytes) * per_byte;
  Rig rig;
  rig.switches().port_to_port = Time{kPortToPort};
  rig.switches().buffer = Bytes{blocks * 64ull};
  rig.switches().credit_processing = Time{loop - kWire - kPortToPort - ser - kWire};
  LinkSpec link;
  link.generation = generation;
  const NodeIndex a = rig.host(), b = rig.host(), sw = rig.add_switch(2);
  rig.wire(a, 1, sw, 1, link);
  rig.wire(sw, 2, b, 1, link);
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  for (int i = 0; i < 13'201; ++i) world->post(message(0, 1, 4096));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 13'201);
  CHECK(world->check_conservation().empty());
  return user.deliveries[13'200].delivered - user.deliveries[1'200].delivered;
}

double gbps(Ticks time) { return 12'000 * kPacketBytes * 8000.0 / static_cast<double>(time); }

}  // namespace

TEST_CASE("T12: floor(B/p) packets a loop of 1 us", "[fast]") {
  constexpr Ticks loop = 1'000'000;
  const auto at = [](std::uint32_t blocks) { return spacing(Generation::ndr, 20, blocks, loop); };
  CHECK(at(129) == 12'000 * loop);  // one packet; 129 blocks do not hold two of 65
  CHECK(gbps(at(129)) == Approx(33.0).margin(0.05));
  CHECK(at(65) == at(129));
  CHECK(at(130) == 6'000 * loop);
  CHECK(at(782) == 1'000 * loop);  // 12 packets
  CHECK(gbps(at(782)) == Approx(395.7).margin(0.05));
  CHECK(at(844) == 1'000 * loop);
  CHECK(at(845) == 12'000 * 82'440);  // 13 packets cover the loop: line rate
  CHECK(gbps(at(845)) == Approx(400));
}

TEST_CASE("T13: 2,048 blocks are 31 packets: full rate up to 5.11, 2.56 and 1.28 us of loop", "[fast]") {
  struct Row {
    Generation generation;
    Ticks per_byte;
    double us;
  };
  for (const auto& [generation, per_byte, us] :
       {Row{Generation::hdr, 40, 5.11}, {Generation::ndr, 20, 2.556}, {Generation::xdr, 10, 1.278}}) {
    const Ticks ser = static_cast<Ticks>(kPacketBytes) * per_byte;
    CHECK(static_cast<double>(31 * ser) / 1e6 == Approx(us).epsilon(1e-3));
    for (const std::uint32_t blocks : {2048u, 4000u}) {  // more is not advertised
      CHECK(spacing(generation, per_byte, blocks, 31 * ser) == 12'000 * ser);
      // One nanosecond more: 31 packets a loop. 12,000 is no multiple of 31: the burst's position costs < one
      // loop.
      const Ticks longer = spacing(generation, per_byte, blocks, 31 * ser + 1'000);
      const Ticks exact = 12'000 / 31 * (31 * ser + 1'000) + 12'000 % 31 * ser;
      CHECK(longer >= exact);
      CHECK(longer <= exact + 1'000);
    }
  }
}

TEST_CASE("a credit-limited message's time is credit, a port's wait its XmitWait", "[fast]") {
  Rig rig;
  rig.switches().port_to_port = Time{kPortToPort};
  rig.switches().buffer = Bytes{65 * 64};
  rig.switches().credit_processing = Time{1'000'000 - 2 * kWire - kPortToPort - 82'440};
  const NodeIndex a = rig.host(), b = rig.host(), sw = rig.add_switch(2);
  rig.wire(a, 1, sw, 1);
  rig.wire(sw, 2, b, 1);
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  world->post(message(0, 1, 4096 * 100));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 1);
  const Parts& parts = user.deliveries[0].parts;
  CHECK(parts[Part::credit] == 99 * (1'000'000 - 82'440));
  CHECK(parts[Part::serialisation] == 100 * 82'440);
  CHECK(parts[Part::arbitration] == 0);
  for (const auto& c : world->port_counters())
    if (c.port == PortRef{a, 1}) {
      CHECK(c.xmit_wait == 99 * (1'000'000 - 82'440));
      CHECK(c.vl_credit_wait[0] == 99 * (1'000'000 - 82'440));
      CHECK(c.xmit_packets == 100);
      CHECK(c.xmit_bytes == 100 * kPacketBytes);
    }
}
