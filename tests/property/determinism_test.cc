// The same run twice gives the same fingerprint, also when two simulations take turns in one process.
#include <set>

#include "tests/catch.h"
#include "tests/fabric_random.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("two simulations interleaved in one process do not see each other", "[fast]") {
  std::set<std::uint64_t> fingerprints;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Spice spice;
    spice.lockstep = seed % 2 == 1;
    const RandomFabric fabric(seed, spice);
    const Rig rig = fabric.rig(fabric.natural_order());
    const auto alone = rig.build(), a = rig.build(), b = rig.build();
    Player alone_user(*alone, fabric), a_user(*a, fabric), b_user(*b, fabric);
    const RunEnd end = alone->run(100'000'000'000);
    Ticks horizon = 0;
    RunEnd end_a = RunEnd::horizon, end_b = RunEnd::horizon;
    while (end_a == RunEnd::horizon)
      end_a = a->run(horizon += 1'000'003), end_b = b->run(horizon);  // in slices
    CHECK(end_a == end);
    CHECK(end_b == end);
    CHECK(a->fingerprint() == alone->fingerprint());
    CHECK(b->fingerprint() == alone->fingerprint());
    CHECK(a_user.deliveries.size() == alone_user.deliveries.size());
    fingerprints.insert(alone->fingerprint());
  }
  CHECK(fingerprints.size() == 60);  // and it tells runs apart
}

TEST_CASE("sampling changes nothing", "[fast]") {
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    CAPTURE(seed);
    const RandomFabric fabric(seed, {});
    const Rig rig = fabric.rig(fabric.natural_order());
    const auto plain = rig.build(), sampled = rig.build();
    Player plain_user(*plain, fabric), sampled_user(*sampled, fabric);
    sampled->sample_every(50'000);
    CHECK(plain->run(100'000'000'000) == sampled->run(100'000'000'000));
    CHECK(plain->fingerprint() == sampled->fingerprint());
  }
}

TEST_CASE("the order in which hosts are told to post does not matter", "[fast]") {
  // Messages of different hosts posted at one instant in either order: pushes into the event set differ,
  // results do not.
  const auto run = [](bool backwards) {
    Rig rig = k_ary_rig(4);
    const auto world = rig.build();
    Recorder user(*world);
    for (std::uint32_t i = 0; i < 16; ++i) {
      const std::uint32_t source = backwards ? 15 - i : i;
      world->post(message(source, (source * 5 + 3) % 16 == source ? (source + 1) % 16 : (source * 5 + 3) % 16,
                          100'000, 0, 0, source));
    }
    world->run();
    CHECK(user.deliveries.size() == 16);
    return world->fingerprint();
  };
  CHECK(run(false) == run(true));
}
