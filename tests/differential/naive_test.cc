// The packet engine against a naive simulator of the same rules (naive_fabric.h): deliveries, completions and
// port waits agree to the picosecond.
#include "tests/catch.h"
#include "tests/differential/naive_fabric.h"

using namespace weft;
using namespace weft::test;

namespace {

unsigned compare(std::uint64_t first, std::uint64_t seeds, bool lockstep) {
  Spice spice;
  spice.mishaps = spice.adapter_costs = spice.policies = spice.fractional = false;
  spice.lockstep = lockstep;
  unsigned deadlocks = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    const RandomFabric fabric(seed, spice);
    const Rig rig = fabric.rig(fabric.natural_order());
    const auto world = rig.build();
    Player user(*world, fabric);
    const RunEnd end = world->run();
    deadlocks += end == RunEnd::stuck;
    Naive::Result engine;
    for (const Delivery& d : user.deliveries) engine.delivered[d.message.tag] = d.delivered;
    for (const auto& [time, m] : user.sent) engine.sent[m.tag] = time;
    Naive::Result naive = Naive(rig, fabric).run();
    CHECK(engine.delivered == naive.delivered);
    CHECK(engine.sent == naive.sent);
    CHECK((end == RunEnd::idle) ==
          (naive.delivered.size() == fabric.posts.size() && naive.sent.size() == fabric.posts.size()));
    if (end == RunEnd::stuck) continue;
    for (const auto& c : world->port_counters()) {
      const auto found = naive.xmit_wait.find({c.port.node, c.port.port});
      CHECK(c.xmit_wait == (found == naive.xmit_wait.end() ? 0 : found->second));
    }
  }
  return deadlocks;
}

}  // namespace

TEST_CASE("random fabrics: the engine and a naive simulator agree to the picosecond", "[fast]") {
  CHECK(compare(0, 400, false) > 0);  // some rings deadlock, in both
}

TEST_CASE("fabrics in lockstep: the engine and a naive simulator agree to the picosecond", "[fast]") {
  compare(5000, 400, true);
}

TEST_CASE("many more: the engine and a naive simulator agree to the picosecond", "[slow]") {
  compare(100'000, 4000, false);
  compare(200'000, 4000, true);
}
