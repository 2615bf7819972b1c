#include "sim/schema.h"

#include <string>

#include "sim/config.h"
#include "tests/catch.h"
#include "tests/unit/config_sample.h"

namespace weft {

using sample::findings;
using sample::read;
using sample::Scenario;

namespace {

const std::string kFabric = "weft: 1\nfabric: {shape: grid}\n";

}  // namespace

TEST_CASE("every type of key is read", "[fast]") {
  const Scenario s = read(
      "weft: 1\nname: x y\nguid: 0xFfee000000000001\noffset: -42\nfactor: 2e-1\nsizes: [1 B, 2 kB]\n"
      "fabric:\n  shape: {type: tree, hosts: 3, levels: 4, taper: 50 %, cable: 30 m}\n"
      "  spare: {type: grid, sides: [2, 3, 4], speed: slow, wrap: no}\n"
      "  probe: {message: 1 KiB, start: 1.5 us, rate: 48.8 GBps}\n");
  CHECK(s.name == "x y");
  CHECK(s.guid == 0xffee000000000001u);
  CHECK(s.offset == -42);
  CHECK(s.factor == 0.2);
  CHECK(s.sizes == std::vector{Bytes{1}, Bytes{2'000}});
  const auto& tree = dynamic_cast<const sample::Tree&>(*s.fabric.shape);
  CHECK(tree.hosts == 3);
  CHECK(tree.levels == 4);
  CHECK(tree.taper == Ratio{1, 2});
  CHECK(tree.cable == Length{30'000'000});
  const auto& grid = dynamic_cast<const sample::Grid&>(*s.fabric.spare);
  CHECK(grid.sides == std::vector<std::uint32_t>{2, 3, 4});
  CHECK(grid.speed == sample::Speed::slow);
  CHECK_FALSE(grid.wrap);
  REQUIRE(s.fabric.probe);
  CHECK(s.fabric.probe->start == microseconds(1) + nanoseconds(500));
  CHECK(s.fabric.probe->load == Ratio{1, 1});
}

TEST_CASE("what the file does not say keeps its default", "[fast]") {
  const Scenario s = read(kFabric);
  CHECK(s.name == "unnamed");
  CHECK(s.guid == 7);
  CHECK(s.sizes.empty());
  CHECK(dynamic_cast<const sample::Grid&>(*s.fabric.shape).sides == std::vector<std::uint32_t>{4, 4});
  CHECK(s.fabric.spare == nullptr);
  CHECK_FALSE(s.fabric.probe);
  CHECK(s.traffic.empty());
}

TEST_CASE("one scalar is a list of one", "[fast]") {
  CHECK(read(kFabric + "sizes: 4 KiB\n").sizes == std::vector{Bytes{4096}});
  CHECK(read(kFabric + "sizes: []\n").sizes.empty());
}

TEST_CASE("null makes absent what may be", "[fast]") {
  CHECK(findings("weft: 1\nfabric: {shape: {type: tree, hosts: 1, cable: null}, spare: ~, probe: null}\n") ==
        "accepted");
  CHECK(findings("weft:\nfabric: {shape: null}\nsizes:\ntraffic:\n") ==
        "s:1:1 `weft` has no value\n"
        "s:2:10 `shape` is one of tree, grid, nest, not nothing\n"
        "s:3:1 `sizes` has no value; an empty list is written []\n"
        "s:4:1 `traffic` is a list (each entry starts with `- `), not nothing");
}

TEST_CASE("numbers are checked against their type and range", "[fast]") {
  CHECK(findings(kFabric + "offset: 101\n") == "s:3:9 `offset`: `101` is out of range (-100 to 100)");
  CHECK(findings(kFabric + "offset: 40000\n") ==
        "s:3:9 `offset`: `40000` is out of range; -32768 to 32767 (-100 to 100)");
  CHECK(findings(kFabric + "offset: -100\n") == "accepted");
  CHECK(findings(kFabric + "factor: 2.6\n") == "s:3:9 `factor`: `2.6` is out of range (0 to 2.5)");
  CHECK(findings(kFabric + "factor: nan\n") == "s:3:9 `factor`: `nan` is not a number (0 to 2.5)");
  CHECK(findings(kFabric + "factor: 1e999\n") ==
        "s:3:9 `factor`: `1e999` is beyond what a number holds (0 to 2.5)");
  CHECK(findings(kFabric + "guid: 18446744073709551616\n") ==
        "s:3:7 `guid`: `18446744073709551616` is too large; at most 18446744073709551615");
  CHECK(findings(kFabric + "guid: 0x\n") == "s:3:7 `guid`: `0x` is not a whole number");
  CHECK(findings(kFabric + "guid: 1_000\n") ==
        "s:3:7 `guid`: `1_000` is not a whole number; write digits only");
  CHECK(findings(kFabric + "guid: 1.0\n") == "s:3:7 `guid`: `1.0` is not a whole number");
  CHECK(findings(kFabric + "guid: -1\n") == "s:3:7 `guid`: `-1` is negative");
  CHECK(findings(kFabric + "guid: ''\n") == "s:3:7 `guid`: there is no value; write a whole number");
  CHECK(findings("weft: 2\nfabric: {shape: grid}\n") == "s:1:7 `weft`: `2` is out of range (only 1)");
  CHECK(findings("weft: 0x1\nfabric: {shape: grid}\n") ==
        "s:1:7 `weft`: `0x1` is not a whole number (only 1)");
  CHECK(findings("weft: 1\nfabric: {shape: {type: tree, hosts: 1, levels: 256}}\n") ==
        "s:2:48 `levels`: `256` is too large; at most 255 (1 to 4)");
}

TEST_CASE("words and truths are closed sets", "[fast]") {
  CHECK(findings("weft: 1\nfabric: {shape: {type: grid, speed: fsat, wrap: on}}\n") ==
        "s:2:37 `speed`: unknown word `fsat`; did you mean `fast`?\n"
        "s:2:49 `wrap`: `on` is neither yes nor no");
  CHECK(findings("weft: 1\nfabric: {shape: {type: grid, wrap: true}}\n") == "accepted");
}

TEST_CASE("quantities are checked for unit, dimension and range", "[fast]") {
  CHECK(findings(kFabric +
                 "traffic:\n  - message: 2 GiB\n    start: 30 m\n    load: 101 %\n    rate: 400 GBPS\n") ==
        "s:4:14 `message`: `2 GiB` is out of range (1 B to 1 GiB)\n"
        "s:5:12 `start`: `30 m` is a length, but a time is expected, e.g. `1.5 us` or `30 min`; minutes are "
        "written `min`\n"
        "s:6:11 `load`: `101 %` is out of range (0 to 1)\n"
        "s:7:11 `rate`: unknown unit `GBPS` in `400 GBPS`; did you mean `Gbps` (bits) or `GBps` (bytes)?");
  CHECK(findings(kFabric + "sizes: [1 B, 5]\n") ==
        "s:3:14 `sizes[1]`: `5` has no unit; write a size, e.g. `1 MiB` or `64 kB`");
}

TEST_CASE("a key's shape is checked", "[fast]") {
  CHECK(findings("weft: [1]\nfabric: 3\n") ==
        "s:1:7 `weft` is one value (count), not a list\n"
        "s:2:9 `fabric` is a mapping of keys, not `3`");
  CHECK(findings(kFabric + "traffic: {message: 1 B}\n") ==
        "s:3:10 `traffic` is a list (each entry starts with `- `), not a mapping of keys");
  CHECK(findings(kFabric + "traffic: [x]\n") == "s:3:11 `traffic[0]` is a mapping of keys, not `x`");
  CHECK(findings(kFabric + "sizes: [[1 B]]\n") == "s:3:9 `sizes[0]` is one value (size), not a list");
}

TEST_CASE("choices name a row", "[fast]") {
  CHECK(findings("weft: 1\nfabric: {shape: tre}\n") == "s:2:17 unknown type `tre`; did you mean `tree`?");
  CHECK(findings("weft: 1\nfabric: {shape: {type: dragonfly}}\n") ==
        "s:2:24 unknown type `dragonfly`; valid: tree, grid, nest");
  CHECK(findings("weft: 1\nfabric: {shape: {hosts: 1}}\n") ==
        "s:2:17 missing key `fabric.shape.type`; valid: tree, grid, nest");
  CHECK(findings("weft: 1\nfabric: {shape: [grid]}\n") ==
        "s:2:17 `shape` is one of tree, grid, nest, not a list");
  CHECK(findings("weft: 1\nfabric: {shape: {type: [x]}}\n") ==
        "s:2:24 `type` is one of tree, grid, nest, not a list");
  CHECK(findings("weft: 1\nfabric: {shape: tree}\n") ==
        "s:2:17 missing key `fabric.shape.hosts`: Machines attached to the leaves.");
  CHECK(findings("weft: 1\nfabric: {shape: {type: tree, hosts: 1, tpye: 2, sides: 3}}\n") ==
        "s:2:40 unknown key `tpye`; did you mean `type`?\n"
        "s:2:49 unknown key `sides`; valid: type, hosts, levels, taper, cable");
}

TEST_CASE("choices nest in lists", "[fast]") {
  const Scenario s = read(
      "weft: 1\nfabric:\n  shape:\n    type: nest\n    parts: [grid, {type: nest, parts: [{type: tree, "
      "hosts: 9}]}]\n");
  const auto& nest = dynamic_cast<const sample::Nest&>(*s.fabric.shape);
  REQUIRE(nest.parts.size() == 2);
  const auto& inner = dynamic_cast<const sample::Nest&>(*nest.parts[1]);
  CHECK(dynamic_cast<const sample::Tree&>(*inner.parts.at(0)).hosts == 9);
  CHECK(findings("weft: 1\nfabric: {shape: {type: nest, parts: [grid, gird]}}\n") ==
        "s:2:44 unknown type `gird`; did you mean `grid`?");
}

TEST_CASE("missing keys stand where their mapping does", "[fast]") {
  CHECK(findings("name: x\n") ==
        "s:1:1 missing key `weft`: Version of the language.\n"
        "s:1:1 missing key `fabric.shape`: What is cabled.");
}

TEST_CASE("findings come in the file's order, twenty at most", "[fast]") {
  std::string yaml = "zzz: 1\nweft: 3\nfabric: {shape: grid}\naaa: 2\n";
  CHECK(findings(yaml) ==
        "s:1:1 unknown key `zzz`; valid: weft, name, guid, offset, factor, sizes, fabric, traffic\n"
        "s:2:7 `weft`: `3` is out of range (only 1)\n"
        "s:4:1 unknown key `aaa`; valid: weft, name, guid, offset, factor, sizes, fabric, traffic");
  for (int i = 0; i < 500; ++i) yaml += "q" + std::to_string(i) + ": 1\n";
  const Document document = Document::parse(yaml, "s");
  try {
    read(document);
    FAIL("accepted");
  } catch (const ConfigError& error) {
    CHECK(error.diagnostics().size() == 20);
    CHECK(error.diagnostics().front().where.line == 1);
    CHECK(error.diagnostics().back().where.line == 21);
  }
}

TEST_CASE("the dump says every value and where it came from", "[fast]") {
  Document document = Document::parse(sample::kGood, "dir/two.yaml");
  document.set("fabric.shape.levels=3");
  Scenario scenario = read(document);
  CHECK(dump_config(document, scenario) ==
        "weft: 1                # line 1 of two.yaml\n"
        "name: two hosts        # line 2 of two.yaml\n"
        "guid: 7                # default\n"
        "offset: \"-3\"           # default\n"
        "factor: 0.5            # default\n"
        "sizes: [4 KiB, 1 MiB]  # line 3 of two.yaml\n"
        "fabric:\n"
        "  shape:\n"
        "    type: tree         # line 5 of two.yaml\n"
        "    hosts: 64          # line 5 of two.yaml\n"
        "    levels: 3          # --set\n"
        "    taper: 2/3         # line 5 of two.yaml\n"
        "    cable: null        # default\n"
        "  spare:\n"
        "    type: grid         # line 6 of two.yaml\n"
        "    sides: [4, 4]      # default\n"
        "    speed: fast        # default\n"
        "    wrap: yes          # default\n"
        "  probe: null          # default\n"
        "traffic:               # line 8 of two.yaml\n"
        "  - name: \"a: b\"       # line 8 of two.yaml\n"
        "    message: 4 KiB     # line 8 of two.yaml\n"
        "    load: 0.7          # line 8 of two.yaml\n"
        "    start: 0 s         # default\n"
        "    rate: unlimited    # default\n"
        "  - name: \"\"           # default\n"
        "    message: 64 kB     # line 9 of two.yaml\n"
        "    load: 1            # default\n"
        "    start: 0 s         # default\n"
        "    rate: 400 Gbps     # line 10 of two.yaml\n");
  scenario.traffic.clear();
  scenario.fabric.shape = sample::shapes()[0].make();
  CHECK_THAT(dump_config(Document::parse("name: x\n", "s"), scenario),
             ContainsSubstring("    taper: 1           # default: full bisection\n"));
}

TEST_CASE("the dump reads back to itself", "[fast]") {
  const std::string strings[] = {"",         "null", "~",    "a: b", "- x", "x # y", " x ", "yes",
                                 "\"q\"\\",  "a\tb", "a\nb", "*a",   "&a",  "[x]",   "{x",  "%",
                                 "@x",       "0x10", "1.5",  "---",  "...", "<<",    "'",   "\x01\x7F",
                                 "\xC3\xA9", "true", "a,b",  "x:",   "!t",  "? x",   "|",   ">"};
  for (const std::string& text : strings) {
    Document document = Document::parse(sample::kGood, "s.yaml");
    Scenario scenario = read(document);
    scenario.name = text;
    scenario.traffic[1].name = text;
    const std::string dump = dump_config(document, scenario);
    CAPTURE(text, dump);
    const Document again = Document::parse(dump, "again.yaml");
    Scenario second = read(again);
    CHECK(second.name == text);
    CHECK(second.traffic.at(1).name == text);
    CHECK(second.fabric.spare != nullptr);
    const auto without_comments = [](const std::string& yaml) {
      std::string result;
      for (std::size_t start = 0; start < yaml.size();) {
        const std::size_t end = yaml.find('\n', start);
        std::string line = yaml.substr(start, end - start);
        line.erase(line.rfind("  # ") == line.npos ? line.size() : line.rfind("  # "));
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + '\n';
        start = end + 1;
      }
      return result;
    };
    CHECK(without_comments(dump_config(again, second)) == without_comments(dump));
  }
}

TEST_CASE("a row that the file does not name is found by its type", "[fast]") {
  Document document = Document::parse(kFabric, "s.yaml");
  Scenario scenario = read(document);
  scenario.fabric.spare = sample::shapes()[2].make();
  CHECK_THAT(dump_config(document, scenario), ContainsSubstring("  spare:           # default\n"
                                                                "    type: nest     # default\n"
                                                                "    parts: []      # default\n"));
}

TEST_CASE("the reference is aligned text", "[fast]") {
  Scenario scenario;
  CHECK(explain_config(scenario, "fabric.shape.tree") ==
        "type: tree\n"
        "    Leaf and spine.\n"
        "    hosts   count   required  1 to 1000000  Machines attached to the leaves.\n"
        "    levels  count   2         1 to 4        Switch levels.\n"
        "    taper   share   1                       Up-bandwidth over down-bandwidth. Default: full "
        "bisection.\n"
        "    cable   length  optional  1 m to 10 km  Length of every cable.\n");
  CHECK(explain_config(scenario, "fabric.shape.hosts") ==
        "hosts  count  required  1 to 1000000  Machines attached to the leaves.\n");
  CHECK(explain_config(scenario, "fabric.shape.grid") ==
        "type: grid\n"
        "    A mesh with its ends joined.\n"
        "    sides  list of count  [4, 4]  Switches along each dimension.\n"
        "    speed  word           fast    How fast. One of: slow, fast.\n"
        "    wrap   yes/no         yes     Whether the ends are joined.\n");
  CHECK(explain_config(scenario, "traffic[0].message") ==
        "message  size  1 MiB  1 B to 1 GiB  Bytes of one message. Default: assumed.\n");
  const std::string all = explain_config(scenario, "");
  CHECK_THAT(all,
             ContainsSubstring("weft     count           required  only 1       Version of the language.\n"));
  CHECK_THAT(all, ContainsSubstring("parts  list, each a choice by `type`  The shapes.\n"));
  CHECK_THAT(all, ContainsSubstring("(keys as above)\n"));
}

TEST_CASE("a wrong path in the reference is a bad value", "[fast]") {
  Scenario scenario;
  const auto refusal = [&](std::string_view path) -> std::string {
    try {
      return explain_config(scenario, path);
    } catch (const BadValue& error) {
      return error.key + ": " + error.what();
    }
  };
  CHECK(refusal("fabrik") == "fabrik: there is no `fabrik`; did you mean `fabric`?");
  CHECK(refusal("fabric.shape.gird") == "fabric.shape.gird: there is no `gird`; did you mean `grid`?");
  CHECK(refusal("weft.x") == "weft.x: `weft` has no keys below it");
  CHECK(refusal("fabric..x") == "fabric..x: a path is written `key.key`");
}

TEST_CASE("the JSON Schema states types, units, ranges and rows", "[fast]") {
  Scenario scenario;
  const std::string schema = json_schema(scenario, "a \"sample\"");
  CHECK_THAT(schema, ContainsSubstring("\"$schema\": \"https://json-schema.org/draft/2020-12/schema\""));
  CHECK_THAT(schema, ContainsSubstring("\"title\": \"a \\\"sample\\\"\""));
  CHECK_THAT(schema, ContainsSubstring("\"additionalProperties\": false"));
  CHECK_THAT(schema, ContainsSubstring("\"const\": \"tree\""));
  CHECK_THAT(schema, ContainsSubstring("\"enum\": [\"slow\", \"fast\"]"));
  CHECK_THAT(schema,
             ContainsSubstring("                \"hosts\": {\n"
                               "                  \"type\": \"integer\",\n"
                               "                  \"minimum\": 1,\n"
                               "                  \"maximum\": 1000000,\n"
                               "                  \"description\": \"Machines attached to the leaves.\"\n"
                               "                },\n"));
  CHECK_THAT(schema, ContainsSubstring("\"required\": [\"weft\"]"));
  CHECK_THAT(schema, ContainsSubstring("(B|[kMGT]B|[KMGT]iB)"));
  // JSON is YAML but for tabs: what our own reader takes is well-formed and has no duplicate keys.
  CHECK_NOTHROW(Document::parse(schema, "schema.json"));
  CHECK(schema.ends_with("}\n"));
}

TEST_CASE("a bad value found later is located in the file", "[fast]") {
  Document document = Document::parse(sample::kGood, "s.yaml");
  CHECK(located(BadValue("hosts", "odd"), document, "fabric.shape").what() ==
        std::string("s.yaml:5:30: error: `fabric.shape.hosts`: odd\n"
                    "    shape: {type: tree, hosts: 64, taper: 2/3}\n"
                    "                               ^"));
  CHECK(located(BadValue("levels", "deep"), document, "fabric.shape").diagnostics()[0].where.column == 10);
  CHECK(located(BadValue("rate", "slow"), document, "traffic[1]").diagnostics()[0].where.line == 10);
  document.set("fabric.shape.hosts=3");
  CHECK(located(BadValue("hosts", "odd"), document, "fabric.shape").what() ==
        std::string("--set fabric.shape.hosts=3: error: `fabric.shape.hosts`: odd"));
}

}  // namespace weft
