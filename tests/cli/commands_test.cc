// Every command but run: what it prints, where, and how it ends.
#include <cstdlib>

#include "tests/catch.h"
#include "tests/cli/json_check.h"
#include "tests/cli/process.h"
#include "tests/temp_folder.h"

namespace weft {
namespace {

const std::string kHello = WEFT_SOURCE_DIR "/scenarios/hello/two_hosts.yaml";
const std::string kTree =
    "weft: 1\nname: tree\nfabric:\n  topology: {type: fat_tree, hosts: 8, levels: 2, radix: 8}\n"
    "traffic: [{pattern: permutation}]\n";

Outcome good(const std::vector<std::string>& arguments, const RunOptions& options = {}) {
  Outcome outcome = run_weft(arguments, options);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  return outcome;
}

/// A misused command line: exit status 2, nothing on stdout, the complaint first and the usage after it.
void misused(const std::vector<std::string>& arguments, const std::string& complaint) {
  const Outcome outcome = run_weft(arguments);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.substr(0, outcome.err.find('\n')) == complaint);
  CHECK_THAT(outcome.err, ContainsSubstring("\nusage: weft " + arguments[0]));
}

}  // namespace

TEST_CASE("weft alone shows its help on stderr and fails", "[fast]") {
  const Outcome alone = run_weft({});
  CHECK(alone.status == 2);
  CHECK(alone.out.empty());
  for (const char* asked : {"--help", "-h", "help"}) CHECK(good({asked}).out == alone.err);
}

TEST_CASE("the help names every command, and each command its options", "[fast]") {
  const std::string help = good({"--help"}).out;
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"run", {"--set", "--out", "--seed", "--json", "-q, --quiet"}},
      {"check", {"--set", "--resolved"}},
      {"explain", {"PATH", "--schema"}},
      {"list", {"topologies|engines|patterns|formats|profiles"}},
      {"fabric", {"show", "validate", "compare", "load", "remove", "convert"}},
      {"bench", {"--hosts", "--workload", "--bytes", "--runs", "--ack-every", "--no-yardstick", "--json"}},
      {"version", {}}};
  for (const auto& [command, options] : commands) {
    CHECK_THAT(help, ContainsSubstring("\n  " + command + " "));
    const std::string own = good({command, "--help"}).out;
    CHECK_THAT(own, ContainsSubstring("usage: weft " + command));
    for (const std::string& option : options) CHECK_THAT(own, ContainsSubstring(option));
    CHECK(good({command, "-h"}).out == own);
    CHECK(good({"help", command}).out == own);
  }
}

TEST_CASE("each command of weft fabric has a help of its own", "[fast]") {
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"show", {"--json"}},
      {"validate", {"--lft", "--engine"}},
      {"compare", {"--with-lft", "--with-engine"}},
      {"load", {"--pattern", "--samples", "--seed", "shifts"}},
      {"remove", {"--cable", "--switch"}},
      {"convert", {"--to", "--out"}}};
  for (const auto& [command, options] : commands) {
    const std::string own = good({"fabric", command, "--help"}).out;
    CHECK_THAT(own, ContainsSubstring("usage: weft fabric " + command));
    CHECK_THAT(own, ContainsSubstring("--set"));
    for (const std::string& option : options) CHECK_THAT(own, ContainsSubstring(option));
  }
}

TEST_CASE("fabric compare, load and remove say what changes, and by their status whether", "[fast]") {
  const std::string fabric = WEFT_SOURCE_DIR "/scenarios/fabrics/small.ibnetdiscover";
  CHECK_THAT(
      good({"fabric", "compare", fabric, "--engine", "minhop", "--with-engine", "{engine: minhop}"}).out,
      ContainsSubstring("entries are equal"));
  const Outcome differ =
      run_weft({"fabric", "compare", fabric, "--engine", "minhop", "--with-engine", "random"});
  CHECK(differ.status == 5);
  CHECK_THAT(differ.out, ContainsSubstring("pairs take another path"));
  const Outcome load = good({"fabric", "load", fabric, "--pattern", "shifts", "--json"});
  CHECK_THAT(load.out, ContainsSubstring("\"patterns_counted\": 31"));
  const Outcome gone =
      good({"fabric", "remove", fabric, "--switch", "MF0;spine-1:MQM9700/U1", "--engine", "updn"});
  CHECK_THAT(gone.out, ContainsSubstring("without"));
  CHECK_THAT(gone.out, ContainsSubstring("entries change"));
  misused({"fabric", "compare", fabric},
          "weft fabric compare: compared with what? write --with-engine or --with-lft");
  misused({"fabric", "remove", fabric}, "weft fabric remove: what is removed? write --cable or --switch");
  misused({"fabric", "remove", fabric, "--switch", "node01 mlx5_0"},
          "weft fabric remove: --switch: node01 mlx5_0 is no switch");
  misused({"fabric", "remove", fabric, "--cable", "spine"},
          "weft fabric remove: --cable: `spine` names no link; write one of its ends, such as `leaf0[3]`");
  misused({"fabric", "load", fabric, "--pattern", "bisection", "--samples", "0"},
          "weft fabric load: --samples takes a whole number from 1 to 1000000, not `0`");
}

TEST_CASE("fabric remove tells who is lost, and that an engine refuses what is left", "[fast]") {
  const TempFolder folder;
  const std::string tree = folder.write("tree.yaml", kTree);
  const std::string leaf = good({"fabric", "remove", tree, "--switch", "leaf01"}).out;
  CHECK_THAT(leaf, ContainsSubstring("\n4 of 8 endpoints are cut off\n"));
  CHECK_THAT(leaf,
             ContainsSubstring("\n0 of 12 entries change, in 0 switches; 0 of 12 pairs take another path\n"));
  CHECK_THAT(leaf, ContainsSubstring("\n44 of 56 pairs are lost\n"));
  const Outcome refused =
      run_weft({"fabric", "remove", tree, "--engine", "ftree", "--cable", "leaf00[5]", "--json"});
  CHECK(refused.status == 4);
  CHECK(refused.err.empty());
  const JsonCheck json(refused.out);
  CHECK(json.valid());
  CHECK(json.keys().count("refusal") == 1);
  CHECK_THAT(
      run_weft({"fabric", "remove", tree, "--engine", "ftree", "--cable", "leaf00[5]"}).out,
      ContainsSubstring("what is left is not routed: ") && ContainsSubstring("ftree refuses this fabric"));
  CHECK_THAT(
      good({"fabric", "remove", tree, "--engine", "ftree,updn", "--cable", "leaf00[5]"}).out,
      ContainsSubstring("note: ftree refuses this fabric") && ContainsSubstring("routed by updn instead"));
  // Until somebody makes new tables, what the old ones send through a spine that is gone is lost: with four
  // spines, each of which dmodk gives one destination of a leaf, a quarter of what goes from leaf to leaf.
  const std::string tables = folder.path() + "/tree.lfts";
  const std::string larger = "fabric.topology.hosts=32";
  good({"fabric", "convert", tree, "--set", larger, "--to", "lft", "--out", tables});
  const Outcome old =
      run_weft({"fabric", "remove", tree, "--set", larger, "--lft", tables, "--switch", "spine00"});
  CHECK(old.status == 4);
  CHECK_THAT(old.out,
             ContainsSubstring("stay as they are") &&
                 ContainsSubstring(
                     "\n0 of 473 entries change, in 0 switches; 224 of 992 pairs take another path\n") &&
                 ContainsSubstring("\n224 of 992 pairs are lost\n"));
}

TEST_CASE("the routing of the command line and that of --set do not contradict each other", "[fast]") {
  const std::string fabric = WEFT_SOURCE_DIR "/scenarios/fabrics/small.ibnetdiscover";
  misused({"fabric", "validate", fabric, "--engine", "nue", "--set", "fabric.routing=updn"},
          "weft fabric validate: --set fabric.routing=updn and --engine are two ways to say one thing");
  misused({"fabric", "load", fabric, "--lft", "x.lfts", "--set", "fabric.routing.engine=updn"},
          "weft fabric load: --set fabric.routing.engine=updn and --lft are two ways to say one thing");
  CHECK_THAT(good({"fabric", "validate", fabric, "--engine", "nue", "--set", "fabric.routing.max_vls=1"}).out,
             ContainsSubstring("routing nue: 992 of 992"));
}

TEST_CASE("what no lane takes does not arrive", "[fast]") {
  const TempFolder folder;
  const std::string qos = folder.write(
      "qos.yaml",
      "weft: 1\nname: qos\nfabric:\n  topology: {type: torus, size: [5], radix: 3}\n  routing: minhop\n"
      "  qos: {sl2vl: [15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15]}\n");
  const Outcome validate = run_weft({"fabric", "validate", qos});
  CHECK(validate.status == 4);
  CHECK_THAT(validate.out, ContainsSubstring("20 pairs are DROPPED") &&
                               ContainsSubstring("no credit loop (0 channels, 0 dependencies)"));
  const Outcome load = run_weft({"fabric", "load", qos});
  CHECK(load.status == 4);
  CHECK_THAT(load.out, ContainsSubstring("20 flows are DROPPED"));
  // One cable of the ring takes nothing of SL 0: its four pairs by two, and the two by one hop.
  const std::string one = folder.write(
      "one.yaml",
      "weft: 1\nname: one\nfabric:\n  topology: {type: torus, size: [5], radix: 3}\n  routing: minhop\n  "
      "qos:\n"
      "    exceptions: [{node: sw0, out: 2, sl2vl: [15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}]\n");
  CHECK_THAT(run_weft({"fabric", "validate", one}).out,
             ContainsSubstring("3 pairs are DROPPED") && ContainsSubstring(" at sw0[2]"));
  CHECK_THAT(run_weft({"fabric", "load", one}).out,
             ContainsSubstring("17 flows over ") && ContainsSubstring("3 flows are DROPPED"));
}

TEST_CASE("a service level that traffic insists on is judged beside those of the engine", "[fast]") {
  const TempFolder folder;
  const std::string ring =
      "weft: 1\nname: ring\nfabric:\n  topology: {type: torus, size: [5], radix: 3}\n  routing: dfsssp\n"
      "traffic: [{pattern: shift, by: 2";
  good({"fabric", "validate", folder.write("own.yaml", ring + "}]\n")});
  const std::string insists = folder.write("insists.yaml", ring + ", sl: 0}]\n");
  const Outcome loop = run_weft({"fabric", "validate", insists});
  CHECK(loop.status == 4);
  CHECK_THAT(loop.out, ContainsSubstring("CREDIT LOOP"));
  CHECK_THAT(
      good({"check", insists}).out,
      ContainsSubstring("note: traffic[0] sends on service level 0 whatever dfsssp wants on its paths"));
}

TEST_CASE("fabric load leaves out what no cables join, and tells what the tables lose", "[fast]") {
  const TempFolder folder;
  const std::string planes = folder.write(
      "planes.yaml",
      "weft: 1\nname: planes\nfabric:\n  topology: {type: fat_tree, hosts: 4, levels: 2, radix: 4, rails: 2, "
      "rail_layout: planes}\n");
  CHECK_THAT(good({"fabric", "load", planes}).out,  // 8 ends, of which each reaches the 3 of its plane
             ContainsSubstring(" 24 flows over ") &&
                 ContainsSubstring("\n32 flows lie between separate planes and are left out\n"));
  CHECK_THAT(
      good({"fabric", "load", planes, "--pattern", "shifts", "--json"}).out,
      ContainsSubstring("\"patterns_counted\": 3,"));  // of 7, the odd ones join no two ends of a plane
  const std::string tree = folder.write("tree.yaml", kTree), lft = folder.path() + "/lft";
  good({"fabric", "convert", tree, "--to", "lft", "--out", lft});
  std::string tables = read_file(lft);
  const std::size_t entry = tables.find("0x0001 ");
  REQUIRE(entry != std::string::npos);
  tables.erase(entry, tables.find('\n', entry) + 1 - entry);  // one switch no longer knows the first adapter
  const Outcome lossy = run_weft({"fabric", "load", tree, "--lft", folder.write("lossy", tables)});
  CHECK(lossy.status == 4);
  CHECK_THAT(lossy.out, ContainsSubstring(" flows do NOT arrive and are not counted\n"));
  CHECK_THAT(good({"fabric", "load", tree, "--pattern", "permutation"}).out,
             ContainsSubstring("Load, 100 patterns (mean and its 95 % interval)"));
}

TEST_CASE("an unknown command is answered with the nearest", "[fast]") {
  const Outcome outcome = run_weft({"rnu"});
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "weft: there is no command `rnu`; did you mean `run`?\n");
}

TEST_CASE("misused command lines", "[fast]") {
  misused({"run"}, "weft run: which scenario?");
  misused({"run", kHello, "another"},
          "weft run: too many positional options have been specified on the command line");
  misused({"run", kHello, "--bogus"}, "weft run: unrecognised option '--bogus'");
  misused({"run", kHello, "--se", "3"}, "weft run: unrecognised option '--se'");
  misused({"run", kHello, "--set"}, "weft run: the required argument for option '--set' is missing");
  misused({"run", kHello, "--out", ""}, "weft run: --out names no folder");
  for (const char* seed : {"x", "-1", "1.5", "0x10", "18446744073709551616", "+1", ""})
    misused({"run", kHello, "--seed", seed},
            "weft run: --seed takes a whole number from 0 to 18446744073709551615, not `" +
                std::string(seed) + "`");
  misused({"check"}, "weft check: which scenario?");
  misused({"list", "engine"}, "weft list: there is no list of `engine`; did you mean `engines`?");
  misused({"list", "engines", "patterns"}, "weft list: one kind at a time, or none for all");
  misused({"fabric"}, "weft fabric: what? show, validate, compare, load, remove, convert");
  misused({"fabric", "sow", kHello}, "weft fabric: there is no command `sow`; did you mean `show`?");
  misused({"fabric", "show"}, "weft fabric show: which fabric? a scenario (.yaml) or an ibnetdiscover dump");
  misused({"fabric", "validate", kHello, "--lft", "a", "--engine", "minhop"},
          "weft fabric validate: --lft and --engine are two ways to say one thing");
  misused({"fabric", "validate", kHello, "--engine", "file"},
          "weft fabric validate: --engine file needs its tables; write --lft FILE");
  misused({"fabric", "convert", kHello, "--to", "dto"},
          "weft fabric convert: no format `dto`; did you mean `dot`?");
  misused({"bench", "--runs", "0"}, "weft bench: --runs takes a whole number from 1 to 1000, not `0`");
  misused({"bench", "--hosts", "1"}, "weft bench: --hosts takes a whole number from 2 to 100000, not `1`");
  misused({"bench", "--hosts=-3"}, "weft bench: --hosts takes a whole number from 2 to 100000, not `-3`");
  misused({"bench", "--workload", "incats"}, "weft bench: no workload `incats`; did you mean `incast`?");
  misused({"bench", "--bytes", "0"},
          "weft bench: --bytes takes a whole number from 1 to 1000000000, not `0`");
  misused({"bench", "--ack-every", "x"},
          "weft bench: --ack-every takes a whole number from 0 to 1000000, not `x`");
  misused({"bench", "fast"},
          "weft bench: too many positional options have been specified on the command line");
  misused({"version", "x"}, "weft version: version takes no arguments, not `x`");
}

TEST_CASE("version", "[fast]") {
  CHECK_THAT(good({"version"}).out, ContainsSubstring("weft 0."));
  CHECK(good({"--version"}).out == good({"version"}).out);
}

TEST_CASE("list shows every table, or one", "[fast]") {
  const std::string all = good({"list"}).out;
  std::string joined;
  for (const char* kind : {"topologies", "engines", "patterns", "formats", "profiles"}) {
    const std::string one = good({"list", kind}).out;
    CHECK_FALSE(one.empty());
    CHECK_THAT(all, ContainsSubstring(one));
    joined += one;
  }
  CHECK(all == joined);
  for (const char* row : {"fat_tree", "ibnetdiscover", "minhop", "dmodk", "ping_pong", "all_to_all", "qm9700",
                          "connectx7", "dac"})
    CHECK_THAT(all, ContainsSubstring(row));
}

TEST_CASE("explain shows the language, a part of it, or its schema", "[fast]") {
  const std::string all = good({"explain"}).out;
  for (const char* key : {"weft", "fabric", "hosts", "traffic", "events", "run", "expect"})
    CHECK_THAT(all, ContainsSubstring(std::string("\n") + key + " ") || Catch::Matchers::StartsWith(key));
  CHECK_THAT(good({"explain", "run"}).out, ContainsSubstring("duration"));
  CHECK_THAT(good({"explain", "fabric.topology.fat_tree.hosts"}).out, ContainsSubstring("1 to 1000000"));
  CHECK_THAT(good({"explain", "traffic.permutation"}).out, ContainsSubstring("message"));
  const JsonCheck schema(good({"explain", "--schema"}).out);
  CHECK(schema.valid());
  CHECK(schema.keys().count("$schema") == 1);
  const Outcome wrong = run_weft({"explain", "fabric.topolgy"});
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.err, ContainsSubstring("did you mean `topology`?"));
}

TEST_CASE("check says what a sound scenario is, and shows it resolved", "[fast]") {
  CHECK(good({"check", kHello}).out ==
        kHello + " is sound: 2 endpoints, 0 switches, 1 cables, routing minhop, 1 traffic streams\n");
  const std::string resolved = good({"check", kHello, "--resolved", "--set", "run.seed=7"}).out;
  CHECK_THAT(resolved, ContainsSubstring("# --set"));
  CHECK_THAT(resolved, ContainsSubstring("profile connectx7"));
  const TempFolder folder;  // the resolved scenario is a scenario, and stands for the same
  const std::string again = folder.write("again.yaml", resolved);
  CHECK(good({"run", again, "--json"}).out == good({"run", kHello, "--seed", "7", "--json"}).out);
}

TEST_CASE("fabric show counts nodes, links and switches", "[fast]") {
  const TempFolder folder;
  const std::string tree = folder.write("tree.yaml", kTree);
  CHECK_THAT(good({"fabric", "show", tree}).out, ContainsSubstring("leaf00"));
  const JsonCheck json(good({"fabric", "show", tree, "--json"}).out);
  CHECK(json.valid());
  CHECK(json.keys() == std::set<std::string>{"notes", "tables"});
}

TEST_CASE("fabric converts a fabric and its routes to dumps that read back the same", "[fast]") {
  const TempFolder folder;
  const std::string tree = folder.write("tree.yaml", kTree);
  const std::string dump = folder.path() + "/dump", lft = folder.path() + "/lft";
  CHECK(good({"fabric", "convert", tree, "--out", dump}).out.empty());
  CHECK(good({"fabric", "convert", tree}).out == read_file(dump));
  CHECK(good({"fabric", "convert", tree, "--to", "lft", "--out", lft}).out.empty());
  CHECK(good({"fabric", "convert", dump, "--lft", lft, "--to", "lft"}).out == read_file(lft));
  CHECK_THAT(good({"fabric", "convert", dump, "--to", "dot"}).out,
             Catch::Matchers::StartsWith("graph fabric {"));
  CHECK(JsonCheck(good({"fabric", "convert", tree, "--to", "json"}).out).valid());
  CHECK_THAT(good({"fabric", "convert", dump, "--to", "slurm"}).out,
             ContainsSubstring("SwitchName=leaf00 Nodes="));
  CHECK_THAT(good({"fabric", "convert", dump, "--to", "ibsim"}).out,
             ContainsSubstring("# Net for ibsim 0.10"));
  const std::string multicast = std::string(WEFT_SOURCE_DIR) + "/scenarios/validation/multicast.yaml";
  CHECK_THAT(good({"fabric", "convert", multicast, "--to", "mft"}).out,
             Catch::Matchers::StartsWith("\nSwitch 0x") && ContainsSubstring("\n0xC000 : 0x001  0x002 "));
  const std::string torus = folder.write(
      "torus.yaml", "weft: 1\nname: torus\nfabric: {topology: {type: torus, size: [4, 3], radix: 8}}\n");
  CHECK_THAT(good({"fabric", "convert", torus, "--to", "torus_conf"}).out,
             ContainsSubstring("torus 4t 3t 1t\n"));
  const Outcome no_torus = run_weft({"fabric", "convert", tree, "--to", "torus_conf"});
  CHECK(no_torus.status == 1);
  CHECK(no_torus.out.empty());
  CHECK_THAT(no_torus.err, Catch::Matchers::StartsWith("weft: error: torus-2QoS refuses this fabric: "));
  CHECK_THAT(good({"fabric", "validate", dump, "--lft", lft}).out,
             ContainsSubstring("routing file: 56 of 56 pairs reached\n"));
  CHECK_THAT(good({"fabric", "validate", dump, "--engine", "minhop"}).out,
             ContainsSubstring("no credit loop"));
  const JsonCheck json(good({"fabric", "validate", tree, "--json"}).out);
  CHECK(json.valid());
  CHECK(json.keys().count("reached") == 1);
  const Outcome unwritable = run_weft({"fabric", "convert", tree, "--out", folder.path()});
  CHECK(unwritable.status == 1);
  CHECK(unwritable.err == "weft: error: cannot write " + folder.path() + ": Is a directory\n");
}

TEST_CASE("fabric validate ends with 4 where routes do not arrive or could deadlock", "[fast]") {
  const TempFolder folder;
  const std::string ring = folder.write(
      "ring.yaml",
      "weft: 1\nname: ring\nfabric:\n  topology:\n    type: explicit\n    switches: [{name: \"s{0..4}\", "
      "ports: 4}]\n"
      "    hosts: [{name: \"h{0..4}\"}]\n    cables:\n      - {a: \"h{0..4}\", b: \"s{0..4}[1]\"}\n"
      "      - {a: \"s{0..4}[2]\", b: \"s{1..4}[3]\"}\n");
  // Four cables of five: a line. It is free of loops; the fifth closes the ring.
  const Outcome wrong = run_weft({"fabric", "validate", ring});
  CHECK(wrong.status == 1);
  const std::string line = folder.write(
      "line.yaml",
      "weft: 1\nname: ring\nfabric:\n  topology:\n    type: explicit\n    switches: [{name: \"s{0..4}\", "
      "ports: 4}]\n"
      "    hosts: [{name: \"h{0..4}\"}]\n    cables:\n      - {a: \"h{0..4}\", b: \"s{0..4}[1]\"}\n"
      "      - {a: \"s{0..3}[2]\", b: \"s{1..4}[3]\"}\n");
  CHECK_THAT(good({"fabric", "validate", line}).out, ContainsSubstring("no credit loop"));
  const std::string closed =
      folder.write("closed.yaml", read_file(line) + "      - {a: \"s4[2]\", b: \"s0[3]\"}\n");
  const Outcome loop = run_weft({"fabric", "validate", closed});
  CHECK(loop.status == 4);
  CHECK_THAT(loop.out, ContainsSubstring("CREDIT LOOP over 5 channels:"));
}

TEST_CASE("bench measures what is asked for", "[fast]") {
  const std::vector<std::string> small{"bench", "--hosts", "4", "16", "--bytes", "100000", "--runs", "2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), small.begin(), small.end());
    return good(more).out;
  };
  const std::string all = with({});
  for (const char* part : {"\nAgainst a bare packet engine", "\nMemory", "\nCost of a packet-hop",
                           "    4  permutation", "   16  spread", "   16  all_to_all", "   16  incast"})
    CHECK_THAT(all, ContainsSubstring(part));
  const JsonCheck json(with({"--json"}));
  CHECK(json.valid());
  CHECK(json.keys() == std::set<std::string>{"speed", "against_yardstick", "memory", "growth"});
  const std::string one = with({"--workload", "spread", "--no-yardstick", "--json"});
  CHECK_THAT(one, ContainsSubstring("\"ratio\": null"));
  CHECK_THAT(one, !ContainsSubstring("permutation"));
}

TEST_CASE("bench counts packet-hops exactly, whatever the machine", "[fast]") {
  const std::string out = good({"bench", "--hosts", "16", "--bytes", "163840", "--runs", "1", "--workload",
                                "all_to_all", "--no-yardstick", "--ack-every", "1", "--json"})
                              .out;
  const auto number = [&](const std::string& key) {
    const std::size_t at = out.find("\"" + key + "\": ");
    REQUIRE(at != std::string::npos);
    return std::stol(out.substr(at + key.size() + 4));
  };
  // Each host sends two messages of twenty packets, each packet with an ACK that goes the same way back. To
  // the next host: 8 share its leaf (2 links), 4 its pod (4 links), 4 are in another (6 links); 8 hosts on,
  // all are in another.
  CHECK(number("data_hops") == 20 * (8 * 2 + 4 * 4 + 4 * 6 + 16 * 6));
  CHECK(number("ack_hops") == number("data_hops"));
}

TEST_CASE("bench says when its measuring process fails or is ended", "[fast]") {
  const std::string program = WEFT_BINARY;
  const auto shell = [](const std::string& script) { return run_program({"bash", "-c", script}); };
  const Outcome killed =
      shell("'" + program +
            "' bench --hosts 128 --runs 1000 --workload permutation --no-yardstick & p=$!\n"
            "until child=$(cat /proc/$p/task/$p/children) && [ -n \"$child\" ]; do sleep 0.01; done\n"
            "kill -9 $child; wait $p");
  CHECK(killed.status == 1);
  CHECK(killed.out.empty());
  CHECK(killed.err ==
        "weft: error: 128 hosts, permutation: the measuring process was ended by signal 9 (Killed); was "
        "there too little "
        "memory?\n");
  if (std::getenv("WEFT_SANITIZED") != nullptr) return;  // it takes address space as it likes
  const Outcome small =
      shell("ulimit -v 200000; exec '" + program +
            "' bench --hosts 16 65536 --bytes 5000 --runs 1 --workload spread --no-yardstick");
  CHECK(small.status == 1);
  CHECK_THAT(small.out, ContainsSubstring("   16  spread"));  // what was measured is not lost
  CHECK(small.err == "weft: error: 65536 hosts, spread: out of memory\n");
}

TEST_CASE("an output that cannot be written is an error, a reader who leaves is not a crash", "[fast]") {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"list"}, {"explain"}, {"version"}, {"run", kHello}, {"run", kHello, "--json"}}) {
    RunOptions full;
    full.out_to = "/dev/full";
    const Outcome outcome = run_weft(arguments, full);
    CHECK(outcome.status == 1);
    CHECK(outcome.err == "weft: error: cannot write to the standard output: No space left on device\n");
    RunOptions closed;
    closed.closed_reader = true;
    CHECK(run_weft(arguments, closed).status == 128 + 13);  // SIGPIPE, as every Unix filter
  }
}

}  // namespace weft
