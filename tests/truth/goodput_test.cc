// T18: the goodput ceiling of RC SEND, per MTU: payload / (payload + 26 bytes of headers), exact.
#include "tests/catch.h"
#include "tests/fabric_rig.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("T18: packets follow each other at the wire time of MTU + 26 bytes", "[fast]") {
  struct Row {
    std::uint32_t mtu;
    double share;
  };
  for (const auto& [mtu, share] :
       {Row{256, .9078}, {512, .9517}, {1024, .9752}, {2048, .9875}, {4096, .9937}})
    for (const auto& [generation, per_byte, gbps] : {std::tuple{Generation::hdr, Ticks{40}, 200.0},
                                                     {Generation::ndr, Ticks{20}, 400.0},
                                                     {Generation::xdr, Ticks{10}, 800.0}}) {
      Rig rig;
      rig.settings.mtu = mtu;
      rig.switches().port_to_port = nanoseconds(130);
      LinkSpec link;
      link.generation = generation;
      const NodeIndex a = rig.host(), b = rig.host(), sw = rig.add_switch(2);
      rig.wire(a, 1, sw, 1, link);
      rig.wire(sw, 2, b, 1, link);
      rig.route_shortest();
      const auto world = rig.build();
      Recorder user(*world);
      constexpr std::uint64_t warm = 1'000, packets = 12'000;
      world->post(message(0, 1, warm * mtu));
      world->post(message(0, 1, packets * mtu));
      CHECK(world->run() == RunEnd::idle);
      REQUIRE(user.deliveries.size() == 2);
      const Ticks time = user.deliveries[1].delivered - user.deliveries[0].delivered;
      CHECK(time == static_cast<Ticks>(packets * (mtu + 26)) * per_byte);
      const double goodput = static_cast<double>(packets * mtu) * 8000 / static_cast<double>(time);
      CHECK(goodput / gbps == Approx(share).margin(0.00005));
      if (mtu == 4096 && generation == Generation::ndr) CHECK(goodput == Approx(397.5).margin(0.05));
      if (mtu == 4096 && generation == Generation::hdr) CHECK(goodput == Approx(198.7).margin(0.05));
      if (mtu == 4096 && generation == Generation::xdr) CHECK(goodput == Approx(795.0).margin(0.05));
    }
}

TEST_CASE("the framing term of a generation scales the ceiling", "[fast]") {
  Rig rig;
  rig.devices.links[Generation::ndr].framing = Ratio{98, 100};
  const NodeIndex a = rig.host(), b = rig.host();
  rig.wire(a, 1, b, 1);
  rig.route_shortest();
  const auto world = rig.build();
  CHECK(world->link_gbps({a, 1}) == Approx(392));
  Recorder user(*world);
  world->post(message(0, 1, 4096 * 1'000));
  world->post(message(0, 1, 4096 * 10'000));
  CHECK(world->run() == RunEnd::idle);
  const auto time = static_cast<double>(user.deliveries[1].delivered - user.deliveries[0].delivered);
  CHECK(10'000 * 4096 * 8000.0 / time == Approx(392 * 4096 / 4122.0).epsilon(1e-6));
}

TEST_CASE("flow-control packets take their bytes from the reverse direction", "[fast]") {
  // 8 bytes per packet received, when both directions are busy: 4096 / (4122 + 8).
  Rig rig;
  rig.devices.links[Generation::ndr].update_size = Bytes{8};
  const NodeIndex a = rig.host(), b = rig.host();
  rig.wire(a, 1, b, 1);
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  for (std::uint32_t i = 0; i < 2; ++i) {
    world->post(message(i, 1 - i, 4096 * 1'000));
    world->post(message(i, 1 - i, 4096 * 10'000));
  }
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 4);
  const auto time = static_cast<double>(user.deliveries[3].delivered - user.deliveries[1].delivered);
  CHECK(time == Approx(10'000 * (4122 + 8) * 20.0).epsilon(1e-3));
}
