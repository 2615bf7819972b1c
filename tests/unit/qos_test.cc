// VL arbitration (IBA vol. 1 §7.6.9) and SL to VL mapping; T14 to T16 are the rows of the table of truth
// cases.
#include "models/fabric/qos.h"

#include <array>
#include <string>
#include <vector>

#include "models/fabric/packet.h"
#include "sim/error.h"
#include "tests/catch.h"

using namespace weft;

namespace {

/// Serves `grants` packets of `bytes` with every lane of `eligible` saturated; counts by lane.
std::array<unsigned, 16> saturate(const VlArbTables& tables, std::uint32_t eligible, std::uint16_t bytes,
                                  unsigned grants) {
  VlArbiter arbiter;
  std::array<std::uint16_t, 16> sizes{};
  sizes.fill(bytes);
  std::array<unsigned, 16> served{};
  for (unsigned i = 0; i < grants; ++i) ++served[arbiter.choose(tables, eligible, sizes.data())];
  return served;
}

/// The lanes served, in order, as text.
std::string order(const VlArbTables& tables, std::uint32_t eligible, std::uint16_t bytes, unsigned grants) {
  VlArbiter arbiter;
  std::array<std::uint16_t, 16> sizes{};
  sizes.fill(bytes);
  std::string text;
  for (unsigned i = 0; i < grants; ++i)
    text += static_cast<char>('0' + arbiter.choose(tables, eligible, sizes.data()));
  return text;
}

constexpr std::uint16_t k2k = 2048 + 26, k4k = 4096 + 26;  // 33 and 65 blocks

}  // namespace

TEST_CASE("T14: weights 1:20:40:80 give 1:1:2:3 packets of 33 blocks", "[fast]") {
  VlArbTables tables;
  tables.low = {{0, 1}, {1, 20}, {2, 40}, {3, 80}};
  CHECK(order(tables, 0b1111, k2k, 14) == "01223330122333");
  const auto served = saturate(tables, 0b1111, k2k, 7000);
  CHECK((served[0] == 1000 && served[1] == 1000 && served[2] == 2000 && served[3] == 3000));
}

TEST_CASE("T15: OpenSM's 1:64,2:128,3:192 gives 1:2:3 packets, of 65 and of 64 blocks", "[fast]") {
  VlArbTables tables;
  tables.low = {{1, 64}, {2, 128}, {3, 192}};
  for (const std::uint16_t bytes : {k4k, std::uint16_t{4096}}) {
    const auto served = saturate(tables, 0b1110, bytes, 6000);
    CHECK((served[1] == 1000 && served[2] == 2000 && served[3] == 3000));
  }
}

TEST_CASE("T16: the limit of high priority counts 4 KiB of wire bytes", "[fast]") {
  VlArbTables tables;
  tables.high = {{0, 255}};
  tables.low = {{1, 255}};
  SECTION("0: one packet of each in turn") {
    tables.high_limit = 0;
    CHECK(order(tables, 0b11, k4k, 6) == "010101");
  }
  SECTION("n: n packets of high, then one of low; n - 1 from 159 on, where the headers add up to a packet") {
    for (const unsigned n : {1u, 2u, 7u, 100u, 158u, 159u, 160u, 254u}) {
      tables.high_limit = static_cast<std::uint8_t>(n);
      const unsigned high = n >= 159 ? n - 1 : n;
      const auto served = saturate(tables, 0b11, k4k, (high + 1) * 10);
      CHECK(served[0] == high * 10);
      CHECK(served[1] == 10);
    }
  }
  SECTION("255: low starves") {
    tables.high_limit = 255;
    CHECK(saturate(tables, 0b11, k4k, 5000)[1] == 0);
  }
  SECTION("a switch that ignores it starves low at every limit") {
    tables.ignores_high_limit = true;
    for (const unsigned n : {0u, 1u, 200u}) {
      tables.high_limit = static_cast<std::uint8_t>(n);
      CHECK(saturate(tables, 0b11, k4k, 5000)[1] == 0);
    }
  }
  SECTION("without low traffic the limit holds nothing back, and low does not wait when high has none") {
    tables.high_limit = 0;
    CHECK(order(tables, 0b01, k4k, 5) == "00000");
    CHECK(order(tables, 0b10, k4k, 5) == "11111");
  }
}

TEST_CASE("VL15 comes before everything and counts against nothing", "[fast]") {
  VlArbTables tables;
  tables.high = {{0, 255}};
  tables.low = {{1, 10}};
  VlArbiter arbiter;
  std::array<std::uint16_t, 16> sizes{};
  sizes.fill(k4k);
  CHECK(arbiter.choose(tables, 1u << 15 | 0b11, sizes.data()) == 15);
  CHECK(arbiter.high_bytes == 0);
  CHECK(arbiter.choose(tables, 0b11, sizes.data()) == 0);
  CHECK(arbiter.choose(tables, 1u << 15 | 0b11, sizes.data()) == 15);
  CHECK(arbiter.choose(tables, 0b11, sizes.data()) == 1);
}

TEST_CASE("weight 0 is skipped, a lane in no table comes last, the lowest first", "[fast]") {
  VlArbTables tables;
  tables.low = {{0, 0}, {1, 1}, {2, 0}};
  CHECK(order(tables, 0b0111, k2k, 4) == "1111");
  CHECK(order(tables, 0b1101, k2k, 3) == "000");
  CHECK(order(tables, 0b1000, k2k, 2) == "33");
  CHECK(order({}, 0b110, k2k, 3) == "111");
}

TEST_CASE("a lane may stand in a table twice and in both tables", "[fast]") {
  VlArbTables tables;
  tables.low = {{0, 1}, {1, 1}, {0, 1}, {2, 1}};
  CHECK(order(tables, 0b111, k2k, 8) == "01020102");
  VlArbTables both;
  both.high = {{0, 1}};
  both.low = {{0, 1}, {1, 1}};
  both.high_limit = 1;  // 4 KiB: two packets of 2 KiB
  CHECK(order(both, 0b11, k2k, 9) == "000001000");
}

TEST_CASE("an entry is left when its lane has nothing, and starts afresh when it is next reached", "[fast]") {
  VlArbTables tables;
  tables.low = {{0, 99}, {1, 33}};  // three packets, one packet
  VlArbiter arbiter;
  std::array<std::uint16_t, 16> sizes{};
  sizes.fill(k2k);
  CHECK(arbiter.choose(tables, 0b11, sizes.data()) == 0);
  CHECK(arbiter.choose(tables, 0b10, sizes.data()) == 1);
  std::string rest;
  for (int i = 0; i < 4; ++i) rest += static_cast<char>('0' + arbiter.choose(tables, 0b11, sizes.data()));
  CHECK(rest == "0001");
}

TEST_CASE("every lane with weight is served within one round of the table", "[fast]") {
  VlArbTables tables;
  for (unsigned vl = 0; vl < 15; ++vl)
    tables.low.push_back({static_cast<std::uint8_t>(vl), static_cast<std::uint8_t>(255 - vl)});
  VlArbiter arbiter;
  std::array<std::uint16_t, 16> sizes{};
  sizes.fill(64);
  std::array<unsigned, 16> last{};
  for (unsigned i = 1; i <= 20'000; ++i) {
    const unsigned vl = arbiter.choose(tables, 0x7fff, sizes.data());
    REQUIRE(i - last[vl] <= 255 * 15);
    last[vl] = i;
  }
  for (unsigned vl = 0; vl < 15; ++vl) CHECK(last[vl] > 20'000 - 255 * 15);
}

TEST_CASE("mixed sizes take weight by their own blocks", "[fast]") {
  VlArbTables tables;
  tables.low = {{0, 130}, {1, 130}};  // two packets of 65 blocks; 26 of 5
  VlArbiter arbiter;
  std::array<std::uint16_t, 16> sizes{};
  sizes[0] = k4k;
  sizes[1] = 256 + 26;
  std::array<unsigned, 2> served{};
  for (int i = 0; i < 28 * 100; ++i) ++served[arbiter.choose(tables, 0b11, sizes.data())];
  CHECK(served[0] == 200);
  CHECK(served[1] == 2600);
}

TEST_CASE("service levels map to lanes modulo their number unless told otherwise", "[fast]") {
  const Sl2Vl one, four(4);
  for (unsigned sl = 0; sl < 16; ++sl) {
    CHECK(one.vl(3, 1, 2, static_cast<std::uint8_t>(sl)) == 0);
    CHECK(four.vl(3, 1, 2, static_cast<std::uint8_t>(sl)) == sl % 4);
  }
}

TEST_CASE("exceptions go by node, input, output and service level; the latest that matches wins", "[fast]") {
  Sl2Vl map(2);
  const auto all = [](std::uint8_t vl) {
    SlMap m;
    m.fill(vl);
    return m;
  };
  SlMap odd = all(3);
  odd[5] = kDropVl;
  map.set(7, kAnyPort, kAnyPort, all(4));
  map.set(7, 1, kAnyPort, all(5));
  map.set(2, kAnyPort, 9, all(6));
  map.set(7, 1, 2, odd);
  map.set(2, 0, 9, all(7));
  CHECK(map.vl(7, 3, 3, 0) == 4);
  CHECK(map.vl(7, 1, 3, 0) == 5);
  CHECK(map.vl(7, 1, 2, 0) == 3);
  CHECK(map.vl(7, 1, 2, 5) == kDropVl);
  CHECK(map.vl(7, 2, 1, 0) == 4);
  CHECK(map.vl(2, 4, 9, 1) == 6);
  CHECK(map.vl(2, 0, 9, 1) == 7);
  CHECK(map.vl(2, 4, 8, 1) == 1);  // no exception for that output
  CHECK(map.vl(3, 1, 2, 1) == 1);  // none for that node, between two that have
  CHECK(map.vl(900, 1, 2, 1) == 1);
  map.set(7, kAnyPort, kAnyPort, all(0));
  CHECK(map.vl(7, 1, 2, 5) == 0);
}

TEST_CASE("tables are read in OpenSM's form", "[fast]") {
  CHECK(parse_vl_weights("", 8, "low").empty());
  CHECK(parse_vl_weights("0:64,1:128,0:255,7:0", 8, "low") ==
        std::vector<VlWeight>{{0, 64}, {1, 128}, {0, 255}, {7, 0}});
  std::string longest = "0:1";
  for (int i = 1; i < 64; ++i) longest += ",0:1";
  CHECK(parse_vl_weights(longest, 1, "low").size() == 64);
}

TEST_CASE("what is no table is refused with the offending entry", "[fast]") {
  const auto message = [](const std::string& text, unsigned vls) {
    try {
      parse_vl_weights(text, vls, "qos.low");
    } catch (const BadValue& bad) {
      CHECK(bad.key == "qos.low");
      return std::string(bad.what());
    }
    return std::string("accepted");
  };
  CHECK(message("0:64,nonsense", 4) ==
        "`nonsense` is not a VL:weight pair in the VL arbitration table `0:64,nonsense`");
  CHECK(message("0:1,,1:1", 4) == "`` is not a VL:weight pair in the VL arbitration table `0:1,,1:1`");
  CHECK(message("4:1", 4) ==
        "`4` is not a data VL of this fabric (0 to 3) in the VL arbitration table `4:1`; "
        "expected VL:weight pairs such as `0:64,1:128`");
  CHECK(message("0:256", 4) ==
        "`256` is not a weight (0 to 255) in the VL arbitration table `0:256`; "
        "expected VL:weight pairs such as `0:64,1:128`");
  for (const char* text :
       {"0:", ":1", "0:-1", "-0:1", "0:1x", "0 :1", "0:1:2", "0:99999999999999999999", "a:1", "\xff:1"})
    CHECK_THAT(message(text, 4), ContainsSubstring("VL arbitration table"));
  std::string longest = "0:1";
  for (int i = 1; i < 65; ++i) longest += ",0:1";
  CHECK(message(longest, 4) == "65 entries in a VL arbitration table; InfiniBand has 64");
}
