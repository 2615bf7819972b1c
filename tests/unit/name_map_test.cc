// Names by GUID, as in OpenSM's --node-name-map.
#include "models/topology/name_map.h"

#include <fmt/format.h>

#include "models/topology/ibnetdiscover.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/temp_folder.h"

using namespace weft;

namespace {

NameMap read(const std::string& text) { return read_name_map(TextFile("map", text)); }

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    const Diagnostic& first = error.diagnostics()[0];
    return fmt::format("{}:{}: {}", first.where.line, first.where.column, first.message);
  }
  return "accepted";
}

const std::string kDump =
    "Switch\t4 \"S-1a\"\t\t# \"MF0;sw:MQM9700/U1\" base port 0 lid 1 lmc 0\n"
    "[1]\t\"H-2a\"[1](2b) \t\t# \"localhost\" lid 2 4xHDR\n"
    "Ca\t1 \"H-2a\"\t\t# \"localhost\"\n"
    "[1](2b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"MF0;sw:MQM9700/U1\" lid 1 4xHDR\n";

}  // namespace

TEST_CASE("a name map's lines, comments and second names", "[fast][name_map]") {
  const NameMap map = read(
      "# IB1\n"
      "\n"
      "0x1a\t\"leaf 3 \"  # by the door\n"
      "  0X000000000000002A \"n1 # mlx5_0\"\n"
      "0x1a \"other\"\n");
  CHECK(map.names.size() == 2);
  CHECK(map.names.at(0x1a) == "leaf 3 ");
  CHECK(map.names.at(0x2a) == "n1 # mlx5_0");
  REQUIRE(map.warnings.size() == 1);
  CHECK(map.warnings[0] == "map:5: 0x000000000000001a is named a second time; the name on line 3 holds");
}

TEST_CASE("a name map that cannot be is refused at its place", "[fast][name_map]") {
  CHECK(refusal("leaf \"x\"\n") == "1:1: a GUID, 0x and up to 16 digits, should stand here");
  CHECK(refusal("# a\n0x1a leaf\n") == "2:6: the node's name in quotes should stand here");
  CHECK(refusal("0x1a \"leaf\n") == "1:6: the line ends inside the node's name (is the file cut short?)");
  CHECK(refusal("0x1a \" \"\n") == "1:6: the node's name is empty");
  CHECK(refusal("0x0 \"leaf\"\n") == "1:1: a GUID is not 0");
  CHECK_THAT(refusal("0x11223344556677889 \"leaf\"\n"), ContainsSubstring("more than 16 digits"));
  CHECK(refusal("# nothing\n") == "1:1: the file names no node");
  CHECK(refusal("") == "1:1: the file names no node");
}

TEST_CASE("names go to nodes, and machines are read off them", "[fast][name_map]") {
  const TempFolder folder;
  folder.write("dump", kDump);
  folder.write("names", "0x1a \"leaf3\"\n0x2b \"n7 mlx5_0\"\n0xff \"elsewhere\"\n");
  folder.write("strange", "0xff \"elsewhere\"\n");
  BuildContext context = test::two_profiles();
  context.base_folder = folder.path();
  const Topology t = test::built_topology("{type: ibnetdiscover, file: dump, name_map: names}", context);
  CHECK(t.find("leaf3") == 0);
  CHECK(t.find("n7 mlx5_0") == 1);  // by the GUID of its port
  CHECK(t.hosts == std::vector<std::string>{"n7"});
  CHECK(t.warnings.empty());
  const Topology same = test::built_topology("{type: ibnetdiscover, file: dump, name_map: strange}", context);
  CHECK(same.nodes[0].name == "MF0;sw:MQM9700/U1");
  REQUIRE(same.warnings.size() == 1);
  CHECK(same.warnings[0] == "none of the 1 names of the name map is of a node of this fabric");
}
