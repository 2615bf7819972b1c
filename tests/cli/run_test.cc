// weft run: its files, its JSON, its exit statuses, and that nothing computed is ever lost.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "tests/catch.h"
#include "tests/cli/json_check.h"
#include "tests/cli/process.h"
#include "tests/temp_folder.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

const std::string kHello = WEFT_SOURCE_DIR "/scenarios/hello/two_hosts.yaml";
const std::string kStar =
    "weft: 1\nname: star\nfabric:\n  topology: {type: fat_tree, hosts: 4, levels: 1}\n"
    "traffic: [{pattern: permutation, message: 64 KiB}]\n";
/// More than anybody waits for.
const std::vector<std::string> kLong{"--set", "traffic[0].iterations=1000000000"};

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Interrupts a run of the hello scenario that would take hours, a tenth of a second after it has begun.
Outcome interrupted(const std::string& out, int signal, std::vector<std::string> more) {
  std::vector<std::string> arguments{"run", kHello, "--out", out};
  arguments.insert(arguments.end(), kLong.begin(), kLong.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  RunOptions options;
  options.signal = signal;
  std::optional<std::chrono::steady_clock::time_point> begun;  // the folder is made right before the run
  options.when = [&] {
    if (!begun && fs::exists(out)) begun = std::chrono::steady_clock::now();
    return begun && std::chrono::steady_clock::now() - *begun > std::chrono::milliseconds(300);
  };
  return run_weft(arguments, options);
}

}  // namespace

TEST_CASE("a run prints its tables, and -q its verdict alone", "[fast]") {
  const Outcome outcome = run_weft({"run", kHello});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  for (const char* part :
       {"t_typical[us]", "serialisation[ns]", "\nfinished: all 180 messages arrived\n", "fingerprint "})
    CHECK_THAT(outcome.out, ContainsSubstring(part));
  for (const char* quiet : {"-q", "--quiet"}) {
    const Outcome brief = run_weft({"run", kHello, quiet});
    CHECK(brief.out == "finished: all 180 messages arrived\n");
    CHECK(brief.err.empty());
  }
}

TEST_CASE("--out writes every table as CSV with units, and what the run was", "[fast]") {
  const TempFolder folder;
  const std::string out = folder.path() + "/deep/er";
  const Outcome outcome = run_weft({"run", kHello, "--out", out, "--set", "run.sample=100 us"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("results in " + out + "\n"));
  CHECK(files_in(out) == std::set<std::string>{"bottlenecks.csv", "expectations.csv", "flows.csv",
                                               "lanes.csv", "latency.csv", "latency_parts.csv", "ports.csv",
                                               "provenance.json", "samples.csv", "scenario.resolved.yaml",
                                               "streams.csv", "summary.json", "time.csv"});
  const std::map<std::string, std::string> heads{
      {"latency.csv",
       "stream,bytes,iterations,t_min [us],t_max [us],t_typical [us],t_avg [us],t_stdev [us],p99 [us],p99_9 "
       "[us]"},
      {"latency_parts.csv",
       "stream,bytes,t_typical [ns],host [ns],pcie [ns],serialisation [ns],propagation [ns],pipeline "
       "[ns],arbitration [ns],credit [ns],congestion_control [ns],retry [ns]"},
      {"flows.csv", "flow,stream,posted,messages,bytes,goodput [Gb/s],t_avg [us],finished [us]"},
      {"bottlenecks.csv", "port,peer,utilisation [%],waiting [%],what"}};
  for (const auto& [file, head] : heads) CHECK(first_line(read_file(out + "/" + file)) == head);
  const JsonCheck summary(read_file(out + "/summary.json")), provenance(read_file(out + "/provenance.json"));
  CHECK(summary.valid());
  CHECK(provenance.valid());
  CHECK(provenance.keys() == std::set<std::string>{"weft_version", "build", "scenario_hash", "profiles",
                                                   "tables", "seed", "fingerprint"});
  CHECK(run_weft({"run", kHello, "--set", "run.sample=100 us", "--json"}).out ==
        read_file(out + "/summary.json"));
}

TEST_CASE("--json prints one JSON object and nothing else", "[fast]") {
  const TempFolder folder;
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"-q"}, {"--out", folder.path() + "/out"}}) {
    std::vector<std::string> arguments{"run", folder.write("a.yaml", kStar), "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_weft(arguments);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    const JsonCheck json(outcome.out);
    CHECK(json.valid());
    for (const char* key : {"name", "verdict", "partial", "seed", "fingerprint", "warnings", "tables"})
      CHECK(json.keys().count(key) == 1);
  }
  // Whatever the name is made of.
  const std::string odd =
      folder.write("odd.yaml", "weft: 1\nname: \"\\e[31m\\\"quoted\\\"\\n\\u00e9\\0\"\n" + kStar.substr(19));
  const Outcome outcome = run_weft({"run", odd, "--json"});
  CHECK(JsonCheck(outcome.out).valid());
  CHECK(run_weft({"run", odd}).out.find('\x1b') == std::string::npos);
}

TEST_CASE("--set and --seed change the run, and the last one counts", "[fast]") {
  const TempFolder folder;
  const std::string path = folder.write("a.yaml", kStar);
  const std::string plain = run_weft({"run", path, "--json"}).out;
  CHECK(plain == run_weft({"run", path, "--seed", "1", "--json"}).out);
  CHECK(plain != run_weft({"run", path, "--set", "traffic[0].message=128 KiB", "--json"}).out);
  const Outcome big = run_weft({"run", path, "--seed", "18446744073709551615", "--json"});
  CHECK_THAT(big.out, ContainsSubstring("\"seed\": 18446744073709551615,"));
  CHECK_THAT(run_weft({"run", path, "--set", "run.seed=3", "--set", "run.seed=4", "--json"}).out,
             ContainsSubstring("\"seed\": 4,"));
  CHECK_THAT(run_weft({"run", path, "--set", "run.seed=3", "--seed", "5", "--json"}).out,
             ContainsSubstring("\"seed\": 5,"));
}

TEST_CASE("a file named by --set starts in the user's folder, one in the scenario beside it", "[fast]") {
  const TempFolder folder;
  folder.write("study/a.yaml",
               "weft: 1\nname: csv\nfabric:\n  topology: {type: fat_tree, hosts: 4, levels: 1}\n"
               "traffic: [{pattern: csv, file: one.csv}]\n");
  folder.write("study/one.csv", "src,dst,bytes\n0,1,10\n");
  folder.write("two.csv", "src,dst,bytes\n0,1,10\n1,2,10\n");
  RunOptions here;
  here.folder = folder.path();
  CHECK(run_weft({"run", "study/a.yaml", "-q"}, here).out == "finished: all 1 messages arrived\n");
  CHECK(run_weft({"run", "study/a.yaml", "-q", "--set", "traffic[0].file=two.csv"}, here).out ==
        "finished: all 2 messages arrived\n");
}

TEST_CASE("exit status 3: a stalled receiver, and messages that are lost", "[fast]") {
  const TempFolder folder;
  const std::string path = folder.write("a.yaml", kStar);
  const Outcome stalled = run_weft({"run", path, "--set", "traffic[0].message=1 MiB", "--set",
                                    "events=[{at: 0 s, action: stall_receiver, where: \"0\"}]"});
  CHECK(stalled.status == 3);
  CHECK_THAT(stalled.out, ContainsSubstring("the receiver host0000 mlx5_0[1] is stalled"));
  const Outcome lost = run_weft({"run", path, "-q", "--set", "traffic[0].message=1 MiB", "--set",
                                 "events=[{at: 5 us, action: link_down, where: \"leaf00[1]\"}, {at: 6 us, "
                                 "action: link_up, where: \"leaf00[1]\"}]"});
  CHECK(lost.status == 3);
  CHECK_THAT(lost.out, Catch::Matchers::StartsWith("incomplete: "));
}

TEST_CASE("exit status 4: an expectation that is not met", "[fast]") {
  const TempFolder folder;
  const std::string met = folder.write(
      "met.yaml", kStar + "expect: [{column: messages_delivered, equals: 4}, {verdict: finished}]\n");
  CHECK(run_weft({"run", met}).status == 0);
  const std::string missed =
      folder.write("missed.yaml", kStar + "expect: [{column: messages_delivered, equals: 5}]\n");
  const Outcome outcome = run_weft({"run", missed});
  CHECK(outcome.status == 4);
  CHECK_THAT(outcome.out, ContainsSubstring("1 expectations NOT met\n"));
  const std::string nothing =
      folder.write("nothing.yaml", kStar + "expect: [{table: sterams, row: x, column: y, at_most: 5}]\n");
  CHECK(run_weft({"run", nothing}).status == 4);
  CHECK_THAT(run_weft({"run", nothing}).out, ContainsSubstring("the results have no table `sterams`"));
}

TEST_CASE("Ctrl-C ends a run with 130 and its partial results, marked so", "[fast]") {
  const TempFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = folder.path() + "/" + std::to_string(signal);
    const Outcome outcome = interrupted(out, signal, {"--json"});
    CHECK(outcome.status == 130);
    CHECK(outcome.err.empty());
    CHECK(JsonCheck(outcome.out).valid());
    CHECK_THAT(outcome.out, ContainsSubstring("\"verdict\": \"interrupted\",\n  \"partial\": 1,"));
    CHECK(read_file(out + "/summary.json") == outcome.out);
    const std::string latency = read_file(out + "/latency.csv");
    CHECK(std::count(latency.begin(), latency.end(), '\n') >= 2);
  }
}

TEST_CASE("a folder that cannot be written loses no result", "[fast]") {
  const TempFolder folder;
  const std::string star = folder.write("a.yaml", kStar);
  const std::string file = folder.write("file", "in the way");
  const Outcome table = run_weft({"run", star, "--out", file + "/out"});
  CHECK(table.status == 1);
  CHECK_THAT(table.out, ContainsSubstring("goodput[Gb/s]"));
  CHECK(table.err == "weft: warning: cannot create the folder " + file +
                         "/out: Not a directory; the results will only be printed\n" +
                         "weft: error: cannot create the folder " + file + "/out: Not a directory\n");
  const Outcome quiet = run_weft({"run", star, "-q", "--out", file});
  CHECK(quiet.status == 1);
  CHECK_THAT(quiet.out, ContainsSubstring("goodput[Gb/s]"));
  const Outcome json = run_weft({"run", star, "--json", "--out", file});
  CHECK(json.status == 1);
  CHECK(JsonCheck(json.out).valid());

  // One file that cannot be written: all the others are.
  fs::create_directories(folder.path() + "/half/flows.csv");
  const Outcome half = run_weft({"run", star, "--out", folder.path() + "/half"});
  CHECK(half.status == 1);
  CHECK(half.err == "weft: error: cannot write " + folder.path() + "/half/flows.csv: Is a directory\n");
  CHECK_THAT(half.out, ContainsSubstring("goodput[Gb/s]"));
  CHECK(JsonCheck(read_file(folder.path() + "/half/summary.json")).valid());
  CHECK(files_in(folder.path() + "/half").count("streams.csv") == 1);
}

TEST_CASE("a reader of the table who leaves does not cost the files", "[fast]") {
  const TempFolder folder;
  RunOptions closed;
  closed.closed_reader = true;
  const std::string out = folder.path() + "/out";
  const Outcome outcome = run_weft({"run", kHello, "--out", out}, closed);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(JsonCheck(read_file(out + "/summary.json")).valid());
}

TEST_CASE("killed while it writes, it leaves no half file under a final name", "[fast]") {
  const TempFolder folder;
  const std::string path = folder.write("a.yaml",
                                        "weft: 1\nname: wide\nfabric:\n  topology: {type: fat_tree, hosts: "
                                        "64, levels: 1}\nhosts: {profile: ideal}\n"
                                        "traffic: [{pattern: all_to_all, message: 64 B, depth: 63}]\n");
  const std::string whole = folder.path() + "/whole";
  REQUIRE(run_weft({"run", path, "-q", "--out", whole}).status == 0);
  int cut_short = 0;
  for (const std::string name : {"flows.csv", "ports.csv", "scenario.resolved.yaml", "summary.json"}) {
    const std::string out = folder.path() + "/" + name + ".cut";
    RunOptions options;
    options.signal = SIGKILL;
    options.when = [&] { return fs::exists(out + "/" + name + ".part") || fs::exists(out + "/" + name); };
    cut_short += run_weft({"run", path, "-q", "--out", out}, options).status == 128 + SIGKILL ? 1 : 0;
    for (const std::string& written : files_in(out)) {
      if (written.size() > 5 && written.compare(written.size() - 5, 5, ".part") == 0) continue;
      INFO(written);
      CHECK(read_file(out + "/" + written) == read_file(whole + "/" + written));
    }
  }
  if (cut_short == 0) WARN("every run was over before it could be killed");
}

TEST_CASE("more than memory holds is an error, not a crash", "[fast]") {
  if (std::getenv("WEFT_SANITIZED") != nullptr) {
    WARN("skipped, a sanitizer needs the address space for itself");
    return;
  }
  const TempFolder folder;
  const std::string path = folder.write("a.yaml", kStar);
  const Outcome outcome = run_program({"sh", "-c",
                                       "ulimit -v 400000; exec '" WEFT_BINARY "' check '" + path +
                                           "' --set 'fabric={lid_space: extended, topology: {type: fat_tree, "
                                           "hosts: 1000000, levels: 4, radix: 64}}'"});
  CHECK(outcome.status == 1);
  CHECK(outcome.err == "weft: error: out of memory\n");
}

TEST_CASE("extreme values run, end, or can be stopped", "[fast]") {
  const TempFolder folder;
  const std::string path = folder.write("a.yaml", kStar);
  const auto verdict = [&](std::vector<std::string> sets) {
    std::vector<std::string> arguments{"run", path, "-q"};
    for (const std::string& set : sets) {
      arguments.push_back("--set");
      arguments.push_back(set);
    }
    const Outcome outcome = run_weft(arguments);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  CHECK(verdict({"run.duration=1 ps"}) == "duration reached: 1 ps simulated\n");
  CHECK(verdict({"traffic[0].message=1 TB", "run.duration=1 us"}) == "duration reached: 1 us simulated\n");
  CHECK(verdict({"traffic[0].depth=65536", "traffic[0].messages=1000000000", "run.duration=10 us"}) ==
        "duration reached: 10 us simulated\n");
  CHECK(verdict({"traffic[0].message=0 B"}) == "finished: all 4 messages arrived\n");
  CHECK(verdict({"fabric.mtu=256", "fabric.vls=15", "fabric.qos.sl2vl=[14]"}) ==
        "finished: all 4 messages arrived\n");
  CHECK(verdict({"fabric.links={cable: ideal, length: 10 km}", "run.stall_check=1 us"}) ==
        "finished: all 4 messages arrived\n");
  CHECK(verdict({"hosts.ack_every=4294967295", "run.sample=1 us"}) == "finished: all 4 messages arrived\n");
  CHECK(verdict({"traffic=[]"}) == "finished: all 0 messages arrived\n");
}

}  // namespace weft
