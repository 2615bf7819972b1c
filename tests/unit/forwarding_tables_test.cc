#include "models/routing/forwarding_tables.h"

#include <random>

#include "models/routing/dmodk.h"
#include "models/routing/minhop.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Blocks that tables of this size would take if none were shared.
std::size_t unshared(const Topology& t, const ForwardingTables& lft) {
  return t.count(NodeKind::switch_) * (lft.last_lid() / LftBlock::kLids + std::size_t{1});
}

/// Two switches with 150 hosts: three blocks of LIDs.
Topology pair_of_switches() {
  Topology t;
  for (unsigned s = 0; s < 2; ++s) t.add_node(NodeKind::switch_, fmt::format("sw{}", s), 76);
  cable(t, 0, 76, 1, 76);
  for (unsigned h = 0; h < 150; ++h) add_host(t, fmt::format("h{}", h), h / 75, h % 75 + 1);
  return addressed(std::move(t));
}

}  // namespace

TEST_CASE("fresh tables hold no port, for switches alone") {
  const Topology t = pair_of_switches();
  const ForwardingTables lft(t);
  CHECK(lft.size() == 152);
  CHECK(lft.last_lid() == 152);
  CHECK(lft[0].size() == 153);
  CHECK(lft[0].written_out() == Lft(153, kNoPort));
  CHECK(lft[5].empty());
  CHECK(lft[5][3] == kNoPort);
  CHECK(lft[0][152] == kNoPort);
  CHECK(lft[0][1'000'000] == kNoPort);
  CHECK(lft.pool_blocks() == 1);
  CHECK(ForwardingTables().empty());
}

TEST_CASE("a table reads back as it was set, whole or entry by entry") {
  const Topology t = pair_of_switches();
  ForwardingTables whole(t), single(t);
  std::mt19937 random(7);
  for (NodeIndex sw = 0; sw < 2; ++sw) {
    Lft ports(153);
    for (std::uint8_t& port : ports) port = static_cast<std::uint8_t>(random() % 76);
    whole.set(sw, ports);
    for (Lid lid = 0; lid < ports.size(); ++lid) {
      single.set(sw, lid, ports[lid]);
      CHECK(whole[sw][lid] == ports[lid]);
      CHECK(LftRow::entry(whole[sw].blocks(), whole.pool(), lid) == ports[lid]);
    }
    CHECK(whole[sw] == ports);
    CHECK(whole[sw] == single[sw]);
  }
  CHECK(whole == single);
  CHECK_FALSE(whole[0] == whole[1]);
  const ForwardingTables before = whole;
  whole.set(1, 152, static_cast<std::uint8_t>(whole[1][152] ^ 1));
  CHECK(whole != before);
  CHECK(whole[0] == before[0]);
  whole.set(1, 152, static_cast<std::uint8_t>(whole[1][152] ^ 1));
  CHECK(whole == before);
}

TEST_CASE("a shorter table ends in no port, also in the LIDs that fill its last block") {
  const Topology t = pair_of_switches();
  ForwardingTables lft(t);
  lft.set(0, Lft(153, 9));
  lft.set(0, Lft{kNoPort, 1, 2});
  CHECK(lft[0][2] == 2);
  for (Lid lid = 3; lid < 153; ++lid) CHECK(lft[0][lid] == kNoPort);
  CHECK(lft[0].size() == 153);
  // The engine reads the whole of the last block.
  for (Lid lid = 153; lid < 192; ++lid) CHECK(LftRow::entry(lft[0].blocks(), lft.pool(), lid) == kNoPort);
  for (Lid lid = 0; lid < 192; ++lid) CHECK(LftRow::entry(lft[5].blocks(), lft.pool(), lid) == kNoPort);
}

TEST_CASE("equal blocks are stored once, whichever switch and LIDs they belong to") {
  const Topology t = pair_of_switches();
  ForwardingTables lft(t);
  Lft ports(153, kNoPort);
  for (Lid lid = 0; lid < 128; ++lid) ports[lid] = static_cast<std::uint8_t>(lid % 64);
  lft.set(0, ports);
  CHECK(lft.pool_blocks() == 2);
  lft.set(1, ports);
  CHECK(lft.pool_blocks() == 2);
  ports[127] = 1;
  lft.set(1, ports);
  CHECK(lft.pool_blocks() == 3);
  CHECK(lft[0].blocks()[0] == lft[1].blocks()[0]);
}

TEST_CASE("tables of another fabric, or of fewer switches, are not equal") {
  const Topology t = pair_of_switches();
  Topology longer = t;
  longer.nodes[151].port(1).lid = 400;
  CHECK(ForwardingTables(t) == ForwardingTables(t));
  CHECK(ForwardingTables(t) != ForwardingTables(longer));
  CHECK(ForwardingTables(t) != ForwardingTables());
}

TEST_CASE("thousands of random blocks are found again") {
  const Topology t = pair_of_switches();
  ForwardingTables lft(t);
  std::mt19937 random(11);
  std::vector<Lft> tables(2000, Lft(153));
  for (Lft& table : tables)
    for (std::uint8_t& port : table) port = static_cast<std::uint8_t>(random() % 76);
  for (const Lft& table : tables) lft.set(0, table);
  const std::size_t once = lft.pool_blocks();
  CHECK(once == 1 + 3 * tables.size());
  for (const Lft& table : tables) {
    lft.set(1, table);
    REQUIRE(lft[1] == table);
  }
  CHECK(lft.pool_blocks() == once);
}

TEST_CASE("a tree's tables share most of their blocks") {
  const Topology t = k_ary_tree(16);  // 1,024 hosts, 320 switches, 1,344 LIDs
  for (const Routes& routes : {dmodk_routes(t), minhop_routes(t)}) {
    CAPTURE(routes.engine, routes.lft.pool_blocks());
    CHECK(unshared(t, routes.lft) == 320 * 22);
    CHECK(routes.lft.pool_blocks() * 3 < unshared(t, routes.lft));
    CHECK(routes.lft.stored_bytes() * 2 < 320u * 1345);
  }
}
