// A fat tree before it is cabled: the switches of each level and how machines meet them. Every generator of
// trees ends here.
//
// An extended generalised fat tree (XGFT, Öhring et al. 1995): a switch of level l has m_l children, each
// node below it w_l parents, and p_l cables join each such pair. Level 1 = leaf. On every switch down ports
// come first, child by child, then up ports, parent by parent; parallel cables are neighbours. A switch is
// numbered by its subtree of its level and its place among the switches of that level there; the j-th parent
// of the one at place i is at place i x w + j of the subtree above.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

/// How the rails (adapter ports) of a machine meet the leaves.
enum class RailLayout : std::uint8_t {
  shared_leaves,   // all rails of a machine on one leaf
  rail_optimised,  // rail r of a group of machines on the group's r-th leaf, one network above
  planes,          // a separate tree for each rail
};
std::span<const std::pair<std::string_view, RailLayout>> words_of(RailLayout);

/// "Subtree of level l": a leaf, a pod, a group of pods.
struct TreePlan {
  struct Level {
    std::string profile;
    std::uint32_t radix = 0;
    std::uint32_t down = 0;      // down ports of a switch, by design: where its up ports begin
    std::uint32_t children = 1;  // m: distinct children, at most
    std::uint32_t parents = 1;   // w of the level below: distinct parents it has here; of the leaves 1
    std::uint32_t parallel = 1;  // p: cables to each child; of the leaves 1
    std::uint32_t subtrees = 1;  // how many subtrees of this level there are
    std::uint32_t width = 1;     // switches of this level in one of its subtrees
    LinkSpec below;              // its cables down
    std::uint32_t switches() const { return subtrees * width; }
  };
  std::vector<Level> levels;
  std::uint32_t machines = 0;
  std::uint32_t rails = 1;
  RailLayout layout = RailLayout::shared_leaves;
  std::uint32_t machines_per_group = 0;  // machines that share a set of leaves
  std::uint32_t leaves_per_group = 1;    // rail_optimised: one for each rail
  std::vector<std::string> warnings;
};

/// Machines fill the leaves in order. Switches are leaf00, spine00, core00, supercore00, tier5-00 ..., behind
/// `plane0-` where there are planes.
Topology wire_tree(const TreePlan& plan);

}  // namespace weft
