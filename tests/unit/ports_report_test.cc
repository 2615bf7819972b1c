// The ports report (ibnetdiscover -p): what it tells, what stands in for what it does not, where it is wrong.
#include "models/topology/ibnetdiscover.h"
#include "sim/error.h"
#include "tests/catch.h"

using weft::NodeKind;
using weft::Topology;

namespace {

Topology read(const std::string& text) {
  weft::LinkSpec unstated;
  unstated.generation = weft::Generation::sdr;
  return weft::read_ibnetdiscover(weft::TextFile("report", text), unstated);
}

// Two switches, an adapter of two ports, one of one, an aggregation node, a router; every link told twice.
const std::string kReport =
    "CA    44  2 0x0000000000000a12 4x HDR - SW    14  4 0x0000000000000510 ( 'n1 mlx5_0' - 'leaf0' )\n"
    "CA    43  1 0x0000000000000a11 2x HDR - SW    14  3 0x0000000000000510 ( 'n1 mlx5_0' - 'leaf0' )\n"
    "CA    45  1 0x0000000000000b11 4x HDR - SW    15  1 0x0000000000000520 ( 'n2 mlx5_0' - 'it's a leaf ' "
    ")\n"
    "CA    60  1 0x0000000000000c11 4x HDR - SW    14 41 0x0000000000000510 ( 'Mellanox Technologies "
    "Aggregation "
    "Node' - 'leaf0' )\n"
    "RT    61  2 0x0000000000000d12 1x XDR - SW    15  2 0x0000000000000520 ( 'rt' - 'it's a leaf ' )\n"
    "SW    14 41 0x0000000000000510 4x HDR - CA    60  1 0x0000000000000c11 ( 'leaf0' - 'Mellanox "
    "Technologies "
    "Aggregation Node' )\n"
    "SW    14  5 0x0000000000000510 4x ???                                    'leaf0'\n"
    "SW    14  4 0x0000000000000510 4x HDR - CA    44  2 0x0000000000000a12 ( 'leaf0' - 'n1 mlx5_0' )\n"
    "SW    14  3 0x0000000000000510 2x HDR - CA    43  1 0x0000000000000a11 ( 'leaf0' - 'n1 mlx5_0' )\n"
    "SW    14  1 0x0000000000000510 4x HDR - SW    15  3 0x0000000000000520 ( 'leaf0' - 'it's a leaf ' )\n"
    "SW    15  3 0x0000000000000520 4x HDR - SW    14  1 0x0000000000000510 ( 'it's a leaf ' - 'leaf0' )\n"
    "SW    15  2 0x0000000000000520 1x XDR - RT    61  2 0x0000000000000d12 ( 'it's a leaf ' - 'rt' )\n"
    "SW    15  1 0x0000000000000520 4x HDR - CA    45  1 0x0000000000000b11 ( 'it's a leaf ' - 'n2 mlx5_0' "
    ")\n";

// A switch and an adapter, one link.
const std::string kPair =
    "SW     1  1 0x000000000000001a 4x EDR - CA     2  1 0x000000000000002b ( 'sw' - 'n1 HCA-1' )\n"
    "CA     2  1 0x000000000000002b 4x EDR - SW     1  1 0x000000000000001a ( 'n1 HCA-1' - 'sw' )\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// "line:column: message" of the only finding.
std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const weft::ConfigError& error) {
    const weft::Diagnostic& first = error.diagnostics()[0];
    if (error.diagnostics().size() != 1)
      return std::to_string(error.diagnostics().size()) + " findings: " + first.message;
    return std::to_string(first.where.line) + ":" + std::to_string(first.where.column) + ": " + first.message;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a ports report is read as the fabric it is of", "[fast][ports_report]") {
  const Topology t = read(kReport);
  CHECK(t.check().empty());
  REQUIRE(t.nodes.size() == 6);
  CHECK(t.count(NodeKind::switch_) == 2);
  CHECK(t.count(NodeKind::router) == 1);
  CHECK(t.count(NodeKind::aggregation_node) == 1);
  CHECK(t.hosts == std::vector<std::string>{"n1", "n2"});
  CHECK(t.cables.size() == 6);

  const weft::Node& leaf = t.nodes[t.find("leaf0")];
  CHECK(leaf.guid == 0x510);
  CHECK(leaf.lid == 14);
  CHECK(leaf.ports.size() == 41);  // the highest that is told
  CHECK(leaf.port(5).peer_node == weft::kNone);
  CHECK(t.find("it's a leaf ") != weft::kNone);

  // One adapter: the same description, GUIDs as far apart as the port numbers.
  const weft::Node& adapter = t.nodes[t.find("n1 mlx5_0")];
  CHECK(adapter.ports.size() == 2);
  CHECK(adapter.guid == 0xa12);  // of the port seen first, for want of its own
  CHECK(adapter.port(1).guid == 0xa11);
  CHECK(adapter.port(2).guid == 0xa12);
  CHECK(adapter.port(1).lid == 43);
  CHECK(adapter.port(2).lid == 44);
  CHECK(speed_text(t.cables[adapter.port(1).cable].link) == "2xHDR");
  CHECK(adapter.port(2).peer_port == 4);
  REQUIRE(t.warnings.size() == 1);
  CHECK_THAT(t.warnings[0], ContainsSubstring("report:1: a ports report (ibnetdiscover -p) tells no GUIDs"));
}

TEST_CASE("adapters that only look alike are two", "[fast][ports_report]") {
  const Topology t = read(
      "CA     2  1 0x000000000000002b 4x EDR - SW     1  1 0x000000000000001a ( 'localhost' - 'sw' )\n"
      "CA     3  2 0x000000000000003b 4x EDR - SW     1  2 0x000000000000001a ( 'localhost' - 'sw' )\n");
  CHECK(t.nodes.size() == 3);
}

TEST_CASE("what one end alone tells is taken, and said", "[fast][ports_report]") {
  const std::string alone = kPair.substr(0, kPair.find('\n') + 1);
  const Topology t = read("ibwarn: [12] something\n" + alone);
  CHECK(t.cables.size() == 1);
  CHECK(t.nodes[t.find("n1 HCA-1")].port(1).lid == 2);
  REQUIRE(t.warnings.size() == 3);
  CHECK_THAT(t.warnings[0], ContainsSubstring("report:1: skipped `ibwarn"));
  CHECK_THAT(t.warnings[1],
             ContainsSubstring("report:2: 1 link(s), this one first, are told by the line of one"));
}

TEST_CASE("ends that differ: the slower speed and an end's own LID hold", "[fast][ports_report]") {
  const Topology t = read(with(with(kPair, "4x EDR", "1x QDR"), "CA     2  1", "CA     9  1"));
  CHECK(speed_text(t.cables[0].link) == "1xQDR");
  CHECK(t.nodes[t.find("n1 HCA-1")].port(1).lid == 2);
  CHECK(t.warnings.size() == 3);
  const Topology unstated = read(with(with(kPair, "4x EDR", "4x ???"), "4x EDR", "4x ???"));
  CHECK(speed_text(unstated.cables[0].link) == "4xSDR");
  const Topology lids = read(kPair + "SW     7  2 0x000000000000001a 4x SDR      'sw'\n");
  CHECK(lids.nodes[lids.find("sw")].lid == 1);
  CHECK_THAT(lids.warnings[0],
             ContainsSubstring("report:3: LID 7 for 0x000000000000001a, which line 1 gives LID 1"));
}

TEST_CASE("a report that cannot be is refused at its place", "[fast][ports_report]") {
  CHECK(refusal(kPair + "SW     1\n") == "3:9: a port number should be a number");
  CHECK(refusal(kPair + "XX     1  1 0x1 4x EDR 'n'\n") ==
        "3:1: `XX` is no kind of node; CA, SW or RT stands here");
  CHECK(refusal(kPair + "SW     1  0 0x000000000000001a 4x EDR 'sw'\n") == "3:11: port numbers count from 1");
  CHECK(refusal(kPair + "SW     1  255 0x000000000000001a 4x EDR 'sw'\n") ==
        "3:11: a port number is beyond 254");
  CHECK(refusal(kPair + "SW 60000  2 0x000000000000001a 4x EDR 'sw'\n") ==
        "3:4: LID 60000 is beyond 49151, the last unicast LID");
  CHECK(refusal(kPair + "SW     1  2 0x0 4x EDR 'sw'\n") == "3:13: a port GUID is not 0");
  CHECK(refusal(kPair + "SW     1  2 0x000000000000001a 4x fast 'sw'\n") ==
        "3:32: unknown link speed `4x fast`");
  CHECK_THAT(refusal(kPair + "SW     1  2 0x000000000000001a 4x EDR\n"),
             ContainsSubstring("a description in single quotes should stand here (is the line cut short?)"));
  CHECK_THAT(refusal(kPair + "SW     1  2 0x1a 4x EDR - CA     3  1 0x3b ( 'sw' - \n"),
             ContainsSubstring("( 'description' - 'description' ) should stand here"));
  CHECK_THAT(refusal(kPair + "SW     1  2 0x1a 4x EDR - CA     3  1 0x3b ( 'sw' )\n"),
             ContainsSubstring("two descriptions, 'one' - 'other', should stand here"));
  CHECK(refusal(kPair + kPair.substr(0, kPair.find('\n') + 1)) ==
        "3:1: port 1 of 0x000000000000001a is described twice, first on line 1");
  CHECK(refusal(kPair +
                "CA     3  2 0x000000000000002b 4x EDR - SW     1  2 0x000000000000001a ( 'n1 HCA-1' - 'sw' "
                ")\n") == "3:1: 0x000000000000002b is the GUID of another port on line 2");
  CHECK(refusal(kPair +
                "CA     3  1 0x000000000000001a 4x EDR - SW     1  2 0x000000000000002b ( 'x' - 'y' )\n") ==
        "3:1: 0x000000000000001a is the GUID of another port on line 1");
  // The other end's line says no peer, or another one; a silent end cannot have two.
  CHECK(refusal(kPair +
                "SW     1  2 0x000000000000001a 4x SDR                  'sw'\n"
                "CA     3  1 0x000000000000003b 4x EDR - SW     1  2 0x000000000000001a ( 'n2' - 'sw' )\n") ==
        "4:41: 0x000000000000003b[1] is cabled to 0x000000000000001a[2] here, but has no peer on line 3");
  CHECK_THAT(
      refusal(kPair +
              "CA     3  1 0x000000000000003b 4x EDR - SW     1  1 0x000000000000001a ( 'n2' - 'sw' )\n"),
      ContainsSubstring("3:41: \"0x000000000000003b\"[1] is cabled to"));
  CHECK_THAT(
      refusal(kPair +
              "CA     3  1 0x000000000000003b 4x EDR - SW     1  2 0x000000000000001a ( 'n2' - 'sw' )\n"
              "CA     4  1 0x000000000000004b 4x EDR - SW     1  2 0x000000000000001a ( 'n3' - 'sw' )\n"),
      ContainsSubstring("4:41: \"0x000000000000004b\"[1] is cabled to"));
  CHECK_THAT(refusal("SW     1  1 0x000000000000001a 4x SDR      'sw'\n"),
             ContainsSubstring("1:1: the dump describes 1 node(s) but no link"));
  // Lines of the report in the midst of a topology.
  CHECK_THAT(refusal("vendid=0x2c9\n" + kPair), ContainsSubstring("2:1: this is a line of a ports report"));
}
