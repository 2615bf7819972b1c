// The ways that lash gives packets: one shortest way from each switch to each other.
//
// From every switch in turn a breadth-first tree is grown, over links in their order, and what it says of
// ways from a switch to those behind it holds where no earlier tree has spoken (OpenSM 3.3.23,
// osm_ucast_lash.c). All ways to one switch make a tree, so they fit in forwarding tables.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/switch_graph.h"

namespace weft {

/// From one switch to a neighbour. Switches are numbered in OpenSM's order of them.
struct LashLink {
  std::uint32_t peer = 0;
  std::vector<std::uint8_t> ports;  // its cables, as they are taken in turn
};
/// By switch, in the order in which lash tries them.
using LashLinks = std::vector<std::vector<LashLink>>;

/// The links as they come, by port.
/// @param merge_parallel cables between the same two switches are one link, else each is a link and only the
///        first carries traffic
LashLinks lash_links(const SwitchGraph& graph, const std::vector<NodeIndex>& switches, bool merge_parallel);

/// Memory and time grow with the square of the switches.
class LashWays {
 public:
  explicit LashWays(LashLinks links);

  std::uint32_t switches() const { return static_cast<std::uint32_t>(links_.size()); }
  /// False between switches that no cables join, and from a switch to itself.
  bool leads(std::uint32_t from, std::uint32_t to) const { return out(from, to) != kNoLink; }
  const LashLink& first_link(std::uint32_t from, std::uint32_t to) const {
    return links_[from][out(from, to)];
  }

  /// Directed links, each a channel numbered from 0: the links of the first switch, then of the second ...
  std::uint32_t channels() const { return first_channel_.back(); }
  /// Makes `path` the channels of a way that leads somewhere, in order.
  void follow(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& path) const;

 private:
  static constexpr std::uint8_t kNoLink = 255;  // a switch has at most 254 ports

  std::uint8_t out(std::uint32_t from, std::uint32_t to) const { return out_[from * links_.size() + to]; }
  void grow_from(std::uint32_t root);

  LashLinks links_;
  std::vector<std::uint32_t> first_channel_;   // by switch, one more at the end
  std::vector<std::uint8_t> out_;              // [from * switches + to] -> place in links_[from]
  std::vector<std::uint32_t> order_, parent_;  // of the tree in hand
  std::vector<std::uint8_t> parents_link_;     // by switch: place among its parent's links
};

}  // namespace weft
