// Tori and meshes: counts, diameter and bisection in closed form, the wiring port by port, the grid told.
#include <fmt/format.h>

#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/topology_measures.h"

using namespace weft;
using namespace weft::test;
using Counts = std::vector<std::uint32_t>;

namespace {

Topology built(const std::string& keys) {
  Topology t = built_topology("{type: torus, " + keys + "}");
  CHECK(t.check().empty());
  return t;
}

std::string refusal(const std::string& keys) { return topology_refusal("{type: torus, " + keys + "}"); }

}  // namespace

TEST_CASE("a torus has the counts, diameter and bisection of its sizes", "[fast][torus]") {
  const Counts size = GENERATE(Counts{5}, Counts{4, 4}, Counts{6, 3}, Counts{4, 3, 5}, Counts{3, 4, 3, 2},
                               Counts{2, 2, 2, 2, 2}, Counts{4, 1, 3}, Counts{2, 2, 2, 2, 2, 2, 2, 2});
  const std::string keys = fmt::format("size: [{}], hosts_per_switch: 2", fmt::join(size, ", "));
  const Topology torus = built(keys), mesh = built(keys + ", wrap: no");
  std::uint32_t switches = 1, around = 0, across = 0, ring_cables = 0, line_cables = 0;
  for (const std::uint32_t k : size) switches *= k;
  for (const std::uint32_t k : size) {
    around += k / 2;
    across += k - 1;
    ring_cables += k > 2 ? switches : switches / k * (k - 1);
    line_cables += switches / k * (k - 1);
  }
  for (const Topology* t : {&torus, &mesh}) {
    CHECK(t->count(NodeKind::switch_) == switches);
    CHECK(t->hosts.size() == 2 * switches);
    REQUIRE(t->grid);
    CHECK(t->grid->size == size);
  }
  CHECK(trunk_cables(torus) == ring_cables);
  CHECK(trunk_cables(mesh) == line_cables);
  CHECK(diameter(torus) == around);
  CHECK(diameter(mesh) == across);
  // Half of an even first dimension: two cables a ring, one a line.
  if (size[0] % 2 != 0) return;
  const auto half = [&size](std::uint32_t n) { return n % size[0] < size[0] / 2; };
  CHECK(cut(torus, half) == switches / size[0] * (size[0] > 2 ? 2 : 1));
  CHECK(cut(mesh, half) == switches / size[0]);
}

TEST_CASE("the grid of a torus is the cabling, coordinate by coordinate", "[fast][torus]") {
  const Topology t = built("size: [4, 2, 3], wrap: [no, yes, yes], parallel: [1, 2, 3]");
  REQUIRE(t.grid);
  CHECK(t.grid->wraps == std::vector<bool>{false, false, true});  // a ring of two is none
  std::vector<NodeIndex> switches;
  for (NodeIndex n = 0; n < t.nodes.size(); ++n)
    if (t.nodes[n].kind == NodeKind::switch_) switches.push_back(n);
  REQUIRE(switches.size() == 24);
  const Counts stride{1, 4, 8}, cables{1, 2, 3};
  std::size_t wanted = 0;
  for (std::uint32_t n = 0; n < 24; ++n)
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint32_t k = t.grid->size[d], x = n / stride[d] % k;
      if (x + 1 == k && !t.grid->wraps[d]) continue;
      const NodeIndex a = switches[n], b = switches[n - x * stride[d] + (x + 1) % k * stride[d]];
      wanted += cables[d];
      CHECK(std::ranges::count(t.nodes[a].ports, b, &Port::peer_node) == cables[d]);
    }
  CHECK(trunk_cables(t) == wanted);
}

TEST_CASE("ports of a torus: machines, then up and down of each dimension", "[fast][torus]") {
  const Topology t = built("size: [3, 4], hosts_per_switch: 2, parallel: [2, 1]");
  CHECK(peer_of(t, "sw1-0", 2) == "host0003 mlx5_0[1]");
  CHECK(peer_of(t, "sw1-0", 3) == "sw2-0[5]");  // up along x, first cable: its way down
  CHECK(peer_of(t, "sw1-0", 4) == "sw2-0[6]");
  CHECK(peer_of(t, "sw1-0", 5) == "sw0-0[3]");
  CHECK(peer_of(t, "sw2-0", 3) == "sw0-0[5]");  // round
  CHECK(peer_of(t, "sw1-0", 7) == "sw1-1[8]");
  CHECK(peer_of(t, "sw1-0", 8) == "sw1-3[7]");
  CHECK(peer_of(t, "sw1-0", 9) == "free");

  const Topology edge = built("size: [3, 2], wrap: no");
  CHECK(peer_of(edge, "sw0-0", 2) == "sw1-0[3]");
  CHECK(peer_of(edge, "sw0-0", 3) == "free");  // the edge keeps its port
  CHECK(peer_of(edge, "sw2-0", 2) == "free");
  CHECK(peer_of(edge, "sw0-0", 4) == "sw0-1[4]");  // two switches have one way

  const Topology pair = built("size: [2], parallel: 2");
  CHECK(trunk_cables(pair) == 2);
  CHECK(peer_of(pair, "sw0", 3) == "sw1[3]");
  CHECK(t.nodes[t.find("sw0-0")].ports.size() == 64);
  CHECK_FALSE(built("size: [12, 3]").find("sw03-2") == kNone);  // digits as the dimension needs
}

TEST_CASE("cables of a torus, and its planes", "[fast][torus]") {
  const Topology t = built(
      "size: [3, 3], switch: hdr, host_link: {speed: 2xHDR}, switch_link: {cable: optics, length: 5 m}");
  CHECK(speed_text(link_of(t, "sw0-0", 1)) == "2xHDR");
  CHECK(speed_text(link_of(t, "sw0-0", 2)) == "4xHDR");
  CHECK(link_of(t, "sw0-0", 2).cable == "optics");
  CHECK(link_of(t, "sw0-0", 2).length == Length{5'000'000});

  const Topology planes = built("size: [3, 3], rails: 2, hosts: 7");
  CHECK(planes.hosts.size() == 7);
  CHECK(planes.endpoints().size() == 14);
  CHECK(planes.count(NodeKind::switch_) == 18);
  CHECK(peer_of(planes, "plane1-sw0-2", 1) == "host0006 mlx5_1[1]");
  CHECK(peer_of(planes, "plane1-sw1-2", 1) == "free");
  CHECK(peer_of(planes, "plane1-sw0-2", 2) == "plane1-sw1-2[3]");
  CHECK(planes.planes == 2);
  CHECK(planes.grid == built("size: [3, 3]").grid);  // of each
}

TEST_CASE("tori that cannot be are refused at their key", "[fast][torus]") {
  CHECK_THAT(refusal("size: []"), ContainsSubstring("size: give the switches along each"));
  CHECK_THAT(refusal("size: [1,1,1,1,1,1,1,1,1]"), ContainsSubstring("size: give the switches along each"));
  CHECK(refusal("size: [4, 0]") == "size[1]: a dimension has at least one switch");
  CHECK_THAT(refusal("size: [65536, 65536]"), ContainsSubstring("size[1]: 4294967296 switches are too"));
  CHECK_THAT(refusal("size: [4294967295]"), ContainsSubstring("size[0]: 4294967295 switches are too"));
  CHECK_THAT(refusal("size: [1000000], hosts_per_switch: 9"),
             ContainsSubstring("size: 9000000 ends are too"));
  CHECK_THAT(refusal("size: [2000000]"),
             ContainsSubstring("size: 2000000 switches of 64 ports are too many"));
  CHECK(refusal("size: [3, 3, 3], wrap: [yes, no]") ==
        "wrap: 2 values for 3 dimensions; give one for each, or one for all");
  CHECK_THAT(refusal("size: [3, 3], wrap: maybe"), ContainsSubstring("yes, no"));
  CHECK(refusal("size: [3], parallel: 0") == "parallel: neighbours are joined by 1 to 127 cables, not 0");
  CHECK(refusal("size: [3, 3, 3], parallel: 10, hosts_per_switch: 5") ==
        "hosts_per_switch: a switch needs 5 ports for machines and 60 for the network, and `qm9700` has 64");
  CHECK(refusal("size: [3], hosts: 4") == "hosts: 3 switches of 1 machines each hold 1 to 3, not 4");
  CHECK_THAT(refusal("size: [3], hosts_per_switch: 0"), ContainsSubstring("hosts_per_switch"));
  CHECK_THAT(refusal("size: [3], radix: 300"), ContainsSubstring("254"));
  CHECK_THAT(refusal("size: [3], switch_link: {speed: no}"),
             ContainsSubstring("switch_link.speed: `no` is no link speed"));
}
