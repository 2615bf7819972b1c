// The latency of a message between two hosts, from the numbers of its profiles: by hand, to the picosecond,
// for every size, and each of its parts.
#include <algorithm>
#include <vector>

#include "tests/catch.h"
#include "tests/fabric_rig.h"

using namespace weft;
using namespace weft::test;

namespace {

// An adapter in which every number is different and none is a multiple of another.
constexpr Ticks kPost = 91'003, kDoorbell = 147'011, kFetch = 311'017, kSend = 53'021, kReceive = 67'033,
                kWrite = 83'039, kCompletion = 29'047, kPortToPort = 131'053, kFec = 17'059, kPerEnd = 1'061,
                kPropagation = 25'000 + 2 * kPerEnd;
constexpr std::uint64_t kInline = 188;
constexpr Ticks kWirePerByte = 20;  // 400 Gb/s
constexpr Ticks kPciePerByte = 16;  // 500 Gb/s

Rig two_hosts(unsigned switches, std::uint64_t prefetch, bool switch_includes_fec, bool hca_includes_fec) {
  Rig rig;
  HcaProfile& hca = rig.hcas();
  hca.post = Time{kPost};
  hca.doorbell = Time{kDoorbell};
  hca.inline_limit = Bytes{kInline};
  hca.fetch_latency = Time{kFetch};
  hca.pcie_rate = gigabits_per_second(500);
  hca.send_pipeline = Time{kSend};
  hca.receive_pipeline = Time{kReceive};
  hca.write_latency = Time{kWrite};
  hca.completion = Time{kCompletion};
  hca.prefetch = Bytes{prefetch};
  hca.includes_fec = hca_includes_fec;
  rig.switches().port_to_port = Time{kPortToPort};
  rig.switches().includes_fec = switch_includes_fec;
  rig.cable().per_end = Time{kPerEnd};
  rig.devices.links[Generation::ndr].fec = Time{kFec};
  const NodeIndex a = rig.host(), b = rig.host();
  NodeIndex last = a;
  for (unsigned i = 0; i < switches; ++i) {
    const NodeIndex sw = rig.add_switch(2);
    rig.wire(last, i == 0 ? 1 : 2, sw, 1);
    last = sw;
  }
  rig.wire(last, switches == 0 ? 1 : 2, b, 1);
  rig.route_shortest();
  return rig;
}

std::vector<std::uint64_t> packets_of(std::uint64_t bytes) {
  std::vector<std::uint64_t> payloads(bytes / 4096, 4096);
  if (bytes % 4096 != 0) payloads.push_back(bytes % 4096);
  return payloads;
}

Ticks wire_time(std::uint64_t payload) {
  return static_cast<Ticks>(26 + (payload + 3) / 4 * 4) * kWirePerByte;
}
Ticks pcie_time(std::uint64_t payload) { return static_cast<Ticks>(payload) * kPciePerByte; }

/// What the last packet finds at the receiver when the packets' last bits leave the sender at `tails`.
Ticks placement(const std::vector<std::uint64_t>& payloads, const std::vector<Ticks>& tails) {
  Ticks placed = 0;
  for (std::size_t i = 0; i < payloads.size(); ++i)
    placed = std::max(tails[i], placed) + pcie_time(payloads[i]);
  return placed - tails.back();
}

Delivery latency_of(const Rig& rig, std::uint64_t bytes) {
  const auto world = rig.build();
  Recorder user(*world);
  world->post(message(0, 1, bytes));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.deliveries.size() == 1);
  CHECK(user.deliveries[0].parts.total() == user.deliveries[0].delivered);
  CHECK(world->check_conservation().empty());
  return user.deliveries[0];
}

std::vector<std::uint64_t> sizes() {
  std::vector<std::uint64_t> all{0, 3, 5, 186, 187, 188, 189, 4095, 4096, 4097, 8191, 8193, 12'345, 100'001};
  for (std::uint64_t s = 1; s <= 1 << 20; s *= 2) all.push_back(s);
  return all;
}

}  // namespace

TEST_CASE("one packet at a time: each packet's fetch starts when the one before leaves", "[fast]") {
  for (const unsigned switches : {0u, 1u, 3u})
    for (const std::uint64_t bytes : sizes()) {
      if (bytes > 4096) continue;
      CAPTURE(switches, bytes);
      const Delivery d = latency_of(two_hosts(switches, 4096, true, true), bytes);
      const Ticks fetch = bytes > kInline ? kFetch + pcie_time(bytes) : 0;
      CHECK(d.parts[Part::host] == kPost + kCompletion);
      CHECK(d.parts[Part::pcie] == kDoorbell + fetch + pcie_time(bytes) + kWrite);
      CHECK(d.parts[Part::serialisation] == wire_time(bytes));
      CHECK(d.parts[Part::propagation] == (switches + 1) * kPropagation);
      CHECK(d.parts[Part::pipeline] == kSend + switches * kPortToPort + kReceive);
      for (const Part none : {Part::arbitration, Part::credit, Part::congestion, Part::retry})
        CHECK(d.parts[none] == 0);
      CHECK(d.delivered == kPost + kDoorbell + fetch + kSend + wire_time(bytes) +
                               (switches + 1) * kPropagation + switches * kPortToPort + kReceive +
                               pcie_time(bytes) + kWrite + kCompletion);
    }
}

TEST_CASE("many packets with one in flight over PCIe: the fetch is what the wire waits for", "[fast]") {
  for (const unsigned switches : {0u, 2u})
    for (const std::uint64_t bytes : sizes()) {
      if (bytes <= 4096) continue;
      CAPTURE(switches, bytes);
      const Delivery d = latency_of(two_hosts(switches, 4096, true, true), bytes);
      const auto payloads = packets_of(bytes);
      // A full packet is 82.44 ns on the wire; the next one's fetch alone takes longer, so it starts fetch +
      // pipeline after its predecessor did, and the wire idles for the rest.
      std::vector<Ticks> tails;
      Ticks start = kPost + kDoorbell;
      Ticks pcie = kDoorbell, wire = 0, pipeline = 0;
      for (std::size_t i = 0; i < payloads.size(); ++i) {
        start += kFetch + pcie_time(payloads[i]) + kSend;
        tails.push_back(start + wire_time(payloads[i]));
        const Ticks hidden = i == 0 ? 0 : wire_time(4096);  // behind the transmission of the packet before
        pcie += kFetch + pcie_time(payloads[i]) - hidden;
        pipeline += kSend;
        wire += wire_time(payloads[i]);
      }
      pcie += placement(payloads, tails) + kWrite;
      CHECK(d.parts[Part::host] == kPost + kCompletion);
      CHECK(d.parts[Part::pcie] == pcie);
      CHECK(d.parts[Part::serialisation] == wire);
      CHECK(d.parts[Part::propagation] == (switches + 1) * kPropagation);
      CHECK(d.parts[Part::pipeline] == pipeline + switches * kPortToPort + kReceive);
      for (const Part none : {Part::arbitration, Part::credit, Part::congestion, Part::retry})
        CHECK(d.parts[none] == 0);
      CHECK(d.delivered == tails.back() + (switches + 1) * kPropagation + switches * kPortToPort + kReceive +
                               placement(payloads, tails) + kWrite + kCompletion);
    }
}

TEST_CASE("many packets fetched ahead: the wire is never idle after the first", "[fast]") {
  for (const unsigned switches : {0u, 2u})
    for (const std::uint64_t bytes : sizes()) {
      if (bytes <= 4096) continue;
      CAPTURE(switches, bytes);
      const Delivery d = latency_of(two_hosts(switches, 65'536, true, true), bytes);
      const auto payloads = packets_of(bytes);
      std::vector<Ticks> tails;
      Ticks tail = kPost + kDoorbell + kFetch + pcie_time(4096) + kSend;
      Ticks wire = 0;
      for (const std::uint64_t payload : payloads) {
        wire += wire_time(payload);
        tails.push_back(tail + wire);
      }
      CHECK(d.parts[Part::host] == kPost + kCompletion);
      CHECK(d.parts[Part::pcie] ==
            kDoorbell + kFetch + pcie_time(4096) + placement(payloads, tails) + kWrite);
      CHECK(d.parts[Part::serialisation] == wire);
      CHECK(d.parts[Part::propagation] == (switches + 1) * kPropagation);
      CHECK(d.parts[Part::pipeline] == kSend + switches * kPortToPort + kReceive);
      for (const Part none : {Part::arbitration, Part::credit, Part::congestion, Part::retry})
        CHECK(d.parts[none] == 0);
      CHECK(d.delivered == tails.back() + (switches + 1) * kPropagation + switches * kPortToPort + kReceive +
                               placement(payloads, tails) + kWrite + kCompletion);
    }
}

TEST_CASE("FEC counts once on every link whose receiver does not hold it already", "[fast]") {
  const Ticks with_none = latency_of(two_hosts(3, 4096, true, true), 64).parts[Part::pipeline];
  CHECK(latency_of(two_hosts(3, 4096, false, true), 64).parts[Part::pipeline] == with_none + 3 * kFec);
  CHECK(latency_of(two_hosts(3, 4096, true, false), 64).parts[Part::pipeline] == with_none + kFec);
  CHECK(latency_of(two_hosts(3, 4096, false, false), 64).parts[Part::pipeline] == with_none + 4 * kFec);
}

TEST_CASE("the sender has its completion one ACK after the data is placed", "[fast]") {
  const Rig rig = two_hosts(1, 4096, true, true);
  const auto world = rig.build();
  Recorder user(*world);
  world->post(message(0, 1, 1000));
  CHECK(world->run() == RunEnd::idle);
  REQUIRE(user.sent.size() == 1);
  const Ticks placed = user.deliveries[0].delivered - kWrite - kCompletion;
  const Ticks ack = 30 * kWirePerByte;  // LRH + BTH + AETH + ICRC + VCRC
  CHECK(user.sent[0].first ==
        placed + ack + 2 * kPropagation + kPortToPort + kReceive + kWrite + kCompletion);
}

TEST_CASE("the run's clock ends with its last event", "[fast]") {
  const Rig rig = two_hosts(1, 4096, true, true);
  const auto world = rig.build();
  Recorder user(*world);
  world->post(message(0, 1, 1000));
  CHECK(world->run() == RunEnd::idle);
  CHECK(world->now() == user.sent[0].first);
  world->post(message(1, 0, 1000));  // and it can go on
  CHECK(world->run() == RunEnd::idle);
  CHECK(user.deliveries.size() == 2);
  CHECK(user.deliveries[1].delivered - user.deliveries[1].posted == user.deliveries[0].delivered);
}

TEST_CASE("on FDR the same message always takes the same time, and a million packets do not drift",
          "[fast]") {
  // 600/11 Gb/s is 440/3 ps a byte: no size but a multiple of 3 bytes takes a whole number of picoseconds.
  Rig rig;
  rig.settings.mtu = 256;
  const NodeIndex a = rig.host(), b = rig.host();
  LinkSpec fdr;
  fdr.generation = Generation::fdr;
  rig.wire(a, 1, b, 1, fdr);
  rig.route_shortest();
  const auto world = rig.build();
  Recorder user(*world);
  const auto expected = [](std::uint64_t wire_bytes) {
    return static_cast<Ticks>(wire_bytes * 440 / 3) + 25'000;
  };
  for (int i = 0; i < 300; ++i) {
    world->post(message(0, 1, 100));
    world->run();
    REQUIRE(user.deliveries.back().delivered - user.deliveries.back().posted == expected(126));
    world->post(message(0, 1, 1000));
    world->run();
    REQUIRE(user.deliveries.back().delivered - user.deliveries.back().posted == expected(1000 + 4 * 26));
  }
  world->post(message(0, 1, 256'000'000));
  CHECK(world->run() == RunEnd::idle);
  CHECK(world->counts().data_hops > 1'000'000);
  CHECK(user.deliveries.back().delivered - user.deliveries.back().posted == expected(1'000'000ull * 282));
}
