// The shipped device profiles: they read, they are physical, their stated sums hold, and the packet engine
// gives the latencies, rates and goodputs they were made for.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/fabric/world.h"
#include "models/routing/minhop.h"
#include "sim/config.h"
#include "tests/catch.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

fs::path folder(const std::string& kind) { return fs::path(WEFT_SOURCE_DIR) / "scenarios/profiles" / kind; }

template <class Profile>
Profile load(const fs::path& file) {
  const Document document = Document::load(file.string());
  Profile profile;
  try {
    read_config(document, profile);
  } catch (const ConfigError& error) {
    for (const Diagnostic& d : error.diagnostics())
      UNSCOPED_INFO(file << ":" << d.where.line << ": " << d.message);
    throw;
  }
  return profile;
}

template <class Profile>
std::map<std::string, Profile> all(const std::string& kind) {
  std::map<std::string, Profile> profiles;
  for (const auto& entry : fs::directory_iterator(folder(kind)))
    profiles.emplace(entry.path().stem().string(), load<Profile>(entry.path()));
  return profiles;
}

template <class Profile>
std::set<std::string> names(const std::map<std::string, Profile>& profiles) {
  std::set<std::string> result;
  for (const auto& [name, profile] : profiles) result.insert(name);
  return result;
}

/// What packets have of a link's data rate.
Rate packet_rate(Generation generation, std::uint8_t width, const LinkProfile& layer) {
  const Ratio lane = lane_rate(generation).bits_per_second;
  return Rate{make_ratio(static_cast<Uint128>(lane.num) * width * layer.framing.num,
                         static_cast<Uint128>(lane.den) * layer.framing.den)};
}

bool within(double value, double target, double margin) {
  return value >= target - margin && value <= target + margin;
}

constexpr std::int64_t kMetre = 1'000'000;  // um

/// An adapter with its own generation's link layer and a passive copper cable.
struct Bench {
  explicit Bench(const std::string& name)
      : hca(load<HcaProfile>(folder("hca") / (name + ".yaml"))),
        cable(load<CableProfile>(folder("cable") / "dac.yaml")) {
    std::string generation = to_text(hca.generation);
    std::ranges::transform(generation, generation.begin(),
                           [](char c) { return static_cast<char>(c | 0x20); });
    layer = load<LinkProfile>(folder("link") / (generation + ".yaml"));
    wire = picoseconds_per_byte(packet_rate(hca.generation, static_cast<std::uint8_t>(hca.width), layer));
    pcie = picoseconds_per_byte(hca.pcie_rate);
  }

  /// Half a round trip of a SEND of one packet, back to back over 1 m, as the head of the profile adds it up.
  Time half_round_trip(std::uint32_t bytes) const {
    Time sum = hca.post + hca.doorbell + hca.send_pipeline + wire.time_for(rc_send_wire_bytes(bytes)) +
               cable.per_metre + hca.receive_pipeline + pcie.time_for(bytes) + hca.write_latency +
               hca.completion;
    if (bytes > hca.inline_limit.count) sum += hca.fetch_latency + pcie.time_for(bytes);
    return sum;
  }

  HcaProfile hca;
  CableProfile cable;
  LinkProfile layer;
  PicosecondsPerByte wire, pcie;
};

/// Two adapters, back to back or with one switch between them.
struct Pair : FabricUser {
  Pair(const Bench& bench, const SwitchProfile* between = nullptr) {
    Devices devices;
    devices.hcas["hca"] = bench.hca;
    devices.cables["dac"] = bench.cable;
    devices.links[bench.hca.generation] = bench.layer;
    devices.default_hca = "hca";
    devices.default_cable = "dac";
    devices.default_length = Length{kMetre};
    LinkSpec link;
    link.generation = bench.hca.generation;
    const NodeIndex a = topology.add_node(NodeKind::hca, "a", 1);
    const NodeIndex b = topology.add_node(NodeKind::hca, "b", 1);
    if (between != nullptr) {
      devices.switches["switch"] = *between;
      devices.default_switch = "switch";
      const NodeIndex s = topology.add_node(NodeKind::switch_, "s", 2);
      topology.connect({a, 1}, {s, 1}, link);
      topology.connect({s, 2}, {b, 1}, link);
    } else {
      topology.connect({a, 1}, {b, 1}, link);
    }
    topology.assign_guids();
    topology.assign_lids(false);
    if (between != nullptr) routes = minhop_routes(topology);
    world.emplace(topology, routes, devices, FabricSettings{});
    world->set_user(*this);
  }

  Time latency(std::uint64_t bytes) {
    const std::size_t before = deliveries.size();
    send(bytes, 0);
    run();
    REQUIRE(deliveries.size() == before + 1);
    return Time{deliveries.back().delivered - deliveries.back().posted};
  }
  void send(std::uint64_t bytes, std::uint32_t flow) {
    Message message;
    message.destination = 1;
    message.bytes = bytes;
    message.flow = flow;
    world->post(message);
  }
  void run() {
    REQUIRE(world->run() == RunEnd::idle);
    CHECK(world->check_conservation().empty());
  }
  /// Time between the first and the last delivery, per delivery.
  double picoseconds_per_message() const {
    return static_cast<double>(deliveries.back().delivered - deliveries.front().delivered) /
           static_cast<double>(deliveries.size() - 1);
  }
  double goodput_gbps() const {
    return 8000.0 * static_cast<double>(deliveries.back().message.bytes) / picoseconds_per_message();
  }

  void on_delivered(const Delivery& delivery) override { deliveries.push_back(delivery); }
  void on_sent(const Message&) override {}
  void on_wake(std::uint32_t, std::uint32_t) override {}

  Topology topology;
  Routes routes;
  std::optional<World> world;
  std::vector<Delivery> deliveries;
};

double goodput(const Bench& bench, const SwitchProfile* between) {
  Pair pair(bench, between);
  for (int i = 0; i < 200; ++i) pair.send(65536, 0);
  pair.run();
  return pair.goodput_gbps();
}

/// The lines "#     name   1,234" at the head of a profile: its hand sum, in ps.
std::map<std::string, std::int64_t> hand_sum(const fs::path& file) {
  std::map<std::string, std::int64_t> terms;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && line.starts_with('#');) {
    if (!line.starts_with("#     ")) continue;
    std::istringstream words(line.substr(1));
    std::string name, number;
    words >> name >> number;
    if (name == "placing") words >> number >> number;  // "2 B"
    std::erase(number, ',');
    terms[name] = std::stoll(number);
  }
  return terms;
}

}  // namespace

TEST_CASE("profiles: every shipped file reads, none is missing", "[fast]") {
  CHECK(names(all<SwitchProfile>("switch")) == std::set<std::string>{"ideal", "qm8700", "qm9700"});
  CHECK(names(all<HcaProfile>("hca")) == std::set<std::string>{"connectx6", "connectx7", "ideal"});
  CHECK(names(all<CableProfile>("cable")) == std::set<std::string>{"acc", "aoc", "dac", "ideal", "optics"});
  CHECK(names(all<LinkProfile>("link")) ==
        std::set<std::string>{"ddr", "edr", "fdr", "fdr10", "hdr", "ideal", "ndr", "qdr", "sdr", "xdr"});
}

TEST_CASE("profiles: switches are physical", "[fast]") {
  for (const auto& [name, p] : all<SwitchProfile>("switch")) {
    INFO(name);
    CHECK(!p.description.empty());
    CHECK(p.buffer.count / 64 >= credit_blocks(rc_send_wire_bytes(4096)));
    CHECK(p.buffer.count % 64 == 0);  // credit is told in whole blocks
    CHECK(p.width == 4);
    if (name == "ideal") {
      CHECK(p.port_to_port == Time{0});
      CHECK(p.credit_processing == Time{0});
      continue;
    }
    CHECK(p.port_to_port >= nanoseconds(86));   // the fastest InfiniBand switch ever sold: Sun IB Switch 9P
    CHECK(p.port_to_port <= nanoseconds(400));  // the most anyone prints of Quantum-2
    CHECK(p.credit_processing > Time{0});
  }
}

TEST_CASE("profiles: adapters are physical", "[fast]") {
  for (const auto& [name, p] : all<HcaProfile>("hca")) {
    INFO(name);
    CHECK(!p.description.empty());
    CHECK(p.buffer.count / 64 >= credit_blocks(rc_send_wire_bytes(4096)));
    CHECK(p.inline_limit.count < 4096);
    if (name == "ideal") {
      CHECK(p.pcie_rate.unlimited());
      CHECK(p.post + p.doorbell + p.fetch_latency + p.send_pipeline + p.receive_pipeline + p.write_latency +
                p.completion + p.credit_processing ==
            Time{0});
      CHECK(p.qp_message_rate == 0);
      CHECK(p.card_message_rate == 0);
      continue;
    }
    const Bench bench(name);
    const Rate link = packet_rate(p.generation, static_cast<std::uint8_t>(p.width), bench.layer);
    CHECK(p.pcie_rate > link);  // the slot feeds the port
    CHECK(p.qp_message_rate < p.card_message_rate);
    // A posted write goes one way, a read both.
    CHECK(p.doorbell < p.fetch_latency);
    // Enough is fetched ahead to keep the wire busy while a fetch and the pipeline run.
    const Time ahead = p.fetch_latency + bench.pcie.time_for(4096) + p.send_pipeline;
    CHECK(bench.wire.time_for(p.prefetch.count) >= ahead);
  }
}

TEST_CASE("profiles: PCIe rates are what x16 slots leave after encoding and TLP overhead", "[fast]") {
  const auto slot = [](double gigatransfers) { return gigatransfers * 16 * 128 / 130 * 256 / (256 + 28); };
  CHECK(within(Bench("connectx6").hca.pcie_rate.gbps(), slot(16), 0.001 * slot(16)));
  CHECK(within(Bench("connectx7").hca.pcie_rate.gbps(), slot(32), 0.001 * slot(32)));
}

TEST_CASE("profiles: cables are physical", "[fast]") {
  for (const auto& [name, p] : all<CableProfile>("cable")) {
    INFO(name);
    CHECK(!p.description.empty());
    CHECK(p.per_metre > Time{3'336});  // light in vacuum
    CHECK(p.per_metre <= Time{6'000});
    CHECK(p.per_end <= nanoseconds(100));
    CHECK(p.longest > Length{kMetre});
  }
  const auto cables = all<CableProfile>("cable");
  for (const auto& [word, kind] : words_of(CableKind{})) CHECK(cables.at(std::string(word)).kind == kind);
}

TEST_CASE("profiles: every generation has a link layer, and its goodput is the measured one", "[fast]") {
  const auto links = all<LinkProfile>("link");
  for (const auto& [word, generation] : words_of(Generation{})) {
    std::string name(word);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' ? static_cast<char>(c | 0x20) : c; });
    INFO(name);
    REQUIRE(links.contains(name));
    const LinkProfile& p = links.at(name);
    CHECK(p.framing >= Ratio{95, 100});
    CHECK(p.framing < Ratio{1, 1});
    CHECK(p.update_size == Bytes{8});
    CHECK(p.fec <= nanoseconds(120));                             // NVIDIA cabling guide: "up to 120 ns"
    CHECK((p.fec > Time{0}) == (generation >= Generation::hdr));  // PAM4 cannot do without
  }
  const LinkProfile& ideal = links.at("ideal");
  CHECK(ideal.framing == Ratio{1, 1});
  CHECK(ideal.fec == Time{0});
  CHECK(ideal.update_size == Bytes{0});

  // Measured plateau over data rate; +-0.3 points, or the published spread.
  const auto share = [&](const std::string& name, double mtu) {
    return links.at(name).framing.value() * mtu / (mtu + 26);
  };
  CHECK(within(share("qdr", 2048), 0.961, 0.003));
  CHECK(within(share("edr", 4096), 0.966, 0.003));
  CHECK(within(share("hdr", 4096), 0.987, 0.001));
  CHECK(share("ndr", 4096) > 0.976);
  CHECK(share("ndr", 4096) < 0.981);
}

TEST_CASE("profiles: the hand sum at the head of an adapter is its own and the engine's", "[fast]") {
  for (const std::string name : {"connectx6", "connectx7"}) {
    INFO(name);
    const Bench bench(name);
    const auto terms = hand_sum(folder("hca") / (name + ".yaml"));
    REQUIRE(terms.size() == 10);
    CHECK(terms.at("post") == bench.hca.post.count());
    CHECK(terms.at("doorbell") == bench.hca.doorbell.count());
    CHECK(terms.at("send_pipeline") == bench.hca.send_pipeline.count());
    CHECK(terms.at("wire") == bench.wire.time_for(30).count());
    CHECK(terms.at("cable") == bench.cable.per_metre.count());
    CHECK(terms.at("receive_pipeline") == bench.hca.receive_pipeline.count());
    CHECK(terms.at("placing") == bench.pcie.time_for(2).count());
    CHECK(terms.at("write_latency") == bench.hca.write_latency.count());
    CHECK(terms.at("completion") == bench.hca.completion.count());
    std::int64_t sum = 0;
    for (const auto& [term, ticks] : terms)
      if (term != "sum") sum += ticks;
    CHECK(terms.at("sum") == sum);
    Pair pair(bench);
    CHECK(pair.latency(2) == Time{sum});
    for (const std::uint32_t bytes : {64u, 236u, 237u, 256u, 1024u, 4096u})
      CHECK(pair.latency(bytes) == bench.half_round_trip(bytes));
  }
  // The ideal adapter: 30 B at 400 Gb/s and 1 m.
  Bench ideal("ideal");
  ideal.layer = load<LinkProfile>(folder("link") / "ideal.yaml");
  CHECK(Pair(ideal).latency(2) == Time{600 + 5'000});
}

TEST_CASE("profiles: latencies are the published ones", "[fast]") {
  const Bench connectx7("connectx7"), connectx6("connectx6");
  // ib_send_lat NDR back to back, 1 m DAC: typical 1.27, min 1.24, p99 1.37 us.
  CHECK(within(static_cast<double>(connectx7.half_round_trip(2).count()), 1.27e6, 0.01 * 1.27e6));
  // HDR bare metal, no switch: 0.70 to 0.85 us.
  CHECK(connectx6.half_round_trip(2) >= nanoseconds(700));
  CHECK(connectx6.half_round_trip(2) <= nanoseconds(850));
  // 64 B -> 256 B, over the inline limit: 0.3 to 0.5 us.
  for (const Bench& bench : {connectx6, connectx7}) {
    const Time step = bench.half_round_trip(256) - bench.half_round_trip(64);
    CHECK(step >= nanoseconds(300));
    CHECK(step <= nanoseconds(500));
  }
  // One HDR switch and its cable: +0.13 to 0.15 us.
  const auto qm8700 = load<SwitchProfile>(folder("switch") / "qm8700.yaml");
  const Time hop = Pair(connectx6, &qm8700).latency(2) - connectx6.half_round_trip(2);
  CHECK(hop >= nanoseconds(130));
  CHECK(hop <= nanoseconds(150));
  CHECK(hop == qm8700.port_to_port + connectx6.cable.per_metre);  // cut-through: nothing is serialised twice
}

TEST_CASE("profiles: goodputs and message rates are the measured ones", "[fast]") {
  const Bench connectx7("connectx7"), connectx6("connectx6");
  const auto qm8700 = load<SwitchProfile>(folder("switch") / "qm8700.yaml");
  const auto qm9700 = load<SwitchProfile>(folder("switch") / "qm9700.yaml");
  // 64 KiB messages of one QP. NDR 390.5 to 392.3 Gb/s back to back; HDR 98.6 to 98.7 % of 200 Gb/s.
  for (const SwitchProfile* between : {static_cast<const SwitchProfile*>(nullptr), &qm9700}) {
    CHECK(goodput(connectx7, between) > 390.5);
    CHECK(goodput(connectx7, between) < 392.4);
  }
  for (const SwitchProfile* between : {static_cast<const SwitchProfile*>(nullptr), &qm8700})
    CHECK(within(goodput(connectx6, between), 197.35, 0.2));

  // 2 B messages: one QP 6.9 M/s, 32 pairs 79 M/s (the host's cores, below the card's 215 M/s).
  const auto millions = [&](std::uint32_t flows) {
    Pair pair(connectx6);
    for (std::uint32_t i = 0; i < 3200; ++i) pair.send(2, i % flows);
    pair.run();
    return 1e6 / pair.picoseconds_per_message();
  };
  CHECK(within(millions(1), 6.9, 0.01 * 6.9));
  CHECK(within(millions(32), 79, 0.01 * 79));
}

TEST_CASE("profiles: FEC counts once", "[fast]") {
  // Shipped devices hold the FEC latency in their own figures, so the link's does not change a latency; a
  // device that says it does not has it added once for each link that ends in it.
  const auto qm9700 = load<SwitchProfile>(folder("switch") / "qm9700.yaml");
  Bench bench("connectx7");
  for (const auto& [name, p] : all<SwitchProfile>("switch")) CHECK(p.includes_fec);
  for (const auto& [name, p] : all<HcaProfile>("hca")) CHECK(p.includes_fec);
  const Time fec = bench.layer.fec;
  REQUIRE(fec > Time{0});
  const Time with = Pair(bench, &qm9700).latency(2);
  bench.layer.fec = Time{0};
  CHECK(Pair(bench, &qm9700).latency(2) == with);

  bench.layer.fec = fec;
  SwitchProfile bare = qm9700;
  bare.includes_fec = false;
  CHECK(Pair(bench, &bare).latency(2) == with + fec);
  bench.hca.includes_fec = false;
  CHECK(Pair(bench, &bare).latency(2) == with + 2 * fec);
  CHECK(Pair(bench).latency(2) == bench.half_round_trip(2) + fec);
}
