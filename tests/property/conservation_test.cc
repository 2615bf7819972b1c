// Random fabrics under random traffic and mishaps: at every sample packets, bytes and credit are where they
// must be; time never runs back; the run always ends, finished or with a named reason; every message's parts
// are sound.
#include <map>
#include <tuple>

#include "tests/catch.h"
#include "tests/fabric_random.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Tally {
  unsigned finished = 0, stuck = 0, deadlocks = 0, lost = 0;
  std::uint64_t samples = 0;
};

void check(std::uint64_t seed, const Spice& spice, Tally& tally) {
  CAPTURE(seed);
  const RandomFabric fabric(seed, spice);
  const Rig rig = fabric.rig(fabric.natural_order());
  const auto world = rig.build();
  Player user(*world, fabric);
  world->sample_every(97'003);
  const RunEnd end = world->run(100'000'000'000);  // 0.1 s: far beyond anything here
  tally.samples += user.samples;
  for (const std::string& line : user.wrong) FAIL_CHECK(line);
  for (const std::string& line : world->check_conservation()) FAIL_CHECK(line);
  REQUIRE((end == RunEnd::idle || end == RunEnd::stuck));
  CHECK(world->counts().messages_delivered == user.deliveries.size());

  const auto report = world->wait_report();
  if (end == RunEnd::stuck) {
    ++tally.stuck;
    tally.deadlocks += report.deadlock;
    CHECK_FALSE(report.can_move);
    CHECK((report.deadlock ? !report.cycle.empty() : !report.culprits.empty()));
    for (const auto& wait : report.culprits) CHECK_FALSE(wait.why.empty());
  } else if (user.deliveries.size() == fabric.posts.size()) {
    ++tally.finished;
    CHECK(report.can_move);
    if (!fabric.loses()) {
      CHECK(user.sent.size() == fabric.posts.size());
      CHECK(world->live_packets() == 0);
    }
  } else {
    ++tally.lost;
    CHECK(fabric.loses());
    CHECK(world->counts().dropped > 0);
  }

  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint8_t, std::uint32_t>, std::uint64_t> last_of_qp;
  for (const Delivery& d : user.deliveries) {
    for (std::size_t p = 0; p < kParts; ++p) {
      CAPTURE(kPartNames[p]);
      CHECK(d.parts.ticks[p] >= 0);
    }
    CHECK(d.parts.total() == d.delivered - d.posted);
    const auto qp = std::tuple(d.message.source, d.message.destination, d.message.sl, d.message.flow);
    const auto found = last_of_qp.find(qp);
    if (found != last_of_qp.end()) CHECK(found->second < d.number);  // FIFO
    last_of_qp[qp] = d.number;
  }
}

}  // namespace

TEST_CASE("conservation: random fabrics with every mishap", "[fast]") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 400; ++seed) check(seed, {}, tally);
  CHECK(tally.finished > 150);
  CHECK(tally.stuck > 20);
  CHECK(tally.deadlocks > 2);
  CHECK(tally.samples > 10'000);
}

TEST_CASE("conservation: fabrics in lockstep, where everything happens at once", "[fast]") {
  Spice spice;
  spice.lockstep = true;
  Tally tally;
  for (std::uint64_t seed = 1000; seed < 1400; ++seed) check(seed, spice, tally);
  CHECK(tally.finished > 150);
}

TEST_CASE("conservation: trees without losses always finish or name the receiver that stalls", "[fast]") {
  Spice spice;
  spice.rings = spice.losses = false;
  Tally tally;
  for (std::uint64_t seed = 2000; seed < 2300; ++seed) check(seed, spice, tally);
  CHECK(tally.deadlocks == 0);
  CHECK(tally.lost == 0);
}

TEST_CASE("conservation: many more", "[slow]") {
  Tally tally;
  Spice lockstep;
  lockstep.lockstep = true;
  for (std::uint64_t seed = 10'000; seed < 20'000; ++seed)
    check(seed, seed % 2 == 0 ? Spice{} : lockstep, tally);
  CHECK(tally.finished > 4'000);
}
