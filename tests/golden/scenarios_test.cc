// Every shipped scenario: it loads, builds, runs, ends as it says, meets what it expects, twice alike, and
// again from its own resolved dump; and its fingerprint is the one on file, whatever the compiler and the
// build type.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "scenarios/run.h"
#include "tests/catch.h"

namespace fs = std::filesystem;
using namespace weft;

namespace {

const fs::path kScenarios = fs::path(WEFT_SOURCE_DIR) / "scenarios";
const fs::path kGolden = fs::path(WEFT_SOURCE_DIR) / "tests/golden/fingerprints.txt";

/// More than two seconds each in Debug.
const std::set<std::string> kSlow{"fabrics/fat_tree_1024"};

/// Too large for a test to run; their fabrics are built, routed and checked.
const std::set<std::string> kVast{"fabrics/fat_tree_65536", "fabrics/fat_tree_102400"};

/// The profiles are those of this checkout, wherever the tests are built.
void use_own_profiles() { setenv("WEFT_PROFILES", (kScenarios / "profiles").c_str(), 1); }

/// Names of all scenarios that are run, as "hello/two_hosts", in order.
std::set<std::string> shipped() {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kScenarios)) {
    const fs::path relative = fs::relative(entry.path(), kScenarios);
    if (relative.begin()->string() == "profiles" || relative.extension() != ".yaml") continue;
    names.insert((relative.parent_path() / relative.stem()).string());
  }
  for (const std::string& name : kVast) {
    INFO(name);
    REQUIRE(names.erase(name) == 1);
  }
  return names;
}

struct Entry {
  std::string fingerprint, reason;
};

std::map<std::string, Entry> golden() {
  std::map<std::string, Entry> entries;
  std::ifstream file(kGolden);
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name;
    Entry entry;
    words >> name >> entry.fingerprint >> std::ws;
    std::getline(words, entry.reason);
    INFO(name << " stands twice in " << kGolden);
    REQUIRE(entries.emplace(name, entry).second);
  }
  return entries;
}

Prepared load(const std::string& name, const std::vector<std::string>& sets) {
  use_own_profiles();
  Prepared prepared = load_scenario((kScenarios / (name + ".yaml")).string(), {sets, {}});
  build_fabric(prepared);
  return prepared;
}

RunResult run(const Prepared& prepared) {
  Recorder recorder;
  const RunResult result = run_scenario(prepared, recorder, {});
  const Table* expectations = recorder.find("expectations");
  for (std::size_t r = 0; expectations != nullptr && r < expectations->rows.size(); ++r) {
    const std::vector<Value>& row = expectations->rows[r];
    if (to_text(row[3]) != "yes")
      UNSCOPED_INFO(to_text(row[0]) << ": expected " << to_text(row[1]) << ", got " << to_text(row[2]));
  }
  return result;
}

/// The scenario as its resolved dump reads.
Prepared reread(Prepared& prepared) {
  Prepared again;
  again.document = Document::parse(dump_config(prepared.document, prepared.scenario), "resolved.yaml");
  again.base_folder = prepared.base_folder;
  read_config(again.document, again.scenario);
  build_fabric(again);
  return again;
}

void check(const std::string& name, const std::map<std::string, Entry>& on_file) {
  INFO(name);
  Prepared prepared = load(name, {});
  const RunResult first = run(prepared);
  CHECK(first.expectations_failed == 0);
  bool states_verdict = false;
  for (const Expectation& expectation : prepared.scenario.expect)
    states_verdict = states_verdict || !expectation.verdict.empty();
  if (!states_verdict) CHECK((first.verdict == Verdict::finished || first.verdict == Verdict::duration));

  CHECK(fmt::format("{:016x}", run(prepared).fingerprint) == fmt::format("{:016x}", first.fingerprint));
  const RunResult resolved = run(reread(prepared));
  CHECK(fmt::format("{:016x}", resolved.fingerprint) == fmt::format("{:016x}", first.fingerprint));
  CHECK(resolved.expectations_failed == 0);

  const auto entry = on_file.find(name);
  const std::string known = entry == on_file.end() ? "nothing" : entry->second.fingerprint;
  INFO("when the change is meant, the line in " << kGolden.filename() << " becomes: " << name << ' '
                                                << fmt::format("{:016x}", first.fingerprint)
                                                << " and why it changed");
  CHECK(fmt::format("{:016x}", first.fingerprint) == known);
}

/// How many expectations fail when one thing is changed.
std::size_t failing(const std::string& name, const std::vector<std::string>& sets) {
  return run(load(name, sets)).expectations_failed;
}

}  // namespace

TEST_CASE("shipped scenarios run, meet their expectations and keep their fingerprints", "[fast]") {
  const std::map<std::string, Entry> on_file = golden();
  for (const std::string& name : shipped())
    if (kSlow.count(name) == 0) check(name, on_file);
}

TEST_CASE("heavy scenarios run, meet their expectations and keep their fingerprints", "[slow]") {
  const std::map<std::string, Entry> on_file = golden();
  for (const std::string& name : kSlow) check(name, on_file);
}

TEST_CASE("the vast fabrics are routed to every pair by least hops, in tables of some bytes a host",
          "[slow]") {
  struct Vast {
    std::string name;
    std::uint64_t hosts, switches, on_leaf, in_pod;  // hosts of one leaf, of one pod
  };
  for (const Vast& vast : {Vast{"fabrics/fat_tree_65536", 65536, 5120, 32, 1024},
                           Vast{"fabrics/fat_tree_102400", 102400, 4224, 64, 4096}}) {
    INFO(vast.name);
    const Prepared prepared = load(vast.name, {});
    const RouteReport paths = check_paths(prepared);
    CHECK(prepared.topology.count(NodeKind::switch_) == vast.switches);
    CHECK(prepared.topology.endpoints().size() == vast.hosts);
    CHECK(paths.pairs == vast.hosts * (vast.hosts - 1));
    CHECK(paths.reached == paths.pairs);
    CHECK(paths.pairs_by_hops ==
          std::map<unsigned, std::uint64_t>{{1, vast.hosts * (vast.on_leaf - 1)},
                                            {3, vast.hosts * (vast.in_pod - vast.on_leaf)},
                                            {5, vast.hosts * (vast.hosts - vast.in_pod)}});
    // A leaf's up-link carries an even share of what its hosts send to other leaves.
    CHECK(paths.subscription.front().flows == vast.hosts - vast.on_leaf);
    const std::uint64_t unshared = vast.switches * (vast.hosts + vast.switches);  // a byte an entry
    CHECK(prepared.routes.lft.stored_bytes() * 10 < unshared);
    CHECK(prepared.routes.lft.stored_bytes() < 400 * vast.hosts);
  }
}

TEST_CASE("the fingerprints on file are those of the shipped scenarios, each with a reason", "[fast]") {
  const std::set<std::string> names = shipped();
  for (const auto& [name, entry] : golden()) {
    INFO(name);
    CHECK(names.count(name) == 1);
    CHECK(entry.fingerprint.size() == 16);
    CHECK(!entry.reason.empty());
  }
  CHECK(golden().size() == names.size());
}

TEST_CASE("a closed form fails when what it is derived from changes", "[fast]") {
  CHECK(failing("validation/shift_permutations", {"fabric.routing.engine=minhop"}) > 0);
  CHECK(failing("validation/parking_lot", {"fabric.overrides=[{match: \"s3[2]\", speed: 1xNDR}]"}) > 0);
  CHECK(failing("validation/incast", {"traffic[0].rate=40 Gbps"}) > 0);
  CHECK(failing("validation/victim_own_vl", {"fabric.vls=1"}) > 0);
  CHECK(failing("validation/victim_shared_vl", {"fabric.vls=2", "traffic[1].sl=1"}) > 0);
  CHECK(failing("validation/credit_limited_129", {"hosts.buffer=4160 B"}) ==
        0);  // 65 blocks: one packet as well
  CHECK(failing("validation/credit_limited_129", {"hosts.buffer=8320 B"}) > 0);  // 130 blocks: two packets
  CHECK(failing("validation/credit_limited_782", {"hosts.buffer=49856 B"}) >
        0);  // 779 blocks: eleven packets
  CHECK(failing("validation/credit_limited_845", {"hosts.buffer=54016 B"}) > 0);  // 844: one block short
  CHECK(failing("validation/cable_limit_ndr", {"fabric.topology.cables[0].length=248 m"}) >
        0);  // 73 cm too long
  CHECK(failing("validation/cut_through", {"fabric.switch.port_to_port=181 ns"}) > 0);
  CHECK(failing("validation/goodput_2048", {"fabric.links.layer=standard"}) > 0);
}

TEST_CASE("a link that goes down under traffic loses packets and says so", "[fast]") {
  const RunResult result = run(load("hello/link_flap", {"events[0].at=10 us"}));
  CHECK(result.verdict == Verdict::incomplete);
  CHECK(result.counts.dropped > 0);
  CHECK(result.counts.messages_delivered == 2);
}
