#include "sim/config.h"

#include <filesystem>
#include <random>
#include <string>

#include "tests/catch.h"
#include "tests/temp_folder.h"
#include "tests/unit/config_sample.h"

namespace weft {

using sample::findings;
using sample::read;
using sample::Scenario;

namespace {

/// The first finding when `path` is loaded: "file:line:column message", the folder left out.
std::string load_finding(const std::string& path) {
  try {
    Document::load(path);
  } catch (const ConfigError& error) {
    const Diagnostic& d = error.diagnostics().front();
    return std::filesystem::path(d.where.file).filename().string() + ":" + std::to_string(d.where.line) +
           ":" + std::to_string(d.where.column) + " " + d.message;
  }
  return "accepted";
}

std::string set_finding(const std::string& assignment) {
  Document document = Document::parse(sample::kGood, "s.yaml");
  try {
    document.set(assignment);
    read(document);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a document keeps order, places and quoted text", "[fast]") {
  const Document document = Document::parse("b: 1\na:\n  - x\n  - 'y z'\nc: {d: \"\"}\n", "s.yaml");
  REQUIRE(document.root().entries.size() == 3);
  CHECK(document.root().entries[0].key == "b");
  CHECK(document.root().find("a")->items.at(1).scalar == "y z");
  CHECK(document.root().find("nothing") == nullptr);
  const Location where = document.locate("a[1]");
  CHECK(where.file == "s.yaml");
  CHECK(where.line == 4);
  CHECK(where.column == 5);
  CHECK(where.text == "  - 'y z'");
  CHECK(document.locate("a[7]").line == 3);
  CHECK(document.locate("c.d.e").line == 5);
  CHECK(document.locate("c.d.e").column == 8);
  CHECK(document.locate("]bad[").line == 1);
  CHECK(document.origin(document.root().find("b")->where) == "line 1 of s.yaml");
}

TEST_CASE("line ends of Windows and a byte-order mark do not move places", "[fast]") {
  CHECK(findings("\xEF\xBB\xBFweft: 9\r\nfabric: {shape: grid}\r\n") ==
        "s:1:7 `weft`: `9` is out of range (only 1)");
}

TEST_CASE("duplicate keys are all reported", "[fast]") {
  try {
    Document::parse("a: 1\nb: {c: 1, c: 2}\na: 3\n", "s.yaml");
    FAIL("accepted");
  } catch (const ConfigError& error) {
    CHECK(error.what() == std::string("s.yaml:2:11: error: duplicate key `c`; first given in line 2\n"
                                      "  b: {c: 1, c: 2}\n"
                                      "            ^\n"
                                      "s.yaml:3:1: error: duplicate key `a`; first given in line 1\n"
                                      "  a: 3\n"
                                      "  ^"));
  }
}

TEST_CASE("what is no single mapping is refused", "[fast]") {
  CHECK(findings("") == "parse 0:0 the file is empty; keys are written `key: value`");
  CHECK(findings("# nothing\n---\n") == "parse 0:0 the file is empty; keys are written `key: value`");
  CHECK(findings("- a\n") == "parse 1:1 the file must be a mapping of keys (`key: value`)");
  CHECK(findings("word\n") == "parse 1:1 the file must be a mapping of keys (`key: value`)");
  CHECK(findings("a: 1\n---\nb: 2\n") ==
        "parse 2:1 a second document (or stray text) starts here; one file holds one document");
  CHECK(findings("? [a]\n: 1\n") == "parse 1:3 a list or a mapping cannot be a key; is a bracket left open?");
  CHECK(findings("~: 1\n") == "parse 1:1 a key must be a word");
  CHECK(findings("a: !include b.yaml\n") == "parse 1:4 the YAML tag `!include` has no meaning here");
}

TEST_CASE("broken YAML is located", "[fast]") {
  CHECK(
      findings("a: [1, 2\n") ==
      "parse 2:1 not valid YAML: end of sequence flow not found (is a `]` or a comma missing before this?)");
  CHECK(findings("a: b: c\n") ==
        "parse 1:5 not valid YAML: illegal map value (a text with `: ` in it needs quotes)");
  CHECK(findings("a: 'x") == "parse 1:6 not valid YAML: illegal EOF in scalar");
  CHECK(findings("a: 'x\n") == "parse 1:4 the quote that opens here is never closed");
  CHECK(findings("b: \"x\"\na: &n \"it''s \\\"\n\n") ==
        "parse 2:4 the quote that opens here is never closed");
  CHECK(findings("a: 'it''s'\n") == findings("a: x\n"));
  CHECK(findings("a: *b\n") == "parse 1:4 not valid YAML: the referenced anchor is not defined");
}

TEST_CASE("characters that YAML parsers misread are refused", "[fast]") {
  CHECK(findings("a:\n\tb: 1\n") == "parse 2:1 a tab is no indentation in YAML; use spaces");
  CHECK(findings("a:\n  \tb: 1\n") == "parse 2:3 a tab is no indentation in YAML; use spaces");
  CHECK(findings("weft: 1\t# a comment\nfabric:\n\t# another\n  shape: grid\n") == "accepted");
  CHECK(findings("weft: 1\n\x04junk") == "parse 2:1 control character 0x04 in a YAML text");
  CHECK(findings("a: \xFF\n") == "parse 1:4 byte 0xFF is not UTF-8");
  CHECK(findings("a: 1\rb: 2\n") == "parse 1:5 control character 0x0D in a YAML text");
  CHECK(findings(std::string("a: \0b", 5)) ==
        "parse 0:0 this is not a text: there is a NUL byte at offset 3");
}

TEST_CASE("anchors and merge keys work", "[fast]") {
  const Scenario s = read(
      "weft: 1\nfabric: {shape: grid}\n"
      "traffic:\n  - &base {name: a, message: 2 B}\n  - *base\n  - {<<: *base, name: c}\n"
      "  - {<<: [{load: 0.5}, *base], start: 1 s}\n");
  REQUIRE(s.traffic.size() == 4);
  CHECK(s.traffic[1].name == "a");
  CHECK(s.traffic[2].name == "c");
  CHECK(s.traffic[2].message == Bytes{2});
  CHECK(s.traffic[3].name == "a");
  CHECK(s.traffic[3].load == Ratio{1, 2});
  CHECK(findings("a: {<<: 3}\n") == "parse 1:9 `<<` takes a mapping (`<<: *name`) or a list of them");
  CHECK(findings("a: &a [*a]\n") == "parse 1:8 this alias stands inside the node it names");
}

TEST_CASE("depth and expansion are bounded", "[fast]") {
  const auto nested = [](int depth) {
    return "a: " + std::string(depth, '[') + std::string(depth, ']') + "\n";
  };
  CHECK_NOTHROW(Document::parse(nested(63), "s"));
  CHECK(findings(nested(64)) == "parse 1:67 nested deeper than 64 levels");
  CHECK(findings("a: " + std::string(100'000, '[')) ==
        "parse 1:5 a list or a mapping cannot be a key; is a bracket left open?");
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n", chain = "a0: &a0 [x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string n = std::to_string(i), p = "*a" + std::to_string(i - 1);
    laughs += "a" + n + ": &a" + n + " [" + p;
    for (int k = 1; k < 10; ++k) laughs += ", " + p;
    laughs += "]\n";
  }
  for (int i = 1; i < 100; ++i)
    chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + "]\n";
  CHECK_THAT(findings(laughs),
             ContainsSubstring("the document has more than 1000000 values, aliases expanded"));
  CHECK_THAT(findings(chain), ContainsSubstring("nested deeper than 64 levels"));
}

TEST_CASE("--set changes a value and is named in errors", "[fast]") {
  Document document = Document::parse(sample::kGood, "s.yaml");
  document.set("fabric.shape.hosts=3");
  document.set("traffic[1].message=2 KiB");
  document.set("fabric.probe.name=p=q");
  document.set("sizes=[1 B, 2 B]");
  document.set("fabric.spare={type: tree, hosts: 5}");
  document.set("name=\"\"");
  const Scenario s = read(document);
  CHECK(dynamic_cast<const sample::Tree&>(*s.fabric.shape).hosts == 3);
  CHECK(s.traffic[1].message == Bytes{2048});
  CHECK(s.fabric.probe->name == "p=q");
  CHECK(s.sizes.size() == 2);
  CHECK(dynamic_cast<const sample::Tree&>(*s.fabric.spare).hosts == 5);
  CHECK(s.name.empty());

  CHECK(set_finding("fabric.shape.hosts=abc") ==
        "--set fabric.shape.hosts=abc: error: `hosts`: `abc` is not a whole number (1 to 1000000)");
  CHECK(set_finding("fabric.shape.hosst=1") ==
        "--set fabric.shape.hosst=1: error: unknown key `hosst`; did you mean `hosts`?");
  CHECK(
      set_finding("fabric.probe.start=5") ==
      "--set fabric.probe.start=5: error: `start`: `5` has no unit; write a time, e.g. `1.5 us` or `30 min`");
}

TEST_CASE("a --set that leads nowhere is refused and changes nothing", "[fast]") {
  CHECK(set_finding("traffic[2].load=1") ==
        "--set traffic[2].load=1: error: there is no `traffic[2]`: entries are counted 0 to 1");
  CHECK(set_finding("traffic.load=1") ==
        "--set traffic.load=1: error: `traffic` is a list; name an entry, e.g. `traffic[0].load`");
  CHECK(set_finding("name.x=1") == "--set name.x=1: error: `name` is `two hosts`, so it has no key `x`");
  CHECK(set_finding("fabric[0]=1") ==
        "--set fabric[0]=1: error: `fabric` is no list, so it has no entry [0]");
  const std::string usage = ": error: write `path.to.key=value` or `list[0].key=value`";
  for (const std::string bad : {"", "=", "=1", "a", "a..b=1", ".a=1", "a.=1", "a[=1", "a[]=1", "a[x]=1",
                                "a[1]b=1", "a[-1]=1", "[0]=1", "a[99999999999999999999]=1"})
    CHECK(set_finding(bad) == "--set " + bad + usage);
  CHECK_THAT(set_finding("name=[1"),
             ContainsSubstring("--set name=[1: error: a list or a mapping cannot be a key"));
  CHECK(set_finding("name={a: 1, a: 2}") == "--set name={a: 1, a: 2}: error: duplicate key `a`");
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".a";
  CHECK_THAT(set_finding(deep + "=1"), ContainsSubstring("error: the path is deeper than 64 levels"));

  Document document = Document::parse("a: [1]\n", "s.yaml");
  CHECK_THROWS_AS(document.set("b.c[0]=1"), ConfigError);
  CHECK(document.root().find("b") == nullptr);
}

TEST_CASE("included files lie under the including one", "[fast]") {
  const TempFolder folder;
  folder.write("base/fabric.yaml",
               "include: more.yaml\nfabric:\n  shape: {type: tree, hosts: 4, levels: 3}\n");
  folder.write("base/more.yaml", "name: from more\nsizes: [1 B, 2 B]\nguid: 1\n");
  folder.write("last.yaml", "guid: 2\n");
  const std::string path = folder.write(
      "s.yaml",
      "include: [base/fabric.yaml, last.yaml]\nweft: 1\nsizes: [9 B]\nfabric: {shape: {hosts: 8}}\n");
  const Document document = Document::load(path);
  const Scenario s = read(document);
  CHECK(s.name == "from more");
  CHECK(s.guid == 2);
  CHECK(s.sizes == std::vector{Bytes{9}});
  const auto& tree = dynamic_cast<const sample::Tree&>(*s.fabric.shape);
  CHECK(tree.hosts == 8);
  CHECK(tree.levels == 3);
  CHECK(document.origin(document.root().find("fabric")->find("shape")->find("levels")->where) ==
        "line 3 of fabric.yaml");
  CHECK(std::filesystem::path(document.locate("name").file).filename() == "more.yaml");
}

TEST_CASE("includes that cannot be read are located", "[fast]") {
  const TempFolder folder;
  folder.write("loop.yaml", "a: 1\ninclude: ./sub/../s.yaml\n");
  folder.write("sub/x.yaml", "x: 1\n");
  folder.write("broken.yaml", "a: [\n");
  CHECK(load_finding(folder.write("s.yaml", "include: loop.yaml\n")) ==
        "loop.yaml:2:10 `./sub/../s.yaml` includes itself, by way of this line");
  CHECK_THAT(load_finding(folder.write("t.yaml", "a: 1\ninclude:\n  - absent.yaml\n")),
             ContainsSubstring("t.yaml:3:5 there is no file `"));
  CHECK_THAT(load_finding(folder.write("t.yaml", "include: sub\n")), ContainsSubstring("there is no file `"));
  CHECK(load_finding(folder.write("t.yaml", "include: /dev/zero\n")) ==
        "t.yaml:1:10 there is no file `/dev/zero`");
  CHECK(load_finding(folder.write("t.yaml", "include: {a: b}\n")) ==
        "t.yaml:1:10 `include` takes a file name or a list of them");
  CHECK(load_finding(folder.write("t.yaml", "include:\n")) ==
        "t.yaml:1:1 `include` takes a file name or a list of them");
  CHECK_THAT(load_finding(folder.write("t.yaml", "include: broken.yaml\n")),
             ContainsSubstring("broken.yaml:2:1 not valid YAML"));
  for (int i = 0; i < 20; ++i)
    folder.write("d" + std::to_string(i) + ".yaml", "include: d" + std::to_string(i + 1) + ".yaml\n");
  folder.write("d20.yaml", "a: 1\n");
  CHECK(load_finding(folder.write("t.yaml", "include: d0.yaml\n")) ==
        "d14.yaml:1:10 includes are nested deeper than 16 files");
  for (int i = 0; i < 12; ++i) {
    const std::string next = "w" + std::to_string(i + 1) + ".yaml";
    folder.write("w" + std::to_string(i) + ".yaml", "include: [" + next + ", " + next + "]\n");
  }
  folder.write("w12.yaml", "a: 1\n");
  CHECK_THAT(load_finding(folder.write("t.yaml", "include: w0.yaml\n")),
             ContainsSubstring("more than 256 files are included"));
}

TEST_CASE("damaged scenarios are read or refused, and what is read can be dumped", "[fast]") {
  std::mt19937 random(7);
  const std::string good = sample::kGood;
  const std::string spice = "{}[]:,-#&*!|>'\"%@`?~<= \t\n0123456789abcxyz\\\r\x01\x7F\xC3\xA9\xFF";
  std::size_t read_back = 0, refused = 0;
  for (int i = 0; i < 6'000; ++i) {
    std::string text = good;
    for (std::size_t edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 5) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text[at] = spice[random() % spice.size()];
          break;
        case 2:
          text.erase(at, 1 + random() % 8);
          break;
        case 3:
          text.insert(at, 1, spice[random() % spice.size()]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
      }
    }
    CAPTURE(text);
    try {
      const Document document = Document::parse(text, "s.yaml");
      Scenario scenario = read(document);
      const std::string dump = dump_config(document, scenario);
      CAPTURE(dump);
      const Document again = Document::parse(dump, "dump.yaml");
      REQUIRE(findings(again) == "accepted");
      ++read_back;
    } catch (const ConfigError& error) {
      REQUIRE_FALSE(error.diagnostics().empty());
      REQUIRE(error.diagnostics().size() <= 20);
      for (const Diagnostic& d : error.diagnostics()) REQUIRE_FALSE(d.message.empty());
      ++refused;
    }
  }
  CHECK(read_back > 100);
  CHECK(refused > 2'000);
}

TEST_CASE("truncated scenarios are read or refused", "[fast]") {
  const std::string good = sample::kGood;
  for (std::size_t kept = 0; kept < good.size(); ++kept) {
    CAPTURE(kept);
    REQUIRE_FALSE(findings(good.substr(0, kept)).empty());
  }
}

}  // namespace weft
