#include "models/routing/torus_2qos/config.h"

#include <string>

#include "sim/error.h"
#include "tests/catch.h"

using namespace weft;

namespace {

TorusConfig read(const std::string& text) { return read_torus_config(TextFile("torus.conf", text)); }

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

constexpr const char* kTwoSeeds =
    "# a torus of 4 x 5\r\n"
    "torus 1 4 5m   and what follows\n"
    "\n"
    "  yp_link 0x200000 0x200005  # up\n"
    "\tym_link 0x200000 0x20000f\n"
    "zp_link 2097152 0x200001\n"
    "next_seed\n"
    "yp_link 0x20000b 0x200010\n"
    "ym_link 0x20000b 0x200006\n"
    "zm_link 0x20000b 0x20000c\n"
    "y_dateline -2 # back\n"
    "z_dateline +1\n"
    "portgroup_max_ports 0x14\n"
    "max_changes 100\n"
    "port_order 7 10 8 7 11 # and the others\n";

}  // namespace

TEST_CASE("torus-2QoS.conf: sizes, seeds and datelines") {
  const TorusConfig config = read(kTwoSeeds);
  CHECK(config.size == std::array<std::uint32_t, 3>{1, 4, 5});
  CHECK(config.mesh == std::array<bool, 3>{false, false, true});
  CHECK(config.group_ports == 20);
  CHECK(config.port_order == std::vector<std::uint8_t>{7, 10, 8, 11});
  REQUIRE(config.seeds.size() == 2);
  CHECK(config.seeds[0].from == 0x200000);
  CHECK(config.seeds[0].neighbour[direction_of(1, true)] == Guid{0x200005});
  CHECK(config.seeds[0].neighbour[direction_of(1, false)] == Guid{0x20000f});
  CHECK(config.seeds[0].neighbour[direction_of(2, true)] == Guid{0x200001});
  CHECK_FALSE(config.seeds[0].neighbour[direction_of(2, false)]);
  CHECK(config.seeds[1].from == 0x20000b);
  CHECK(config.seeds[1].neighbour[direction_of(2, false)] == Guid{0x20000c});
  CHECK(config.seeds[1].dateline == std::array<int, 3>{0, -2, 1});
}

TEST_CASE("mesh and torus say alike what the radices do not, and two switches are a line") {
  const std::string seed = "\nxp_link 1 2\nyp_link 1 3\nzp_link 1 4\n";
  CHECK(read("mesh 3T 4 5" + seed).mesh == std::array<bool, 3>{false, true, true});
  CHECK(read("torus 3 4M 5m" + seed).mesh == std::array<bool, 3>{false, true, true});
  CHECK(read("torus 2t 3 3" + seed).mesh == std::array<bool, 3>{true, false, false});
  CHECK(read("next_seed\nxp_link 1 2\ntorus 3 1 1\n").seeds.size() == 1);
}

TEST_CASE("a torus-2QoS.conf that is written reads as it was") {
  const TorusConfig config = read(kTwoSeeds), again = read(write_torus_config(config));
  CHECK(again.size == config.size);
  CHECK(again.mesh == config.mesh);
  CHECK(again.group_ports == config.group_ports);
  CHECK(again.port_order == config.port_order);
  REQUIRE(again.seeds.size() == config.seeds.size());
  for (std::size_t i = 0; i < again.seeds.size(); ++i) {
    CHECK(again.seeds[i].from == config.seeds[i].from);
    CHECK(again.seeds[i].neighbour == config.seeds[i].neighbour);
    CHECK(again.seeds[i].dateline == config.seeds[i].dateline);
  }
}

TEST_CASE("a torus-2QoS.conf that cannot be meant is refused where it goes wrong") {
  const std::string ring = "torus 5 1 1\n";
  const auto says = [](const std::string& text, const std::string& what) {
    CAPTURE(text);
    CHECK_THAT(complaint(text), ContainsSubstring("torus.conf:" + what));
  };
  says("", "1:1: error: no line says `torus` or `mesh`");
  says("xp_link 1 2\n", "1:1: error: no line says `torus` or `mesh`");
  says("torus 5 5\n", "1:10: error: a radix for z (1 to 49151) is missing");
  says("torus 5 0 5\n", "1:9: error: `0` is not a radix for y (1 to 49151)");
  says("torus 5 08 5\n", "1:9: error: `08` is not a radix for y");
  says("torus 5 t 5\n", "1:9: error: `` is not a radix for y");
  says("torus 5 4q 5\n", "1:9: error: `4q` is not a radix for y");
  says("torus 500 500 500\n", "1:1: error: 125000000 switches; a subnet has 49151 LIDs");
  says("torus 4 4 3 5\nxp_link 1 2\nyp_link 1 3\nzp_link 1 4\n",
       "1:13: error: a torus has three dimensions here; `5` is a fourth");
  says(ring + "mesh 5 1 1\n", "2:1: error: the size is given already, in line 1");
  says(ring, "1:1: error: no seed follows");
  says(ring + "xp_lnk 1 2\n", "2:1: error: unknown keyword `xp_lnk`; did you mean `xp_link`?");
  says(ring + "xp_link 1\n", "2:10: error: the GUID of a switch (0x and hexadecimal digits) is missing");
  says(ring + "xp_link 1 0xg\n", "2:11: error: `0xg` is not the GUID of a switch");
  says(ring + "xp_link 1 0x11112222333344445\n", "2:11: error: `0x11112222333344445` is not the GUID");
  says(ring + "xp_link 1 0\n", "2:11: error: `0` is not the GUID");
  says(ring + "xp_link 1 1\n", "2:11: error: the link ends at the switch it begins at");
  says(ring + "xp_link 1 2\nxp_link 1 3\n", "3:1: error: this seed has `xp_link` already, in line 2");
  says(ring + "xp_link 1 2\nxm_link 3 4\n",
       "3:9: error: all links of a seed begin at one switch; before this");
  says(ring + "xp_link 1 2\nx_dateline 5\n", "3:1: error: a dateline of 5 is beyond a radix of 5");
  says(ring + "xp_link 1 2\nx_dateline -5\n", "3:1: error: a dateline of -5 is beyond a radix of 5");
  says(ring + "xp_link 1 2\ny_dateline 1\n", "3:1: error: a dateline of 1 is beyond a radix of 1");
  says(ring + "xp_link 1 2\nx_dateline\n", "3:11: error: a place is missing");
  says(ring + "xp_link 1 2\nx_dateline 99999999999\n",
       "3:12: error: `99999999999` is not a place on the ring");
  says(ring + "xp_link 1 2\nnext_seed\n",
       "3:1: error: this seed needs xp_link or xm_link: x has a radix of 5");
  says("torus 4 1 1\nxp_link 1 2\n", "2:1: error: this seed needs both xp_link and xm_link");
  says(ring + "portgroup_max_ports 0\n", "2:21: error: `0` is not a number of ports (1 to 255)");
  says(ring + "port_order 3 300\n", "2:14: error: `300` is not a port (0 to 254)");
  says(ring + "port_order # none\n", "2:12: error: `#` is not a port");
  says(ring + "max_changes many\n", "2:13: error: `many` is not a number of changes");
}
