// A change of one cause moves the part that bears its name, by as much as it must, and no other.
#include <functional>
#include <vector>

#include "tests/catch.h"
#include "tests/fabric_rig.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr Ticks kStep = 10'000;  // 10 ns
constexpr unsigned kSwitches = 3;

Rig base() {
  Rig rig;
  HcaProfile& hca = rig.hcas();
  hca.post = nanoseconds(90);
  hca.doorbell = nanoseconds(150);
  hca.inline_limit = Bytes{188};
  hca.fetch_latency = nanoseconds(310);
  hca.pcie_rate = gigabits_per_second(500);
  hca.send_pipeline = nanoseconds(50);
  hca.receive_pipeline = nanoseconds(60);
  hca.write_latency = nanoseconds(80);
  hca.completion = nanoseconds(30);
  rig.switches().port_to_port = nanoseconds(130);
  return rig;
}

/// A chain of three switches with two hosts at each end; returns what host 0's message to host 2 took.
Parts run(const std::function<void(Rig&)>& change, std::uint64_t bytes, bool competing = false) {
  Rig rig = base();
  change(rig);
  for (int i = 0; i < 4; ++i) rig.host();
  std::vector<NodeIndex> sw;
  for (unsigned i = 0; i < kSwitches; ++i) sw.push_back(rig.add_switch(4));
  for (unsigned i = 0; i + 1 < kSwitches; ++i) rig.wire(sw[i], 4, sw[i + 1], 3);
  rig.wire(0, 1, sw.front(), 1);
  rig.wire(1, 1, sw.front(), 2);
  rig.wire(2, 1, sw.back(), 1);
  rig.wire(3, 1, sw.back(), 2);
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  world->post(message(0, 2, bytes, 0, 0, 1));
  if (competing) world->post(message(1, 3, 1 << 20));
  CHECK(world->run() == RunEnd::idle);
  for (const Delivery& d : user.deliveries) {
    CHECK(d.parts.total() == d.delivered - d.posted);
    if (d.message.tag == 1) return d.parts;
  }
  FAIL("not delivered");
  return {};
}

/// All parts but `moved` are what they were.
void only(const Parts& before, const Parts& after, Part moved, Ticks by) {
  for (std::size_t p = 0; p < kParts; ++p) {
    CAPTURE(kPartNames[p]);
    CHECK(after.ticks[p] - before.ticks[p] == (p == static_cast<std::size_t>(moved) ? by : 0));
  }
}

const auto nothing = [](Rig&) {};

}  // namespace

TEST_CASE("+10 ns of cable moves propagation alone, by the number of cables", "[fast]") {
  for (const std::uint64_t bytes : {1u, 64u, 4096u, 4097u, 65'536u, 1'048'576u}) {
    CAPTURE(bytes);
    const Parts before = run(nothing, bytes);
    only(before, run([](Rig& r) { r.devices.default_length.micrometres += 2'000'000; }, bytes),
         Part::propagation, (kSwitches + 1) * kStep);
    only(before, run([](Rig& r) { r.cable().per_end += nanoseconds(5); }, bytes), Part::propagation,
         (kSwitches + 1) * kStep);
  }
}

TEST_CASE("+10 ns of port-to-port or receive pipeline moves pipeline alone", "[fast]") {
  for (const std::uint64_t bytes : {1u, 4096u, 65'536u, 1'048'576u}) {
    CAPTURE(bytes);
    const Parts before = run(nothing, bytes);
    only(before, run([](Rig& r) { r.switches().port_to_port += nanoseconds(10); }, bytes), Part::pipeline,
         kSwitches * kStep);
    only(before, run([](Rig& r) { r.hcas().receive_pipeline += nanoseconds(10); }, bytes), Part::pipeline,
         kStep);
  }
  only(run(nothing, 4096), run([](Rig& r) { r.hcas().send_pipeline += nanoseconds(10); }, 4096),
       Part::pipeline, kStep);
}

TEST_CASE("+10 ns of doorbell, fetch or write moves pcie alone; of post or completion, host", "[fast]") {
  for (const std::uint64_t bytes : {64u, 1000u, 4096u, 65'536u}) {
    CAPTURE(bytes);
    const Parts before = run(nothing, bytes);
    only(before, run([](Rig& r) { r.hcas().doorbell += nanoseconds(10); }, bytes), Part::pcie, kStep);
    only(before, run([](Rig& r) { r.hcas().write_latency += nanoseconds(10); }, bytes), Part::pcie, kStep);
    only(before, run([](Rig& r) { r.hcas().post += nanoseconds(10); }, bytes), Part::host, kStep);
    only(before, run([](Rig& r) { r.hcas().completion += nanoseconds(10); }, bytes), Part::host, kStep);
    // One packet is fetched at a time here, so each of a message's packets waits for its own fetch.
    const Ticks fetches = bytes <= 188 ? 0 : static_cast<Ticks>((bytes + 4095) / 4096);
    only(before, run([](Rig& r) { r.hcas().fetch_latency += nanoseconds(10); }, bytes), Part::pcie,
         fetches * kStep);
  }
}

TEST_CASE("a slower wire moves serialisation alone", "[fast]") {
  const auto slower = [](Rig& r) { r.devices.links[Generation::ndr].framing = Ratio{1, 2}; };
  for (const std::uint64_t bytes : {1u, 4096u})
    only(run(nothing, bytes), run(slower, bytes), Part::serialisation,
         (26 + (static_cast<Ticks>(bytes) + 3) / 4 * 4) * 20);
}

TEST_CASE("a competing flow moves arbitration alone while buffers are ample", "[fast]") {
  for (const std::uint64_t bytes : {64u, 4096u}) {
    const Parts before = run(nothing, bytes), after = run(nothing, bytes, true);
    CHECK(before[Part::arbitration] == 0);
    only(before, after, Part::arbitration, after[Part::arbitration]);
    CHECK(after[Part::arbitration] >= 0);
  }
  // Both fetched ahead: two flows share the wire between the switches, so half of a long message's time is
  // its turn.
  const auto ahead = [](Rig& r) {
    r.hcas() = HcaProfile{};
    r.hcas().prefetch = Bytes{65'536};
  };
  const Parts before = run(ahead, 1 << 17), after = run(ahead, 1 << 17, true);
  only(before, after, Part::arbitration, after[Part::arbitration]);
  CHECK(after[Part::arbitration] > before.total() * 8 / 10);
}

TEST_CASE("with buffers of two packets a competing flow moves arbitration and credit, nothing else",
          "[fast]") {
  const auto small = [](Rig& r) {
    r.hcas() = HcaProfile{};
    r.switches().buffer = Bytes{130 * 64};
  };
  const Parts before = run(small, 1 << 18), after = run(small, 1 << 18, true);
  for (const Part same : {Part::host, Part::pcie, Part::serialisation, Part::propagation, Part::pipeline,
                          Part::congestion, Part::retry})
    CHECK(before[same] == after[same]);
  CHECK(after[Part::credit] > before[Part::credit]);
}
