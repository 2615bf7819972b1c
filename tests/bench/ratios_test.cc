// How fast the engine is, as ratios of what `weft bench` measures in turns on this machine, with room for the
// noise of a busy one. Never absolute times. What a packet-hop costs exactly is counted by instructions.sh.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/document.h"
#include "tests/catch.h"
#include "tests/cli/process.h"

namespace weft {
namespace {

constexpr int kTurns = 5;

/// One column of a table of `weft bench`, by "hosts workload".
using Column = std::map<std::string, double>;

Column bench(std::vector<std::string> arguments, const std::string& table, const std::string& column) {
  arguments.insert(arguments.begin(), "bench");
  arguments.push_back("--json");
  RunOptions options;
  options.patience = std::chrono::seconds(1200);
  const Outcome outcome = run_weft(arguments, options);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const Document json = Document::parse(outcome.out, "bench");  // JSON is YAML
  Column values;
  for (const Document::Node& row : json.root().find(table)->items)
    values[row.find("hosts")->scalar + " " + row.find("workload")->scalar] =
        std::stod(row.find(column)->scalar);
  return values;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Several turns of one run each. Neighbours in a turn saw the same machine.
std::vector<Column> turns(std::vector<std::string> arguments, const std::string& column) {
  arguments.insert(arguments.end(), {"--runs", "1", "--no-yardstick"});
  std::vector<Column> all;
  for (int i = 0; i < kTurns; ++i) all.push_back(bench(arguments, "speed", column));
  return all;
}

double median_ratio(const std::vector<Column>& all, const std::string& of, const std::string& over) {
  std::vector<double> ratios;
  for (const Column& turn : all) ratios.push_back(turn.at(of) / turn.at(over));
  return median(ratios);
}

bool optimised() {
  const bool release = run_weft({"version"}).out.find("Release") != std::string::npos;
  if (!release) WARN("skipped: only the release build's speed means something");
  return release;
}

}  // namespace

TEST_CASE("an all-to-all and an incast move packets about as fast as a permutation", "[bench]") {
  if (!optimised()) return;
  const std::vector<Column> all =
      turns({"--hosts", "128", "1024", "--workload", "permutation", "all_to_all", "incast"}, "rate");
  for (const std::string hosts : {"128", "1024"})
    for (const char* workload : {" all_to_all", " incast"}) {
      INFO(hosts << workload);
      CHECK(median_ratio(all, hosts + workload, hosts + " permutation") >= 0.8);
    }
}

TEST_CASE("a packet-hop of a fabric 64 times as large costs at most 2.5 times as much", "[bench]") {
  if (!optimised()) return;
  for (const std::string workload : {"permutation", "spread"}) {
    INFO(workload);
    const std::vector<Column> all = turns({"--hosts", "128", "8192", "--workload", workload}, "per_hop");
    CHECK(median_ratio(all, "8192 " + workload, "128 " + workload) <= 2.5);
  }
}

TEST_CASE("the engine is faster than a bare one that does less", "[bench]") {
  if (!optimised()) return;
  // Events without a tie keep the bare engine's heap small on small fabrics; on large ones it pays for its
  // size.
  const Column least{{"128 permutation", 2.0}, {"128 spread", 1.2},       {"1024 permutation", 2.0},
                     {"1024 spread", 1.1},     {"8192 permutation", 2.0}, {"8192 spread", 2.0}};
  for (const auto& [row, ratio] : bench({"--hosts", "128", "1024", "8192", "--workload", "permutation",
                                         "spread", "--runs", std::to_string(kTurns)},
                                        "against_yardstick", "ratio")) {
    INFO(row);
    CHECK(ratio >= least.at(row));
  }
}

}  // namespace weft
