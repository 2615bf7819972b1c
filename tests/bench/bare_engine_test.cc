// The yardstick of `weft bench` does what its header says: timing in closed form, and what Weft's engine does
// where they should agree. That it agrees with Weft on packet-hops is checked at every measurement.
#include "tools/bare_engine.h"
#include <cstdlib>

#include "tests/catch.h"

namespace weft {
namespace {

constexpr Ticks kSerialisation = 82'440, kCable = 25'000, kSwitch = 130'000;

Prepared small_fabric() {
  setenv("WEFT_PROFILES", WEFT_SOURCE_DIR "/scenarios/profiles", 1);
  return bench_fabric(16, false, 0);
}

struct Run {
  std::uint64_t hops, left;
  Ticks end;
};

Run run(const Prepared& fabric, const std::vector<BenchSend>& sends) {
  BareEngine engine(fabric.topology, fabric.routes, sends);
  engine.run();
  return {engine.hops(), engine.packets_left(), engine.now()};
}

}  // namespace

TEST_CASE("the bare engine: one packet, and its way in closed form", "[fast]") {
  const Prepared fabric = small_fabric();
  const auto check = [&](std::uint32_t to, unsigned switches) {
    INFO(to);
    const Run one = run(fabric, {{0, to, 4096, 0}});
    CHECK(one.hops == switches + 1);
    CHECK(one.left == 0);
    // The last thing to happen is that the last switch hears of the buffer freed at the host.
    CHECK(one.end == (switches + 1) * kCable + switches * kSwitch + kSerialisation + kCable);
    CHECK(run(fabric, {{0, to, 4096, 777}}).end == one.end + 777);
    const Run many = run(fabric, {{0, to, 100 * 4096, 0}});
    CHECK(many.hops == 100 * one.hops);
    CHECK(many.end == one.end + 99 * kSerialisation);  // cut-through, credits do not run out
  };
  check(1, 1);
  check(2, 3);
  check(15, 5);
}

TEST_CASE("the bare engine: two senders share the wire to one host, in turn", "[fast]") {
  const Prepared fabric = small_fabric();
  const Run alone = run(fabric, {{4, 0, 300 * 4096, 0}});
  const Run both = run(fabric, {{4, 0, 300 * 4096, 0}, {8, 0, 300 * 4096, 0}});
  CHECK(both.hops == 2 * alone.hops);
  CHECK(both.left == 0);
  CHECK(both.end ==
        alone.end + 300 * kSerialisation);  // the wire never idles: 31 packets of buffer are enough
}

TEST_CASE("the bare engine: a source's messages follow each other without a gap", "[fast]") {
  const Prepared fabric = small_fabric();
  const Run one = run(fabric, {{0, 15, 20 * 4096, 0}});
  CHECK(run(fabric, {{0, 14, 10 * 4096, 0}, {0, 15, 10 * 4096, 0}}).end == one.end);
}

TEST_CASE("every workload of the bench is traffic between two hosts, about so many bytes each", "[fast]") {
  for (const BenchWorkload& workload : bench_workloads())
    for (const std::uint32_t hosts : {2u, 3u, 16u, 100u, 1024u}) {
      INFO(workload.name << " " << hosts);
      std::uint64_t bytes = 0;
      std::uint32_t last = 0;
      for (const BenchSend& send : workload.sends(hosts, 1'000'000)) {
        CHECK(send.source != send.destination);
        CHECK((send.source < hosts && send.destination < hosts));
        CHECK(send.source >= last);
        last = send.source;
        bytes += send.bytes;
      }
      CHECK(bytes <= hosts * std::uint64_t{1'000'000});
      // What would go to its own sender is left out.
      CHECK(bytes >= hosts * std::uint64_t{1'000'000} * 4 / 10);
    }
}

}  // namespace weft
