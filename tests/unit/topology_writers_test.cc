#include "models/topology/dot_writer.h"
#include "models/topology/fat_tree.h"
#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "tests/catch.h"

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
