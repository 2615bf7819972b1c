// Shortest up-then-down ways of a tree: from every switch to every leaf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/routing/switch_graph.h"

namespace weft {

/// The links of a switch that are one step nearer to a goal, by neighbour (in node order) and then by port.
using Fan = std::vector<std::vector<std::uint8_t>>;

class UpDownWays {
 public:
  /// @param leaves the goals, by position. `topology` and `graph` must outlive the ways.
  /// @throws BadValue when a switch has no level
  UpDownWays(const Topology& topology, const SwitchGraph& graph, std::vector<NodeIndex> leaves);

  const std::vector<NodeIndex>& leaves() const { return leaves_; }
  /// Steps of the shortest way from `node` up and then down to the leaf; kUnreached where there is none. A
  /// tree has at most 128 levels, so a way at most 254 steps.
  std::uint8_t steps(NodeIndex node, std::size_t leaf) const { return steps_[row_of_[node] + leaf]; }
  static constexpr std::uint8_t kUnreached = 255;

  /// Calls visit(leaf, fan, down) for each leaf but the switch itself that `node` has a way to, in order:
  /// `fan` is the links to take, down where any leads down, else up. It stays good and unchanged until one
  /// differs.
  template <class Visit>
  void for_each_fan(NodeIndex node, Visit visit);

 private:
  /// The links of the switch in hand towards one side, and the fan for the leaf looked at last.
  struct Side {
    std::vector<SwitchLink> links;      // by neighbour, then by port
    std::vector<std::uint8_t> nearer;   // by leaf: how many of them are one step nearer
    std::vector<std::uint32_t> chosen;  // places in `links` that make up `fan`
    Fan fan;
  };

  void look_from(NodeIndex node);
  void count_nearer(NodeIndex node, Side& side) const;
  const Fan& fan(NodeIndex node, std::size_t leaf, Side& side) const;
  bool nearer(NodeIndex node, NodeIndex peer, std::size_t leaf) const {
    return steps(peer, leaf) + 1 == steps(node, leaf);
  }

  const Topology& topology_;
  const SwitchGraph& graph_;
  std::vector<NodeIndex> leaves_;
  std::vector<std::size_t> row_of_;  // by NodeIndex: where its row of steps_ begins
  std::vector<std::uint8_t> steps_;
  Side down_, up_;
};

template <class Visit>
void UpDownWays::for_each_fan(NodeIndex node, Visit visit) {
  look_from(node);
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    if (leaves_[leaf] == node || steps(node, leaf) == kUnreached) continue;
    const bool down = down_.nearer[leaf] != 0;
    visit(leaf, fan(node, leaf, down ? down_ : up_), down);
  }
}

}  // namespace weft
