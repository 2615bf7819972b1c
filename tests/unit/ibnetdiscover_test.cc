#include "models/topology/ibnetdiscover.h"

#include "models/topology/ibnetdiscover_writer.h"
#include "sim/error.h"
#include "tests/catch.h"

using weft::Generation;
using weft::NodeIndex;
using weft::NodeKind;
using weft::Topology;

namespace {

Topology read(const std::string& text) {
  weft::LinkSpec unstated;
  unstated.generation = Generation::sdr;
  return weft::read_ibnetdiscover(weft::TextFile("net", text), unstated);
}

std::string speed(const Topology& t, const char* node, unsigned port) {
  return speed_text(t.cables[t.nodes[t.find(node)].port(port).cable].link);
}

// Two leaves and a spine, an aggregation node and a router, as today's ibnetdiscover prints them.
const std::string kToday = R"(#
# Topology file: generated on Mon Mar  3 10:00:00 2025
#
# Initiated from node 0000000000000a10 port 0000000000000a11

vendid=0x2c9
devid=0xd2f2
sysimgguid=0x510
switchguid=0x510(510)
Switch	65 "S-0000000000000510"		# "MF0;leaf1:MQM9700/U1" enhanced port 0 lid 5 lmc 0
[1]	"H-0000000000000a10"[1](a11) 		# "n1 mlx5_0" lid 8 4xNDR
[2]	"H-0000000000000a20"[2](a22) 		# "n2 mlx5_0" lid 12 2xNDR
[33]	"S-0000000000000520"[1]		# "MF0;spine1:MQM9700/U1" lid 6 4xNDR
[64]	"R-0000000000000b10"[2](b12) 		# "MF0;rt:Q3400_RA/U2/RT" lid 7 1xXDR
[65]	"H-0000000000000c10"[1](c11) 		# "Mellanox Technologies Aggregation Node" lid 20 4xNDR

vendid=0x2c9
devid=0xd2f2
sysimgguid=0x520
switchguid=0x520(520)
Switch	65 "S-0000000000000520"		# "MF0;spine1:MQM9700/U1" base port 0 lid 6 lmc 0
[1]	"S-0000000000000510"[33]		# "MF0;leaf1:MQM9700/U1" lid 5 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0xa10
caguid=0xa10
Ca	1 "H-0000000000000a10"		# "n1 mlx5_0"
[1](a11) 	"S-0000000000000510"[1]		# lid 8 lmc 2 "MF0;leaf1:MQM9700/U1" lid 5 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0xa20
caguid=0xa20
Ca	2 "H-0000000000000a20"		# "n2 mlx5_0"
[2](a22) 	"S-0000000000000510"[2]		# lid 12 lmc 2 "MF0;leaf1:MQM9700/U1" lid 5 2xNDR

vendid=0x2c9
devid=0xcf09
sysimgguid=0x510
caguid=0xc10
Ca	1 "H-0000000000000c10"		# "Mellanox Technologies Aggregation Node"
[1](c11) 	"S-0000000000000510"[65]		# lid 20 lmc 0 "MF0;leaf1:MQM9700/U1" lid 5 4xNDR

vendid=0x2c9
devid=0xc839
sysimgguid=0xb00
rtguid=0xb10
Rt	8 "R-0000000000000b10"		# "MF0;rt:Q3400_RA/U2/RT"
[2](b12) 	"S-0000000000000510"[64]		# lid 7 lmc 0 "MF0;leaf1:MQM9700/U1" lid 5 1xXDR
)";

// `text` with its first `from` replaced.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The smallest net with two nodes: a switch on lines 1 and 2, an adapter on lines 3 and 4.
const std::string kPair =
    "Switch\t4 \"S-1a\"\t\t# \"sw\" base port 0 lid 1 lmc 0\n"
    "[1]\t\"H-2a\"[1](2b) \t\t# \"n1 HCA-1\" lid 2 4xHDR\n"
    "Ca\t1 \"H-2a\"\t\t# \"n1 HCA-1\"\n"
    "[1](2b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"sw\" lid 1 4xHDR\n";

struct Finding {
  std::uint32_t line, column;
  std::string message;
};

std::vector<Finding> findings(const std::string& text) {
  try {
    read(text);
  } catch (const weft::ConfigError& error) {
    std::vector<Finding> found;
    for (const weft::Diagnostic& d : error.diagnostics()) {
      CHECK(d.where.file == "net");
      found.push_back({d.where.line, d.where.column, d.message});
    }
    return found;
  }
  return {};
}

// "line:column: message" of the only finding.
std::string refusal(const std::string& text) {
  const auto found = findings(text);
  if (found.size() != 1)
    return std::to_string(found.size()) + " findings" + (found.empty() ? "" : ": " + found[0].message);
  return std::to_string(found[0].line) + ":" + std::to_string(found[0].column) + ": " + found[0].message;
}

std::string warning(const std::string& text) {
  const Topology t = read(text);
  return t.warnings.size() == 1 ? t.warnings[0] : std::to_string(t.warnings.size()) + " warnings";
}

}  // namespace

TEST_CASE("a dump of today keeps everything it says", "[fast][ibnetdiscover]") {
  const Topology t = read(kToday);
  CHECK(t.check().empty());
  CHECK(t.warnings.empty());
  REQUIRE(t.nodes.size() == 6);
  const weft::Node& leaf = t.nodes[0];
  CHECK(leaf.kind == NodeKind::switch_);
  CHECK(leaf.name == "MF0;leaf1:MQM9700/U1");
  CHECK(leaf.guid == 0x510);
  CHECK(leaf.system_guid == 0x510);
  CHECK(leaf.vendor_id == 0x2c9);
  CHECK(leaf.device_id == 0xd2f2);
  CHECK(leaf.lid == 5);
  CHECK(leaf.enhanced_port0);
  CHECK(leaf.ports.size() == 65);
  CHECK(leaf.host == weft::kNone);
  const weft::Node& n2 = t.nodes[3];
  CHECK(n2.kind == NodeKind::hca);
  CHECK(n2.ports.size() == 2);
  CHECK(n2.port(2).guid == 0xa22);
  CHECK(n2.port(2).lid == 12);
  CHECK(n2.port(2).lmc == 2);
  CHECK(n2.port(1).peer_node == weft::kNone);
  CHECK(t.hosts == std::vector<std::string>{"n1", "n2"});
  CHECK(t.hosts[n2.host] == "n2");
  CHECK(t.nodes[4].kind == NodeKind::aggregation_node);
  CHECK(t.nodes[4].host == weft::kNone);
  CHECK(t.nodes[5].kind == NodeKind::router);
  CHECK(speed(t, "n1 mlx5_0", 1) == "4xNDR");
  CHECK(speed(t, "n2 mlx5_0", 2) == "2xNDR");
  CHECK(speed(t, "MF0;rt:Q3400_RA/U2/RT", 2) == "1xXDR");
  CHECK(t.cables.size() == 5);
  CHECK(t.endpoints().size() == 2);
  CHECK(t.max_lid() == 20);
}

TEST_CASE("writing a dump and reading it again changes nothing", "[fast][ibnetdiscover]") {
  const Topology t = read(kToday), again = read(write_ibnetdiscover(t));
  CHECK(again.nodes == t.nodes);
  CHECK(again.cables == t.cables);
  CHECK(again.hosts == t.hosts);
}

// The shape of 2006 and 2007: no port GUIDs, no speeds, no system image, the ports in any order, indented.
TEST_CASE("a dump from before speeds and port GUIDs were printed", "[fast][ibnetdiscover]") {
  const Topology t = read(R"(#
# Max of 2 hops discovered
# Initiated from node 0008f10403960558 port 0008f10403960559

Non-Chassis Nodes

   vendid=0x8f1
   devid=0x5a30
   switchguid=0x8f10400411a08
   Switch  24 "S-0008f10400411a08"         # "ISR9024 # rack [3]" base port 0 lid 742 lmc 0
   [24]    "H-0002c90200247010"[1]         # "atlas35" lid 1252
   [23]    "H-0002c9020024d5f8"[1]         # "atlas34" lid 3640

   vendid=0x2c9
   devid=0x5a44
   hcaguids=0x2c90200247010
   Hca     2 "H-0002c90200247010"          # "atlas35"
   [1]     "S-0008f10400411a08"[24]        # lid 1252 lmc 1 "ISR9024 # rack [3]" lid 742

   Hca     2 "H-0002c9020024d5f8"          # "atlas34"
   [1]     "S-0008f10400411a08"[23]        # "ISR9024 # rack [3]" lid 742
)");
  CHECK(t.check().empty());
  CHECK(t.nodes[0].name == "ISR9024 # rack [3]");
  CHECK(t.nodes[0].lid == 742);
  CHECK(t.hosts == std::vector<std::string>{"atlas34", "atlas35"});
  CHECK(t.nodes[1].port(1).lid == 1252);
  CHECK(t.nodes[1].port(1).lmc == 1);
  CHECK(t.nodes[2].port(1).lid == 3640);  // as the switch's line says; its own line is silent
  CHECK(speed(t, "atlas35", 1) == "4xSDR");
  REQUIRE(t.warnings.size() == 1);
  CHECK(t.warnings[0] == "net: 2 links state no speed; 4xSDR assumed (`unstated_speed`)");
}

TEST_CASE("grouping (-g), full information (-f) and Xsigo marks", "[fast][ibnetdiscover]") {
  const Topology t = read(R"(
Chassis 1 (guid 0x8f104004050c6)
Hostname: director

# Spine Nodes
vendid=0x8f1
devid=0x5a5c
sysimgguid=0x8f105002013b2		# Chassis 1 (director) slot 2
switchguid=0x8f105002013b2(8f105002013b2)	# ISR2012 Spine 1 Chip 2
Switch	36 "S-0008f105002013b2"		# "Voltaire 4036 # "sw36"" enhanced port 0 lid 419 lmc 0
[15][ext 7]	"S-0008f105002013b3"[32][ext 2]		# "Infiniscale-IV" lid 3 4xDDR s=2 w=2 v=8
[3]	"H-0008f104039a0001"[1](8f104039a0002) 		# "vhba" lid 9 4xFDR10 slot 3

# Line Nodes
vendid=0x2c9
devid=0xbd36
sysimgguid=0x8f105002013b3
switchguid=0x8f105002013b3(8f105002013b3)
Switch	36 "S-0008f105002013b3"		# "Infiniscale-IV" base port 0 lid 3 lmc 0
[32][ext 2]	"S-0008f105002013b2"[15][ext 7]		# "Voltaire 4036 # "sw36"" lid 419 4xDDR s=2 w=2 v=8

Non-Chassis Nodes

vendid=0x8f1
caguid=0x8f104039a0001
Ca	2 "H-0008f104039a0001"		# "vhba" (scp)
[1](8f104039a0002) 	"S-0008f105002013b2"[3]		# lid 9 lmc 0 "Voltaire 4036 # "sw36"" lid 419 4xFDR10 (scp)
)");
  CHECK(t.check().empty());
  CHECK(t.warnings.empty());
  CHECK(t.nodes[0].name == "Voltaire 4036 # \"sw36\"");
  CHECK(t.nodes[0].port(15).label == "7");
  CHECK(t.nodes[1].port(32).label == "2");
  CHECK(speed(t, "Infiniscale-IV", 32) == "4xDDR");
  CHECK(speed(t, "vhba", 1) == "4xFDR10");
  const Topology again = read(write_ibnetdiscover(t));
  CHECK(again.nodes == t.nodes);
  CHECK(again.cables == t.cables);
}

TEST_CASE("an ibsim net: any names, no comments, codes for speeds", "[fast][ibnetdiscover]") {
  const Topology t = read(R"(
width=2
switchguid=0x100000
Switch 8 "Sw1"
[1]	"Host1"[1]	s=4
[2]	"Sw2"[2]  w=8 s=2
Switch 8 "Sw2" base port 0 lid 4 lmc 0
[2]	"Sw1"[2]
caguid=0x200000
Hca 2 "Host1"
[1]	"Sw1"
)");
  CHECK(t.nodes[0].name == "Sw1");
  CHECK(t.nodes[0].guid == 0x100000);
  CHECK(t.nodes[1].guid == 0);
  CHECK(t.nodes[1].lid == 4);
  CHECK(t.hosts == std::vector<std::string>{"Host1"});
  CHECK(speed(t, "Host1", 1) == "4xQDR");
  CHECK(speed(t, "Sw2", 2) == "12xDDR");
}

TEST_CASE("CRLF, a last line without its end, and tools' chatter", "[fast][ibnetdiscover]") {
  std::string crlf;
  for (const char c : kPair) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(read(crlf).nodes == read(kPair).nodes);
  CHECK(read(kPair.substr(0, kPair.size() - 1)).nodes == read(kPair).nodes);
  CHECK(warning("ibwarn: [4711] _do_madrpc: recv failed: Connection timed out\n" + kPair) ==
        "net:1: skipped `ibwarn: [4711] _do_madrpc: recv failed: Connection timed out`, no part of the dump");
  CHECK(warning("[root@n1 ~]# ibnetdiscover\n" + kPair) ==
        "net:1: skipped `[root@n1 ~]# ibnetdiscover`, no part of the dump");
  CHECK(
      read("DR path [0][1] -> new remote switch {0x1a} portnum 1 lid 1-1\"sw\"\n" + kPair).warnings.empty());
}

TEST_CASE("what real dumps need is tolerated, with a warning", "[fast][ibnetdiscover]") {
  CHECK(warning(with(kPair, "lid 2 4xHDR", "lid 2 1xHDR")) ==
        "net:2: the link runs at 1xHDR here and at 4xHDR on line 4; the slower holds");
  CHECK(speed(read(with(kPair, "lid 1 4xHDR", "lid 1 4xSDR")), "sw", 1) == "4xSDR");
  CHECK(warning(with(kPair, "lid 2 4xHDR", "lid 3 4xHDR")) ==
        "net:2: LID 3 for \"H-2a\"[1], whose own line says 2");
  CHECK(warning(with(kPair, "(2b) \t\t#", "(2c) \t\t#")) ==
        "net:2: port GUID 0x2c for \"H-2a\"[1], whose own line says 0x2b");
  CHECK(warning("switchguid=0x1b(1b)\n" + kPair) ==
        "net:1: GUID 0x1b and the name \"S-1a\" differ; the name holds");
  CHECK(warning(with(kPair, "lid 2 4xHDR", "lid 2 4xHDR (new)")) ==
        "net:2: `(new)` is not understood and not used");
  CHECK(warning(with(kPair, "Ca\t", "[2]\t\"S-1a\"[2]\t\t# \"sw\" lid 1 4xHDR\nCa\t")) ==
        "net:3: \"S-1a\"[2] is plugged into itself; left out");
  CHECK(warning(with(kPair, "Ca\t",
                     "[2] \"S-1a\"[3] # \"sw\" lid 1 4xHDR\n[3] \"S-1a\"[2] # \"sw\" lid 1 4xHDR\nCa\t")) ==
        "net:3: \"S-1a\" is cabled to itself");
  // A speed one end does not know is the other's.
  for (const char* unknown : {"4x???", "???", "4x", "??HDR", "4xundefined (7)"}) {
    const Topology t = read(with(kPair, "lid 2 4xHDR", std::string("lid 2 ") + unknown));
    CHECK(speed(t, "sw", 1) == "4xHDR");
  }
  CHECK(read(with(kPair, "lid 2 lmc", "lid 65535 lmc")).nodes[1].port(1).lid == 2);  // none given yet
  const Topology many = read([] {
    std::string text;
    for (int i = 0; i < 30; ++i) text += "ibwarn: again\n";
    return text + kPair;
  }());
  REQUIRE(many.warnings.size() == 21);
  CHECK(many.warnings.back() == "net: and 10 more like these");
}

TEST_CASE("ends that disagree are refused, both lines named", "[fast][ibnetdiscover]") {
  CHECK(refusal(with(kPair, "\"S-1a\"[1]", "\"S-1a\"[2]")) ==
        "2:5: \"S-1a\"[1] is cabled to \"H-2a\"[1] here, but on line 4 \"H-2a\"[1] is cabled to \"S-1a\"[2]");
  CHECK(refusal(with(kPair, "[1](2b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"sw\" lid 1 4xHDR\n", "")) ==
        "2:5: \"S-1a\"[1] is cabled to \"H-2a\"[1] here, but \"H-2a\" (line 3) has no line for port 1");
  CHECK(refusal(with(kPair, "\"H-2a\"[1](2b)", "\"H-3a\"[1](2b)")) ==
        "2 findings: \"H-3a\" is never described");
  CHECK(refusal(with(kPair, "\"H-2a\"[1](2b)", "\"H-2a\"[2](2b)")) ==
        "2 findings: \"H-2a\" has 1 ports (line 3), no port 2");
  CHECK(refusal(with(kPair, "Ca\t", "[1]\t\"H-2a\"[1]\t\t# \"n1\" lid 2 4xHDR\nCa\t")) ==
        "3:2: port 1 of \"S-1a\" is described twice, first on line 2");
  CHECK(refusal(with(kPair, "[1]\t\"H", "[5]\t\"H")) == "2:2: port 5 of a node with 4 ports (line 1)");
  CHECK(refusal(kPair + kPair) == "2 findings: \"S-1a\" is described twice, first on line 1");
  CHECK(refusal(kPair + "Ca\t1 \"H-1a\"\t\t# \"x\"\n") ==
        "5:1: GUID 0x000000000000001a is already that of the node on line 1");
  CHECK(refusal(with(kPair, "lid 1 lmc 0\n", "lid 2 lmc 0\n")) == "4:1: LID 2 is already taken on line 1");
  CHECK(refusal(with(with(kPair, "lid 2 lmc 0", "lid 2 lmc 1"), "port 0 lid 1", "port 0 lid 3")) ==
        "4:1: LID 3 is already taken on line 1");
}

TEST_CASE("lines that cannot be read are refused where they go wrong", "[fast][ibnetdiscover]") {
  CHECK(refusal(with(kPair, "[1]\t\"H", "[0]\t\"H")) == "2:2: port numbers count from 1");
  CHECK(refusal(with(kPair, "[1]\t\"H", "[300]\t\"H")) == "2:2: a port number is beyond 254");
  CHECK(refusal(with(kPair, "[1]\t\"H", "[1 \t\"H")) == "2:5: `]` should stand here, after the port number");
  CHECK(refusal(with(kPair, "\"H-2a\"[1](2b)", "H-2a[1](2b)")) ==
        "2:5: the peer's name in quotes should stand here");
  CHECK(refusal(with(kPair, "\"H-2a\"[1](2b)", "\"H-2a\"[x](2b)")) ==
        "2:12: a port number should be a number");
  CHECK(refusal(with(kPair, "\"H-2a\"[1](2b)", "\"H-2a\"[1](2g)")) ==
        "2:16: `)` should stand here, after the port GUID");
  CHECK(refusal(with(kPair, "\"H-2a\"[1](2b)", "\"H-2a\"[1](12345678901234567)")) ==
        "2:15: a port GUID has more than 16 digits");
  CHECK(refusal(with(kPair, "lid 2 4xHDR", "lid 2 4xGDR")) == "2:40: unknown link speed `4xGDR`");
  CHECK(refusal(with(kPair, "lid 2 4xHDR", "lid x 4xHDR")) == "2:38: a LID should be a number");
  CHECK(refusal(with(kPair, "lid 2 4xHDR", "lid 50000 4xHDR")) ==
        "2:38: LID 50000 is beyond 49151, the last unicast LID");
  CHECK(refusal(with(kPair, "lmc 0 \"sw\"", "lmc 8 \"sw\"")) == "4:33: an LMC is beyond 7");
  CHECK(refusal(with(kPair, "Switch\t4", "Switch\tmany")) == "1:8: the number of ports should be a number");
  CHECK(refusal(with(kPair, "Switch\t4", "Switch\t0")) == "1:8: a node has at least one port");
  CHECK(refusal(with(kPair, "Switch\t4", "Switch\t255")) == "1:8: the number of ports is beyond 254");
  CHECK(refusal(with(kPair, "Switch\t4 \"S-1a\"", "Switch\t4 S-1a")) ==
        "1:10: the node's name in quotes should stand here");
  CHECK(refusal(with(kPair, "Switch\t4 \"S-1a\"", "Switch\t4 \"\"")) == "1:10: the node's name is empty");
  CHECK(refusal("vendid=0xzz\n" + kPair) == "1:10: vendid should be hexadecimal digits");
  CHECK(refusal(with(kPair, "Switch", "Swich")) ==
        "1:1: not a line of ibnetdiscover output; did you mean `Switch`?");
  CHECK(refusal(with(kPair, "Ca\t1", "xyz\nCa\t1")) == "3:1: not a line of ibnetdiscover output");
  CHECK(refusal("[1]\t\"S-1a\"[1]\n" + kPair) == "1:1: a port line, but no Switch, Ca or Rt line before it");
  CHECK_THAT(refusal("module \"m\"\n" + kPair),
             ContainsSubstring("1:1: ibsim's module, include and alias lines"));
}

TEST_CASE("a file cut short is recognised wherever the cut falls", "[fast][ibnetdiscover]") {
  CHECK(refusal(kPair.substr(0, kPair.find("Ca\t") + 8)) ==
        "3:6: the line ends inside the node's name (is the file cut short?)");
  CHECK(refusal(kPair.substr(0, kPair.find("# lid 2") + 17)) ==
        "4:35: the line ends inside a description (is the file cut short?)");
  CHECK(refusal(kPair.substr(0, kPair.find("Ca\t"))) == "2:5: \"H-2a\" is never described");
  const std::string head = kToday.substr(0, kToday.find("devid=0x1021"));
  CHECK(refusal(head) ==
        "11:5: \"H-0000000000000a10\" is never described, nor are 3 other peers: the dump looks cut "
        "short after line 24");
  for (std::size_t length = 0; length < kToday.size(); ++length) {
    INFO("cut after " << length << " bytes");
    if (kToday.find("[2](b12)", length) != std::string::npos)
      CHECK_FALSE(findings(kToday.substr(0, length)).empty());
    else
      CHECK_NOTHROW(findings(kToday.substr(0, length)));
  }
}

TEST_CASE("what is no dump is called by its name", "[fast][ibnetdiscover]") {
  CHECK(refusal("") == "1:1: the file is empty: ibnetdiscover wrote nothing into it");
  CHECK(refusal("\n \n#\n") == "1:1: the file is empty: ibnetdiscover wrote nothing into it");
  CHECK_THAT(refusal("ibwarn: [12] mad_rpc_open_port: can't open UMAD port ((null):0)\n"),
             ContainsSubstring("1:1: the dump describes no node"));
  CHECK_THAT(refusal("vendid=0x2c9\n"), ContainsSubstring("1:1: the dump describes no node"));
  CHECK(refusal("# Topology file\ncaguid=0xa\nCa\t1 \"H-0a\"\t\t# \"n1 HCA-1\"\n") ==
        "3:1: the dump describes 1 node(s) but no link; ibnetdiscover prints this where the port it runs on "
        "is down");
  CHECK_THAT(refusal("Switch\t: 0x0002c90300001007 ports 8 \"leaf07\" base port 0 lid 14 lmc 0\n"),
             ContainsSubstring("a list of nodes"));
  CHECK_THAT(refusal("Ca\t: 0x0002c902000001c0 ports 1 devid 0x101b vendid 0x2c9 \"n\"\n"),
             ContainsSubstring("a list of nodes"));
  CHECK_THAT(refusal("CA: node0028 HCA-1:\n"), ContainsSubstring("iblinkinfo"));
  CHECK_THAT(refusal("Switch: 0x0002c90300001007 leaf07:\n"), ContainsSubstring("iblinkinfo"));
  CHECK_THAT(refusal("{ CA Ports:01 SystemGUID:0002c902 ...\n"), ContainsSubstring("opensm-subnet.lst"));
  CHECK_THAT(refusal("Unicast lids [0x0-0x2c] of switch Lid 14 guid 0x0002c90300001007 (leaf07):\n"),
             ContainsSubstring("forwarding tables"));
  CHECK_THAT(refusal("<html>\n"), ContainsSubstring("XML or HTML"));
  CHECK_THAT(refusal("{\"nodes\": []}\n"), ContainsSubstring("JSON or YAML"));
  CHECK(refusal("Lorem ipsum\ndolor\nsit\namet\n") == "1:1: this is not ibnetdiscover output");
  CHECK_FALSE(findings(std::string("\0\x01\xff[", 4)).empty());
}

TEST_CASE("at most twenty findings are shown", "[fast][ibnetdiscover]") {
  std::string text = kPair;
  for (int i = 0; i < 100; ++i) text += "nonsense " + std::to_string(i) + "\n";
  CHECK(findings(text).size() == 20);
}
