#include "models/routing/path_sl_writer.h"
#include "sim/error.h"
#include "tests/catch.h"

using namespace weft;

namespace {

/// Two switches, an adapter on each, and one with a port on both.
Topology two_switches() {
  Topology t;
  for (const char* name : {"s0", "s1"}) t.add_node(NodeKind::switch_, name, 4);
  t.add_node(NodeKind::hca, "a", 1);
  t.add_node(NodeKind::hca, "b", 1);
  t.add_node(NodeKind::hca, "both", 2);
  t.connect({0, 1}, {1, 1}, {});
  t.connect({2, 1}, {0, 2}, {});
  t.connect({3, 1}, {1, 2}, {});
  t.connect({4, 1}, {0, 3}, {});
  t.connect({4, 2}, {1, 3}, {});
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) t.nodes[n].guid = 0x10 * (n + 1);
  t.assign_lids(false);  // s0 1, s1 2, a 3, b 4, both 5 and 6
  return t;
}

}  // namespace

TEST_CASE("path service levels are listed by adapter and the LIDs of adapters", "[fast]") {
  const Topology t = two_switches();
  PathSls sls(t);
  sls.set(0, 4, 2);
  sls.set(1, 4, 2);
  sls.set(1, 1, 7);  // to a switch: not listed
  CHECK(write_path_sls(t, sls) ==
        "0x0000000000000030 3 0\n0x0000000000000030 4 2\n0x0000000000000030 5 0\n0x0000000000000030 6 0\n"
        "0x0000000000000040 3 0\n0x0000000000000040 4 2\n0x0000000000000040 5 0\n0x0000000000000040 6 0\n"
        "0x0000000000000050 3 0\n0x0000000000000050 4 2\n0x0000000000000050 5 0\n0x0000000000000050 6 0\n");
  CHECK(write_path_sls(t, PathSls()).find(" 4 0\n") != std::string::npos);
}

TEST_CASE("an adapter whose ports need two service levels to one LID has no line to say so", "[fast]") {
  const Topology t = two_switches();
  PathSls sls(t);
  sls.set(0, 4, 2);
  REQUIRE_THROWS_AS(write_path_sls(t, sls), BadValue);
  try {
    write_path_sls(t, sls);
  } catch (const BadValue& error) {
    CHECK(std::string(error.what()).find("both would need service levels 2 and 0 to LID 4") !=
          std::string::npos);
  }
}
