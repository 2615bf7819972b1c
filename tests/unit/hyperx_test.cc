// HyperX: counts, diameter and bisection of Ahn et al. (SC'09), and its special cases.
#include <fmt/format.h>

#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/topology_measures.h"

using namespace weft;
using namespace weft::test;
using Counts = std::vector<std::uint32_t>;

namespace {

Topology built(const std::string& keys) {
  Topology t = built_topology("{type: hyperx, " + keys + "}");
  CHECK(t.check().empty());
  return t;
}

std::string refusal(const std::string& keys) { return topology_refusal("{type: hyperx, " + keys + "}"); }

std::size_t cabled(const Node& node) {
  return node.ports.size() -
         static_cast<std::size_t>(std::ranges::count(node.ports, kNone, &Port::peer_node));
}

}  // namespace

TEST_CASE("a HyperX has the counts, diameter and bisection of its sizes", "[fast][hyperx]") {
  const auto [size, parallel, machines] =
      GENERATE(std::tuple{Counts{7}, Counts{1}, 3u}, std::tuple{Counts{4, 4}, Counts{1, 1}, 4u},
               std::tuple{Counts{6, 3}, Counts{2, 1}, 1u}, std::tuple{Counts{4, 3, 2}, Counts{1, 2, 3}, 2u},
               std::tuple{Counts{2, 2, 2, 2, 2, 2, 2, 2}, Counts(8, 1), 1u});
  const Topology t = built(fmt::format("size: [{}], parallel: [{}], hosts_per_switch: {}",
                                       fmt::join(size, ", "), fmt::join(parallel, ", "), machines));
  std::uint32_t switches = 1, ports = 0;
  for (const std::uint32_t s : size) switches *= s;
  for (std::size_t d = 0; d < size.size(); ++d) ports += parallel[d] * (size[d] - 1);
  CHECK(t.count(NodeKind::switch_) == switches);
  CHECK(t.hosts.size() == switches * machines);
  CHECK(trunk_cables(t) == switches * ports / 2);
  for (const Node& node : t.nodes)
    if (node.kind == NodeKind::switch_) CHECK(cabled(node) == machines + ports);
  CHECK(diameter(t) == size.size());
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < size.size(); stride *= size[d++]) {
    if (size[d] % 2 != 0) continue;
    const std::size_t cables = cut(t, [&, s = size[d]](std::uint32_t n) { return n / stride % s < s / 2; });
    CHECK(cables == switches * parallel[d] * size[d] / 4);
  }
}

TEST_CASE("ports of a HyperX: machines, then each line in order of coordinate", "[fast][hyperx]") {
  const Topology t = built("size: [3, 4], parallel: [2, 1], hosts_per_switch: 2");
  CHECK(peer_of(t, "sw1-2", 2) == "host0015 mlx5_0[1]");
  CHECK(peer_of(t, "sw1-2", 3) == "sw0-2[3]");  // the others of its line are 0 and 2
  CHECK(peer_of(t, "sw1-2", 4) == "sw0-2[4]");
  CHECK(peer_of(t, "sw1-2", 5) == "sw2-2[5]");
  CHECK(peer_of(t, "sw1-2", 7) == "sw1-0[8]");  // 0, 1 and 3 across; there it is the second of 1, 2, 3
  CHECK(peer_of(t, "sw1-2", 8) == "sw1-1[8]");
  CHECK(peer_of(t, "sw1-2", 9) == "sw1-3[9]");
  CHECK(peer_of(t, "sw1-2", 10) == "free");
}

TEST_CASE("a hypercube joins numbers that differ in one bit, a full mesh all", "[fast][hyperx]") {
  const Topology cube = built("size: [2, 2, 2, 2]");
  const NodeIndex first = 16;  // adapters come first
  for (std::uint32_t a = 0; a < 16; ++a)
    for (std::uint32_t bit = 0; bit < 4; ++bit)
      CHECK(cube.nodes[first + a].port(2 + bit).peer_node == first + (a ^ 1u << bit));
  const Topology mesh = built("size: [9], hosts_per_switch: 8");
  CHECK(trunk_cables(mesh) == 36);
  CHECK(diameter(mesh) == 1);
}

TEST_CASE("a HyperX of 10^5 machines", "[fast][hyperx]") {
  const Topology t = built_topology("{type: hyperx, size: [18, 18, 18], hosts_per_switch: 18, radix: 69}");
  CHECK(t.hosts.size() == 104'976);
  CHECK(trunk_cables(t) == 5'832 * 51 / 2);
}

TEST_CASE("a HyperX that cannot be is refused at its key", "[fast][hyperx]") {
  CHECK_THAT(refusal("size: []"), ContainsSubstring("size: give the switches along each"));
  CHECK(refusal("size: [60], hosts_per_switch: 6") ==
        "hosts_per_switch: a switch needs 6 ports for machines and 59 for the network, and `qm9700` has 64");
  CHECK(refusal("size: [3, 3], parallel: [1, 2, 3]") ==
        "parallel: 3 values for 2 dimensions; give one for each, or one for all");
  CHECK(refusal("size: [3, 3], parallel: 128") ==
        "parallel: two switches are joined by 1 to 127 cables, not 128");
}
