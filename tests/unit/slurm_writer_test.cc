// topology.conf: one leaf above every node, one parent above every switch, whatever the fabric is.
#include "models/topology/slurm_writer.h"

#include "models/topology/ibnetdiscover.h"
#include "tests/built_topology.h"
#include "tests/catch.h"

using namespace weft;

namespace {

const std::string kHead = "# topology.conf of Slurm's topology/tree: written by Weft\n";
const std::string kFlat =
    "# Switches of one level are cabled with each other, which a tree cannot say: `top` joins them.\n"
    "# In a dragonfly, TopologyParam=dragonfly in slurm.conf spreads a job over many leaves.\n";

std::string written(const std::string& mapping) { return write_slurm(test::built_topology(mapping)); }

std::string refusal(const Topology& t) {
  try {
    write_slurm(t);
  } catch (const BadValue& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a tree: leaves, pods and one root", "[fast][slurm_writer]") {
  CHECK(written("{type: fat_tree, hosts: 16, levels: 3, radix: 4}") ==
        kHead +
            "SwitchName=leaf00 Nodes=host[0000-0001]\n"
            "SwitchName=leaf01 Nodes=host[0002-0003]\n"
            "SwitchName=leaf02 Nodes=host[0004-0005]\n"
            "SwitchName=leaf03 Nodes=host[0006-0007]\n"
            "SwitchName=leaf04 Nodes=host[0008-0009]\n"
            "SwitchName=leaf05 Nodes=host[0010-0011]\n"
            "SwitchName=leaf06 Nodes=host[0012-0013]\n"
            "SwitchName=leaf07 Nodes=host[0014-0015]\n"
            "SwitchName=spine00 Switches=leaf[00-01]  # spine[00-01]\n"
            "SwitchName=spine02 Switches=leaf[02-03]  # spine[02-03]\n"
            "SwitchName=spine04 Switches=leaf[04-05]  # spine[04-05]\n"
            "SwitchName=spine06 Switches=leaf[06-07]  # spine[06-07]\n"
            "SwitchName=core00 Switches=spine[00,02,04,06]  # core[00-03]\n");
  CHECK(written("{type: fat_tree, hosts: 3, levels: 1, radix: 4}") ==
        kHead + "SwitchName=leaf00 Nodes=host[0000-0002]\n");
}

TEST_CASE("machines on several leaves are below one", "[fast][slurm_writer]") {
  const std::string leaves =
      "# 2 leaves stand for several switches each, with the same machines on all of them\n";
  CHECK(written("{type: fat_tree, hosts: 64, rails: 8}") ==
        kHead + leaves +
            "SwitchName=leaf00 Nodes=host[0000-0031]  # leaf[00-07]\n"
            "SwitchName=leaf08 Nodes=host[0032-0063]  # leaf[08-15]\n"
            "SwitchName=spine00 Switches=leaf[00,08]  # spine[00-07]\n");
  CHECK(written("{type: xgft, children: [2, 2], parents: [1, 2], rails: 2, rail_layout: planes}") ==
        kHead + leaves +
            "SwitchName=plane0-leaf00 Nodes=host[0000-0001]  # plane0-leaf00,plane1-leaf00\n"
            "SwitchName=plane0-leaf01 Nodes=host[0002-0003]  # plane0-leaf01,plane1-leaf01\n"
            "SwitchName=plane0-spine00 Switches=plane0-leaf[00-01]  # "
            "plane0-spine[00-01],plane1-spine[00-01]\n");
}

TEST_CASE("a dragonfly's switches are joined by one above them", "[fast][slurm_writer]") {
  CHECK(written("{type: dragonfly, hosts_per_switch: 1}") ==
        kHead + kFlat +
            "SwitchName=group00-sw00 Nodes=host0000\n"
            "SwitchName=group00-sw01 Nodes=host0001\n"
            "SwitchName=group01-sw00 Nodes=host0002\n"
            "SwitchName=group01-sw01 Nodes=host0003\n"
            "SwitchName=group02-sw00 Nodes=host0004\n"
            "SwitchName=group02-sw01 Nodes=host0005\n"
            "SwitchName=top Switches=group00-sw[00-01],group01-sw[00-01],group02-sw[00-01]\n");
  CHECK(written("{type: dragonfly_plus, hosts_per_leaf: 1, leaves: 2, groups: 2}") ==
        kHead + kFlat +
            "SwitchName=group00-leaf00 Nodes=host0000\n"
            "SwitchName=group00-leaf01 Nodes=host0001\n"
            "SwitchName=group01-leaf00 Nodes=host0002\n"
            "SwitchName=group01-leaf01 Nodes=host0003\n"
            "SwitchName=group00-spine00 Switches=group00-leaf[00-01]\n"
            "SwitchName=group01-spine00 Switches=group01-leaf[00-01]\n"
            "SwitchName=top Switches=group00-spine00,group01-spine00\n");
}

TEST_CASE("names that Slurm would misread are changed, and stay apart", "[fast][slurm_writer]") {
  const std::string dump =
      "Switch\t4 \"S-1a\"\t\t# \"MF0;sw:MQM9700/U1\" base port 0 lid 1 lmc 0\n"
      "[1]\t\"H-2a\"[1](2b) \t\t# \"n[1] mlx5_0\" lid 2 4xHDR\n"
      "[2]\t\"S-3a\"[2] \t\t# \"MF0;sw=MQM9700/U1\" lid 3 4xHDR\n"
      "Switch\t4 \"S-3a\"\t\t# \"MF0;sw=MQM9700/U1\" base port 0 lid 3 lmc 0\n"
      "[1]\t\"H-4a\"[1](4b) \t\t# \"n,1\" lid 4 4xHDR\n"
      "[2]\t\"S-1a\"[2] \t\t# \"MF0;sw:MQM9700/U1\" lid 1 4xHDR\n"
      "Ca\t1 \"H-2a\"\t\t# \"n[1] mlx5_0\"\n"
      "[1](2b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"MF0;sw:MQM9700/U1\" lid 1 4xHDR\n"
      "Ca\t1 \"H-4a\"\t\t# \"n,1\"\n"
      "[1](4b) \t\"S-3a\"[1]\t\t# lid 4 lmc 0 \"MF0;sw=MQM9700/U1\" lid 3 4xHDR\n";
  const std::string text = write_slurm(read_ibnetdiscover(TextFile("net", dump), {}));
  CHECK(text == kHead + kFlat +
                    "# 4 names are changed where Slurm would read them as something else\n"
                    "SwitchName=MF0-sw-MQM9700-U1 Nodes=n-1-\n"
                    "SwitchName=MF0-sw-MQM9700-U1-2 Nodes=n-1\n"
                    "SwitchName=top Switches=MF0-sw-MQM9700-U1,MF0-sw-MQM9700-U1-2\n");
}

TEST_CASE("what Slurm's tree has no place for is refused", "[fast][slurm_writer]") {
  CHECK_THAT(refusal(test::built_topology("{type: torus, size: [3, 3]}")),
             ContainsSubstring("a torus is no tree: Slurm has the plugin topology/3d_torus"));
  CHECK(refusal(
            test::built_topology("{type: explicit, hosts: [{name: 'h{0..1}'}], cables: [{a: h0, b: h1}]}")) ==
        "machine `h0` is on no switch; Slurm's tree needs one above every node");
}
