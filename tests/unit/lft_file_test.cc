#include "models/routing/lft_file.h"

#include <string_view>

#include "models/routing/lft_writer.h"
#include "models/routing/minhop.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// leaf0 (LID 1) with h0 and h1, leaf1 (LID 2) with h2, one cable between port 4 and port 4. LIDs of hosts:
/// 3, 4, 5.
Topology fabric(bool with_lids = true) {
  Topology t;
  t.add_node(NodeKind::switch_, "leaf0", 4);
  t.add_node(NodeKind::switch_, "leaf1", 4);
  add_host(t, "h0", 0, 1);
  add_host(t, "h1", 0, 2);
  add_host(t, "h2", 1, 1);
  cable(t, 0, 4, 1, 4);
  t.nodes[0].guid = 0xa0;
  t.nodes[1].guid = 0xa1;
  for (NodeIndex h = 2; h < 5; ++h) t.nodes[h].port(1).guid = 0xb0 + h - 2;
  if (!with_lids) {  // another numbering: hosts first
    for (NodeIndex h = 2; h < 5; ++h) t.nodes[h].port(1).lid = h - 1;
    t.nodes[0].lid = 11;
    t.nodes[1].lid = 12;
  }
  t.assign_lids(false);
  return t;
}

constexpr std::string_view kOpensm =
    "Unicast lids [0-5] of switch Lid 1 guid 0x00000000000000a0 ('leaf0'):\n"
    "0x0001 000 # Switch portguid 0x00000000000000a0: 'leaf0'\n"
    "0x0002 004 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
    "0x0003 001 # Channel Adapter portguid 0x00000000000000b0: 'h0'\n"
    "0x0004 002 # Channel Adapter portguid 0x00000000000000b1: 'h1'\n"
    "0x0005 004 # Channel Adapter portguid 0x00000000000000b2: 'h2'\n"
    "5 lids dumped\n"
    "Unicast lids [0-5] of switch Lid 2 guid 0x00000000000000a1 ('leaf1'):\n"
    "0x0001 004 # Switch portguid 0x00000000000000a0: 'leaf0'\n"
    "0x0002 000 # Switch portguid 0x00000000000000a1: 'leaf1'\n"
    "0x0003 004 # Channel Adapter portguid 0x00000000000000b0: 'h0'\n"
    "0x0004 004 # Channel Adapter portguid 0x00000000000000b1: 'h1'\n"
    "0x0005 001 # Channel Adapter portguid 0x00000000000000b2: 'h2'\n"
    "5 lids dumped\n";

constexpr std::string_view kIbroute =
    "*** WARNING ***: this command has been replaced by dump_fts\n"
    "\n"
    "Unicast lids [0x0-0x5] of switch DR path slid 0; dlid 0; 0,1 guid 0x00000000000000a0 (leaf0):\n"
    "  Lid  Out   Destination\n"
    "       Port     Info \n"
    "0x0001 000 : (Switch portguid 0x00000000000000a0: 'leaf0')\n"
    "0x0002 004 : (Switch portguid 0x00000000000000a1: 'leaf1')\n"
    "0x0003 001 : (Channel Adapter portguid 0x00000000000000b0: 'h0')\n"
    "0x0004 002 : (Channel Adapter portguid 0x00000000000000b1: 'h1')\n"
    "0x0005 004 : (Channel Adapter portguid 0x00000000000000b2: 'h2')\n"
    "5 valid lids dumped \n"
    "Unicast lids [0x0-0x5] of switch Lid 2 guid 0x00000000000000a1 (leaf1):\n"
    "  Lid  Out   Destination\n"
    "       Port     Info \n"
    "0x0001 004 : (Switch portguid 0x00000000000000a0: 'leaf0')\n"
    "0x0002 000 : (Switch portguid 0x00000000000000a1: 'leaf1')\n"
    "0x0003 004 : (Channel Adapter portguid 0x00000000000000b0: 'h0')\n"
    "0x0004 004 : (Channel Adapter portguid 0x00000000000000b1: 'h1')\n"
    "0x0005 001 : (Channel Adapter portguid 0x00000000000000b2: 'h2')\n"
    "5 valid lids dumped \n";

std::string edited(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  const std::size_t at = result.find(from);
  REQUIRE(at != std::string::npos);
  return result.replace(at, from.size(), to);
}

Routes read(std::string text, const Topology& t = fabric()) {
  return routes_from_dump(TextFile("lfts", std::move(text)), t);
}

/// The first line of each finding.
std::string findings(std::string text, const Topology& t = fabric()) {
  try {
    read(std::move(text), t);
  } catch (const ConfigError& error) {
    std::string all;
    for (const Diagnostic& d : error.diagnostics()) {
      if (!all.empty()) all += '\n';
      all += fmt::format("{}:{}: {}", d.where.line, d.where.column, d.message);
    }
    return all;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("OpenSM's and ibroute's forms give the same tables") {
  const Topology t = fabric();
  const Routes opensm = read(std::string(kOpensm)), ibroute = read(std::string(kIbroute));
  CHECK(opensm.lft == ibroute.lft);
  CHECK(opensm.lft[0] == Lft{kNoPort, 0, 4, 1, 2, 4});
  CHECK(opensm.lft[1] == Lft{kNoPort, 4, 0, 4, 4, 1});
  CHECK(opensm.engine == "file");
  CHECK(opensm.warnings.empty());
  CHECK(opensm.lft == minhop_routes(t).lft);
}

TEST_CASE("tables written are the tables read back") {
  for (const Topology& t : {two_level(3, 2, 4), ring(7), k_ary_tree(4)}) {
    const Routes routes = minhop_routes(t);
    const Routes back = routes_from_dump(TextFile("written", write_lfts(t, routes)), t);
    CHECK(back.lft == routes.lft);
    CHECK(back.warnings.empty());
  }
  CHECK(write_lfts(fabric(), read(std::string(kOpensm))) == kOpensm);
}

TEST_CASE("a switch of another GUID is matched by its name") {
  std::string text =
      edited(kOpensm, "guid 0x00000000000000a1 ('leaf1')", "guid 0x00000000000000ff ('leaf1')");
  const Routes routes = read(text);
  CHECK(routes.lft == read(std::string(kOpensm)).lft);
  REQUIRE(routes.warnings.size() == 1);
  CHECK(routes.warnings[0] ==
        "lfts:8: leaf1 is matched by name: its GUID is 0x00000000000000ff in the dump, "
        "0x00000000000000a1 in the topology");
}

TEST_CASE("a topology with LIDs of its own takes the dump's by port GUID") {
  const Topology t = fabric(false);
  const Routes routes = read(std::string(kOpensm), t);
  CHECK(out_port(t, routes, "leaf0", "h1") == 2);
  CHECK(out_port(t, routes, "leaf1", "h0") == 4);
  CHECK(out_port(t, routes, "leaf1", "leaf0") == 4);
  CHECK(out_port(t, routes, "leaf1", "leaf1") == 0);
  REQUIRE(routes.warnings.size() == 1);
  CHECK(routes.warnings[0] == "lfts gives other LIDs than the topology; they are matched by port GUID");
}

TEST_CASE("LIDs nobody has are left out and counted") {
  std::string text = edited(kOpensm, "[0-5]", "[0-9]");
  text = edited(text, "5 lids dumped",
                "0x0008 002 # Channel Adapter portguid 0x00000000000000c8: 'gone'\n"
                "0x0009 002 # unknown node and type\n7 lids dumped");
  const Routes routes = read(text);
  CHECK(routes.lft == read(std::string(kOpensm)).lft);
  REQUIRE(routes.warnings.size() == 1);
  CHECK(routes.warnings[0] == "lfts: entries of 2 LIDs that no port of the topology has are left out");
}

TEST_CASE("a replaced adapter is matched by LID and name") {
  std::string text = edited(kOpensm, "0x00000000000000b2: 'h2'", "0x00000000000000d2: 'h2'");
  text = edited(text, "0x00000000000000b2: 'h2'", "0x00000000000000d2: 'h2'");
  const Routes routes = read(text);
  CHECK(routes.lft == read(std::string(kOpensm)).lft);
  REQUIRE(routes.warnings.size() == 1);
  CHECK(routes.warnings[0] ==
        "lfts: 1 LIDs have another port GUID than in the topology; they are matched by LID and node name");
}

TEST_CASE("entries that are missing or say 255 drop packets, with a warning") {
  std::string text = edited(kOpensm, "0x0005 004 # Channel Adapter portguid 0x00000000000000b2: 'h2'\n", "");
  text = edited(text, "0x0003 004", "0x0003 255");
  const Routes routes = read(text);
  CHECK(routes.lft[0] == Lft{kNoPort, 0, 4, 1, 2, kNoPort});
  CHECK(routes.lft[1] == Lft{kNoPort, 4, 0, kNoPort, 4, 1});
  REQUIRE(routes.warnings.size() == 1);
  CHECK(routes.warnings[0] ==
        "lfts: 2 (switch, LID) pairs of the topology have no entry; such packets are dropped");
}

TEST_CASE("path bits are read and renumbered with their port") {
  const auto build = [](Lid first) {
    Topology t;
    t.add_node(NodeKind::switch_, "sw", 2);
    add_host(t, "h0", 0, 1);
    add_host(t, "h1", 0, 2);
    t.nodes[0].guid = 0xa0;
    t.nodes[0].lid = first;
    for (NodeIndex h = 1; h < 3; ++h) {
      t.nodes[h].port(1).guid = 0xb0 + h;
      t.nodes[h].port(1).lid = first + 2 * h;
      t.nodes[h].port(1).lmc = 1;
    }
    return t;
  };
  const std::string text =
      "Unicast lids [0x0-0x7] of switch Lid 2 guid 0x00000000000000a0 (sw):\n"
      "0x0002 000 : (Switch portguid 0x00000000000000a0: 'sw')\n"
      "0x0004 001 : (Channel Adapter portguid 0x00000000000000b1: 'h0')\n"
      "0x0005 001 : (path #2 out of 2: portguid 0x00000000000000b1)\n"
      "0x0006 002 : (Channel Adapter portguid 0x00000000000000b2: 'h1')\n"
      "0x0007 255 : (path #2 - illegal port)\n"
      "5 lids dumped \n";
  CHECK(read(text, build(2)).lft[0] == Lft{kNoPort, kNoPort, 0, kNoPort, 1, 1, 2, kNoPort});
  const Routes moved = read(text, build(12));
  REQUIRE(moved.lft[0].size() == 18);
  CHECK(moved.lft[0][14] == 1);
  CHECK(moved.lft[0][15] == 1);
  CHECK(moved.lft[0][16] == 2);
  CHECK(moved.lft[0][17] == kNoPort);
}

TEST_CASE("what is wrong in a dump is said with its place") {
  const auto broken = [](std::string_view from, std::string_view to) {
    return findings(edited(kOpensm, from, to));
  };
  CHECK(findings("") == "0:0: holds no forwarding table");
  CHECK(findings("hello\n") ==
        "1:1: not a line of a forwarding table dump (opensm-lfts.dump, ibroute, dump_lfts or "
        "dump_fts)");
  CHECK(findings("0x0001 001 # x\n") ==
        "1:1: an entry before the first `Unicast lids ... of switch ...` line");
  CHECK(findings("5 lids dumped\n") == "1:1: a count line before the first table");
  CHECK(findings("dump_ucast_routes: Switch 0x00000000000000a0\n") ==
        "1:1: this is OpenSM's opensm.fdbs; give the opensm-lfts.dump beside it");
  CHECK(findings("Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0xa0 (leaf0):\n") ==
        "1:1: a multicast table; give a dump of the unicast tables");
  CHECK(broken("guid 0x00000000000000a1 ('leaf1')", "guid 0x00000000000000ff ('leaf9')") ==
        "8:41: the topology has no switch with GUID 0x00000000000000ff or name `leaf9`\n"
        "0:0: holds no table for leaf1 (0x00000000000000a1)");
  CHECK(broken("guid 0x00000000000000a1 ('leaf1')", "guid 0x00000000000000a0 ('leaf0')") ==
        "8:1: a second table for leaf0; the first is in line 1\n"
        "0:0: holds no table for leaf1 (0x00000000000000a1)");
  CHECK(broken("0x0004 002", "0x0004 005") == "5:8: leaf0 has 4 ports, so no port 5");
  CHECK(broken("0x0004 002", "0x0004 300") == "5:8: 300 is no port: ports are 0 to 254, and 255 for none");
  CHECK(broken("0x0004 002", "0x0004 xyz") == "5:8: expected an output port in decimal such as `001`");
  CHECK(broken("0x0004 002", "0x0004") == "5:8: expected an output port in decimal such as `001`");
  CHECK(broken("0x0004 002", "0xzz 002") == "5:1: expected a LID such as `0x0001`");
  CHECK(broken("0x0004 002", "0x00040000000000000004 002") == "5:1: expected a LID such as `0x0001`");
  CHECK(broken("0x0004 002", "0x0006 002") == "5:1: LID 6 lies outside the range 0-5 of its table (line 1)");
  CHECK(broken("0x0004 002 # Channel Adapter portguid 0x00000000000000b1: 'h1'",
               "0x0003 002 # Channel Adapter portguid 0x00000000000000b0: 'h0'") ==
        "5:8: leaf0 sends LID 3 to port 2 here, to port 1 in line 4");
  CHECK(broken("0x0002 004 # Switch portguid 0x00000000000000a1: 'leaf1'",
               "0x0000 004 # unknown node and type") == "3:1: LID 0 is no unicast LID (1 to 49151)");
  CHECK(findings(edited(edited(kOpensm, "[0-5]", "[0-65535]"), "0x0004 002", "0xc000 002")) ==
        "5:1: LID 49152 is no unicast LID (1 to 49151)");
  CHECK(broken("[0-5]", "[5-0]") == "1:15: expected a range of LIDs such as `[0-44]` or `[0x0-0x2c]`");
  CHECK(broken("[0-5]", "[0-") == "1:15: expected a range of LIDs such as `[0-44]` or `[0x0-0x2c]`");
  CHECK(broken(" guid 0x00000000000000a0 ('leaf0'):", ":") ==
        "1:19: expected the switch's GUID: `guid 0x...`");
  CHECK(broken("guid 0x00000000000000a0 ('leaf0')", "guid 0x ('leaf0')") ==
        "1:41: expected a GUID of up to 16 hexadecimal digits");
  CHECK(broken("portguid 0x00000000000000b1", "portguid 0xb1b1b1b1b1b1b1b1b1") ==
        "5:39: expected a port GUID of up to 16 hexadecimal digits after `0x`");
  CHECK(broken("5 lids dumped\n", "") ==
        "1:1: the table of leaf0 is cut off: no count line after its 5 entries");
  CHECK(findings(std::string(kOpensm.substr(0, kOpensm.size() - 80))) ==
        "8:1: the table of leaf1 is cut off: no count line after its 4 entries");
  CHECK(broken("5 lids dumped", "4 lids dumped") ==
        "7:1: the table of leaf0 (line 1) is damaged: 4 LIDs announced, 5 read");
  CHECK(findings(edited(kIbroute, "0x0004 002 : (Channel Adapter portguid 0x00000000000000b1: 'h1')\n",
                        "")) == "10:1: the table of leaf0 (line 3) is damaged: 5 LIDs announced, 4 read");
  CHECK(broken("5 lids dumped", "5 lids dumped\n5 lids dumped") == "8:1: a second count line for one table");
  CHECK(broken("5 lids dumped", "many lids dumped") ==
        "7:1: expected a count line such as `44 lids dumped`\n"
        "1:1: the table of leaf0 is cut off: no count line after its 5 entries");
  CHECK(broken("5 lids dumped", "5 lids dumped\n0x0003 001 # x") ==
        "8:1: an entry after its table's count line");
  CHECK(broken("0x0004 002 # Channel Adapter portguid 0x00000000000000b1: 'h1'",
               "0x0004 002 # Channel Adapter portguid 0x00000000000000c1: 'h9'") ==
        "12:1: LID 4 belongs to port 0x00000000000000b1 here, to 0x00000000000000c1 in line 5\n"
        "5:1: LID 4 belongs to port 0x00000000000000c1 here, to h1[1] (0x00000000000000b1) in the topology");
  const std::size_t second = kOpensm.find("Unicast", 1);
  CHECK(findings(std::string(kOpensm.substr(0, second))) ==
        "0:0: holds no table for leaf1 (0x00000000000000a1)");
}

TEST_CASE("at most 20 findings are told") {
  std::string text(kOpensm);
  for (int i = 0; i < 100; ++i) text += "nonsense\n";
  const std::string all = findings(text);
  CHECK(std::ranges::count(all, '\n') == 19);
}

TEST_CASE("the file engine reads its file from the scenario's folder") {
  const auto engines = routing_engines();
  const auto row = std::ranges::find(engines, "file", &Choice<RoutingEngine>::name);
  REQUIRE(row != engines.end());
  const std::unique_ptr<RoutingEngine> engine = row->make();
  CHECK_THROWS_AS(engine->build(fabric(), RoutingContext{"/nowhere"}), ConfigError);
}
