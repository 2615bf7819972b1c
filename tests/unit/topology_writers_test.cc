#include "models/topology/dot_writer.h"
#include "models/topology/fat_tree.h"
#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "models/topology/ibsim_writer.h"
#include "models/topology/json_writer.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/cli/json_check.h"

using weft::FatTree;
using weft::Topology;

TEST_CASE("a generated tree written as a dump reads back as it is", "[fast][topology_writers]") {
  FatTree builder;
  builder.hosts = 6;
  builder.rails = 2;
  builder.radix = 8;
  Topology t = builder.build({});
  t.assign_lids(false, 1);
  const Topology again = weft::read_ibnetdiscover(weft::TextFile("tree", write_ibnetdiscover(t)), {});
  CHECK(again.check().empty());
  CHECK(again.hosts == t.hosts);
  CHECK(again.cables == t.cables);
  REQUIRE(again.nodes.size() == t.nodes.size());
  for (std::size_t n = 0; n < t.nodes.size(); ++n) {
    weft::Node node = t.nodes[n];
    node.level = -1;  // has no place in the format
    node.profile.clear();
    CHECK(again.nodes[n] == node);
  }
}

TEST_CASE("a dump is written as ibnetdiscover prints it", "[fast][topology_writers]") {
  Topology t;
  t.add_node(weft::NodeKind::switch_, "sw \"a\"\n", 2);
  t.add_node(weft::NodeKind::hca, "h0 HCA-1", 1);
  t.nodes[0].guid = 0x10;
  t.nodes[0].lid = 3;
  t.nodes[0].port(2).label = "7";
  t.nodes[1].guid = 0x20;
  t.nodes[1].system_guid = 0x23;
  t.nodes[1].device_id = 0x1021;
  t.nodes[1].port(1).guid = 0x21;
  t.nodes[1].port(1).lid = 4;
  t.connect({1, 1}, {0, 2}, {});
  CHECK(write_ibnetdiscover(t) ==
        "#\n# Topology file: written by Weft\n#\n"
        "\nvendid=0x0\ndevid=0x0\nswitchguid=0x10(10)\n"
        "Switch\t2 \"S-0000000000000010\"\t\t# \"sw \"a\" \" base port 0 lid 3 lmc 0\n"
        "[2][ext 7]\t\"H-0000000000000020\"[1](21) \t\t# \"h0 HCA-1\" lid 4 4xNDR\n"
        "\nvendid=0x0\ndevid=0x1021\nsysimgguid=0x23\ncaguid=0x20\n"
        "Ca\t1 \"H-0000000000000020\"\t\t# \"h0 HCA-1\"\n"
        "[1](21) \t\"S-0000000000000010\"[2][ext 7]\t\t# lid 4 lmc 0 \"sw \"a\" \" lid 3 4xNDR\n");
}

TEST_CASE("a drawing for Graphviz", "[fast][topology_writers]") {
  FatTree builder;
  builder.hosts = 2;
  builder.radix = 4;
  builder.leaf_down = 1;
  CHECK(write_dot(builder.build({})) ==
        "graph fabric {\n  rankdir=BT;\n"
        "  n0 [label=\"host0000 mlx5_0\", shape=ellipse];\n"
        "  n1 [label=\"host0001 mlx5_0\", shape=ellipse];\n"
        "  n2 [label=\"leaf00\", shape=box];\n"
        "  n3 [label=\"leaf01\", shape=box];\n"
        "  n4 [label=\"spine00\", shape=box];\n"
        "  { rank=same; n2; n3; }\n"
        "  { rank=same; n4; }\n"
        "  n0 -- n2 [label=\"4xNDR\"];\n"
        "  n1 -- n3 [label=\"4xNDR\"];\n"
        "  n2 -- n4 [label=\"4xNDR\"];\n"
        "  n3 -- n4 [label=\"4xNDR\"];\n"
        "}\n");
  Topology odd;
  odd.add_node(weft::NodeKind::switch_, "a \"b\"\\\t", 2);
  odd.add_node(weft::NodeKind::router, "r", 2);
  odd.connect({0, 1}, {1, 1}, {});
  odd.connect({0, 2}, {1, 2}, {});
  const std::string dot = write_dot(odd);
  CHECK_THAT(dot,
             ContainsSubstring("label=\"a \\\"b\\\"\\\\ \"") && ContainsSubstring("[label=\"2 x 4xNDR\"]"));
}

TEST_CASE("a net for ibsim has adapters first and no speed it does not know", "[fast][topology_writers]") {
  Topology t;
  t.add_node(weft::NodeKind::switch_, "sw @ \"a\" = 1 #\xc3\xa9", 4);
  t.add_node(weft::NodeKind::hca, "h0 " + std::string(80, 'x'), 2);
  t.nodes[0].guid = 0x10;
  t.nodes[1].guid = 0x20;
  t.nodes[1].port(1).guid = 0x21;
  t.nodes[1].port(2).guid = 0x2f;
  weft::LinkSpec xdr, fdr10, rated;
  xdr.generation = weft::Generation::xdr;
  xdr.width = 2;
  fdr10.generation = weft::Generation::fdr10;
  rated.rate = weft::gigabits_per_second(33);
  t.connect({0, 1}, {1, 1}, xdr);
  t.connect({0, 2}, {1, 2}, fdr10);
  t.connect({0, 3}, {0, 4}, rated);
  const std::string cut = "h0 " + std::string(60, 'x');
  CHECK(write_ibsim(t) ==
        "#\n# Net for ibsim 0.10: written by Weft\n"
        "# 2 links faster than HDR are written as HDR, the fastest that ibsim knows\n"
        "# 1 links have a rate of their own, written as their generation's\n"
        "# 2 descriptions are changed or cut\n"
        "# 1 adapter ports get another GUID: the node's plus the port number\n#\n"
        "\nvendid=0x0\ndevid=0x0\ncaguid=0x20\n"
        "Ca\t2 \"H-0000000000000020\"\t\t# \"" +
            cut +
            "\"\n"
            "[1](21) \t\"S-0000000000000010\"[1]\t\t# lid 0 lmc 0 \"sw _ _a_ _ 1 _  \" lid 0 2xHDR\n"
            "[2](2f) \t\"S-0000000000000010\"[2]\t\t# lid 0 lmc 0 \"sw _ _a_ _ 1 _  \" lid 0 4xFDR10\n"
            "\nvendid=0x0\ndevid=0x0\nswitchguid=0x10(10)\n"
            "Switch\t4 \"S-0000000000000010\"\t\t# \"sw _ _a_ _ 1 _  \" base port 0 lid 0 lmc 0\n"
            "[1]\t\"H-0000000000000020\"[1](21) \t\t# \"" +
            cut +
            "\" lid 0 2xHDR\n"
            "[2]\t\"H-0000000000000020\"[2](2f) \t\t# \"" +
            cut +
            "\" lid 0 4xFDR10\n"
            "[3]\t\"S-0000000000000010\"[4]\t\t# \"sw _ _a_ _ 1 _  \" lid 0 4xHDR\n"
            "[4]\t\"S-0000000000000010\"[3]\t\t# \"sw _ _a_ _ 1 _  \" lid 0 4xHDR\n");
}

TEST_CASE("JSON holds all that a topology does", "[fast][topology_writers]") {
  Topology t = weft::test::built_topology(
      "{type: torus, size: [3], switch_link: {speed: 4xFDR, cable: optics, length: 1500 mm}}");
  t.assign_lids(false, 1);
  t.nodes[3].name = "sw \"0\"\n\xff";
  const std::string text = write_json(t);
  const weft::JsonCheck check(text);
  CHECK(check.valid());
  CHECK(check.keys() == std::set<std::string>{"format", "version", "machines", "nodes", "cables", "grid"});
  CHECK_THAT(text, ContainsSubstring("\"machines\": [\"host0000\", \"host0001\", \"host0002\"]"));
  CHECK_THAT(
      text,
      ContainsSubstring(
          "{\"name\": \"host0001 mlx5_0\", \"kind\": \"adapter\", \"ports\": 1, \"guid\": "
          "\"0x0257454654000200\", \"system_guid\": \"0x0257454654000200\", \"machine\": 1, \"rail\": 0, "
          "\"of_ports\": [{\"port\": 1, \"guid\": \"0x0257454654000201\", \"lid\": 4, \"lmc\": 1}]}"));
  CHECK_THAT(text, ContainsSubstring(
                       "{\"name\": \"sw \\\"0\\\"\\u000a\\ufffd\", \"kind\": \"switch\", \"ports\": 64, "));
  CHECK_THAT(text,
             ContainsSubstring("{\"a\": [3, 2], \"b\": [4, 3], \"speed\": \"4xFDR\", \"bits_per_second\": "
                               "54545454545, \"cable\": \"optics\", \"metres\": 1.5}"));
  CHECK_THAT(text, ContainsSubstring("\"grid\": {\"size\": [3], \"wraps\": [true]}"));
  const std::string tree =
      write_json(weft::test::built_topology("{type: xgft, children: [2, 3], parents: [1, 2]}"));
  CHECK(weft::JsonCheck(tree).valid());
  CHECK_THAT(tree, ContainsSubstring(
                       "\"tree\": {\"children\": [2, 3], \"parents\": [1, 2], \"parallel\": [1, 1]}") &&
                       ContainsSubstring("\"level\": 1, \"profile\": \"qm9700\""));
  CHECK(weft::JsonCheck(write_json(Topology{})).valid());
}
