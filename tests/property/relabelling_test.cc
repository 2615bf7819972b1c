// Numbering the nodes in another order, with ports and hosts keeping their numbers, changes nothing anyone
// can see.
#include <map>

#include "tests/catch.h"
#include "tests/fabric_random.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Seen {
  RunEnd end;
  std::map<std::uint64_t, std::tuple<Ticks, Ticks, std::array<Ticks, kParts>>> deliveries;  // by tag
  std::map<std::uint64_t, Ticks> sent;
};

Seen run(const RandomFabric& fabric, const std::vector<unsigned>& order) {
  const Rig rig = fabric.rig(order);
  const auto world = rig.build();
  Player user(*world, fabric);
  Seen seen{world->run(100'000'000'000), {}, {}};
  for (const Delivery& d : user.deliveries)
    seen.deliveries[d.message.tag] = {d.posted, d.delivered, d.parts.ticks};
  for (const auto& [at, m] : user.sent) seen.sent[m.tag] = at;
  return seen;
}

void check(std::uint64_t first, std::uint64_t seeds, const Spice& spice) {
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    CAPTURE(seed);
    const RandomFabric fabric(seed, spice);
    const Seen natural = run(fabric, fabric.natural_order());
    RandomStream random(seed, "relabel");
    for (int i = 0; i < 3; ++i) {
      auto order = fabric.natural_order();
      random.shuffle(std::span<unsigned>(order));
      const Seen other = run(fabric, order);
      CHECK(natural.end == other.end);
      CHECK(natural.deliveries == other.deliveries);
      CHECK(natural.sent == other.sent);
    }
  }
}

}  // namespace

TEST_CASE("relabelling changes no time and no part: plain fabrics", "[fast]") {
  Spice spice;
  spice.policies = false;
  check(0, 100, spice);
  spice.lockstep = true;
  check(100, 200, spice);
}

TEST_CASE("relabelling changes no time and no part: update policies, read speedup, output queues", "[fast]") {
  Spice spice;
  check(1000, 100, spice);
  spice.lockstep = true;
  check(2000, 300, spice);
}
