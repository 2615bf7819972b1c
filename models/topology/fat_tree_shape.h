// The arithmetic of a fat tree: how many switches of which ports, before any is built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/topology/fat_tree.h"

namespace weft {

/// Level 1 = leaf. Vectors are indexed by level - 1. "Subtree of level l": a leaf, a pod, a group of pods.
struct FatTreeShape {
  std::uint32_t machines_per_group = 0;  // machines that share a set of leaves
  std::uint32_t leaves_per_group = 1;    // rail_optimised: one for each rail
  std::uint32_t ends_per_leaf = 0;       // most end ports a leaf serves
  std::uint32_t leaves = 0;
  std::vector<std::uint32_t> down;      // down ports of a switch, by design: where its up ports begin
  std::vector<std::uint32_t> children;  // m: distinct children, at most
  std::vector<std::uint32_t> parents;   // w of the level below: distinct parents it has here; [0] = 1
  std::vector<std::uint32_t> parallel;  // p: cables to each child; [0] = 1
  std::vector<std::uint32_t> subtrees;  // how many subtrees of this level there are
  std::vector<std::uint32_t> width;     // switches of this level in one of its subtrees
  std::vector<std::string> warnings;

  std::uint32_t switches(std::size_t level_index) const { return subtrees[level_index] * width[level_index]; }
};

/// `speed_ratio` = rate of a host link over that of a leaf's uplink (1 where they are alike): the taper is of
/// bandwidth.
/// @throws BadValue (a key of `tree`) when the sizes do not fit
FatTreeShape fat_tree_shape(const FatTree& tree, std::uint32_t radix, Ratio speed_ratio);

}  // namespace weft
