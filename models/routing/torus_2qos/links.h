// The cables between a fabric's switches while a torus is made of them: which are not yet part of it, and
// what squares those still form.
#pragma once

#include <span>
#include <vector>

#include "models/routing/torus_2qos/grid.h"

namespace weft {

class TorusLinks {
 public:
  /// Both must outlive it. @param group_ports most cables between two switches; more are left out
  TorusLinks(const Topology& topology, const SwitchGraph& graph, std::uint32_t group_ports);

  /// Makes the free cables between two neighbours part of the grid, in order of the lower one's ports.
  /// @param lower, upper their numbers  @return whether all found room in their groups
  bool join(TorusGrid& grid, unsigned dimension, std::uint32_t lower, std::uint32_t upper);

  // Searches over free cables, in order of ports; kNone when there is no such switch.
  /// The switch next to both `a` and `c`, other than `known`.
  NodeIndex corner(NodeIndex a, NodeIndex known, NodeIndex c) const;
  /// The neighbour of `base`, other than `behind`, that closes a square with each of its neighbours `sides`.
  NodeIndex perpendicular(NodeIndex base, std::span<const NodeIndex> sides, NodeIndex behind) const;
  /// The one neighbour `base` has left.
  NodeIndex only_neighbour(NodeIndex base) const;

  /// Cables between switches that are in no torus.
  std::size_t free_cables() const;

 private:
  bool free(NodeIndex node, const SwitchLink& link) const {
    return !taken_[topology_.nodes[node].port(link.port).cable];
  }

  const Topology& topology_;
  const SwitchGraph& graph_;
  std::uint32_t group_ports_;
  std::vector<bool> taken_;  // by cable
};

}  // namespace weft
