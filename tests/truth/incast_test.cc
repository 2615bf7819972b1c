// T10: n senders into one port share it equally, to a packet, and the port is never idle.
#include "tests/catch.h"
#include "tests/truth/shares.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("T10: incast of n to 1 gives each 1/n, a packet more or less", "[fast]") {
  for (const std::uint32_t n : {2u, 3u, 7u, 16u})
    for (const std::uint64_t buffer_packets : {3u, 31u}) {
      CAPTURE(n, buffer_packets);
      Rig rig;
      rig.switches().port_to_port = nanoseconds(130);
      rig.switches().buffer = Bytes{buffer_packets * 65 * 64};
      const NodeIndex sink = rig.host();
      for (std::uint32_t i = 0; i < n; ++i) rig.host();
      const NodeIndex sw = rig.add_switch(n + 1);
      rig.wire(sink, 1, sw, n + 1);
      for (std::uint32_t i = 0; i < n; ++i) rig.wire(1 + i, 1, sw, 1 + i);
      rig.route_shortest();
      const auto world = rig.build();
      std::vector<Saturator::Flow> flows;
      for (std::uint32_t i = 0; i < n; ++i) flows.push_back({1 + i, 0});
      constexpr Ticks packets = 12'000;
      Saturator user(*world, flows, 100'000'000, 100'000'000 + packets * 82'440);
      world->run();
      std::uint64_t all = 0;
      for (const auto& f : user.flows) {
        all += f.packets;
        CHECK(f.packets * n <= static_cast<std::uint64_t>(packets) + n);
        CHECK(f.packets * n + n >= static_cast<std::uint64_t>(packets));
      }
      CHECK(all == static_cast<std::uint64_t>(packets));  // line rate x header efficiency, exactly
    }
}
