// T17: cut-through over h switches, at equal rates, into a faster and into a slower wire.
#include <algorithm>
#include <vector>

#include "sim/random.h"
#include "tests/catch.h"
#include "tests/fabric_rig.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr Ticks kPortToPort = 130'000, kWire = 25'000;

/// Two hosts at the ends of a chain; rates in Gb/s, one a wire.
Ticks latency(const std::vector<std::uint64_t>& rates, std::uint64_t bytes) {
  Rig rig;
  rig.switches().port_to_port = Time{kPortToPort};
  const NodeIndex a = rig.host(), b = rig.host();
  NodeIndex last = a;
  for (std::size_t i = 0; i + 1 < rates.size(); ++i) {
    const NodeIndex sw = rig.add_switch(2);
    rig.wire(last, i == 0 ? 1 : 2, sw, 1, link_of(gigabits_per_second(rates[i])));
    last = sw;
  }
  rig.wire(last, rates.size() == 1 ? 1 : 2, b, 1, link_of(gigabits_per_second(rates.back())));
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  world->post(message(0, 1, bytes));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 1);
  CHECK(user.deliveries[0].parts[Part::pipeline] == static_cast<Ticks>(rates.size() - 1) * kPortToPort);
  CHECK(user.deliveries[0].parts[Part::propagation] == static_cast<Ticks>(rates.size()) * kWire);
  return user.deliveries[0].delivered;
}

/// Wire time of 4096 + 26 bytes: 164.88 ns at 200 Gb/s, 82.44 at 400, 41.22 at 800.
constexpr Ticks ser(std::uint64_t gbps) { return static_cast<Ticks>(4122 * 8000 / gbps); }

}  // namespace

TEST_CASE("T17: equal rates cost one serialisation, h pipelines and h + 1 wires", "[fast]") {
  for (const std::uint64_t rate : {200u, 400u, 800u})
    for (Ticks h = 0; h <= 4; ++h)
      CHECK(latency(std::vector<std::uint64_t>(static_cast<std::size_t>(h) + 1, rate), 4096) ==
            h * kPortToPort + (h + 1) * kWire + ser(rate));
}

TEST_CASE("T17: a faster output waits for the tail, a slower one takes its own time", "[fast]") {
  const Ticks fixed = kPortToPort + 2 * kWire;
  CHECK(latency({200, 400}, 4096) == fixed + ser(400) + (ser(200) - ser(400)));
  CHECK(latency({400, 200}, 4096) == fixed + ser(200));
  const Ticks two = 2 * kPortToPort + 3 * kWire;
  CHECK(latency({400, 200, 400}, 4096) == two + ser(200));  // the slowest wire is paid once, wherever it is
  CHECK(latency({200, 400, 200}, 4096) == two + ser(200));
  CHECK(latency({800, 400, 200}, 4096) == two + ser(200));
  CHECK(latency({200, 400, 800}, 4096) == two + ser(200));
}

TEST_CASE("one packet over any chain of rates takes the slowest wire's time", "[fast]") {
  RandomStream random(3, "chains");
  for (int i = 0; i < 60; ++i) {
    std::vector<std::uint64_t> rates;
    for (std::uint64_t n = 1 + random.below(6); n > 0; --n)
      rates.push_back(std::uint64_t{25} << random.below(6));
    const auto h = static_cast<Ticks>(rates.size() - 1);
    CHECK(latency(rates, 4096) ==
          h * kPortToPort + (h + 1) * kWire + ser(*std::min_element(rates.begin(), rates.end())));
  }
}

TEST_CASE("a long message through a faster wire arrives at the slower wire's rate", "[fast]") {
  const Ticks fixed = kPortToPort + 2 * kWire;
  for (const Ticks n : {2, 10, 100}) {
    CHECK(latency({200, 400}, static_cast<std::uint64_t>(n) * 4096) == fixed + n * ser(200));
    CHECK(latency({400, 200}, static_cast<std::uint64_t>(n) * 4096) == fixed + n * ser(200));
  }
}
