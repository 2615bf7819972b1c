// The complete channel dependency graph of one virtual lane, on which nue searches: every pair of channels
// that meet in a switch is an edge, and each edge knows whether routes use it, may use it, or would close a
// circle with those that do.
//
// The edges in use never hold a circle, so whatever is routed over them is free of deadlock (Domke, Hoefler,
// Matsuoka: Routing on the Dependency Graph, HPDC 2016, section 4). What one search takes is tentative until
// it ends: then what its routes really use stays, and the rest is free again. A blocked edge stays blocked:
// edges in use only grow.
//
// Besides the channels between switches each switch has a source, a channel that nothing leads to: the
// search for the ways to an end starts there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/routing/nue/subnet.h"

namespace weft {

class NueDependencies {
 public:
  enum class State : std::uint8_t { blocked, unused, tentative, used };
  using Edge = std::size_t;

  explicit NueDependencies(const NueSubnet& subnet);  // which must outlive it

  std::uint32_t source(std::uint32_t sw) const { return subnet_.channels() + sw; }
  /// The switch a channel leads to.
  std::uint32_t head(std::uint32_t channel) const {
    return channel < subnet_.channels() ? subnet_.to[channel] : channel - subnet_.channels();
  }
  /// From a channel to one that leaves its head. The way back over the same cable is always blocked.
  Edge edge(std::uint32_t channel, std::uint32_t next) const {
    return first_edge_[channel] + next - subnet_.first[head(channel)];
  }
  State state(Edge edge) const { return states_[edge]; }
  bool in_use(Edge edge) const { return states_[edge] >= State::tentative; }

  /// For escape paths: the edge is used from the start. They must not hold a circle.
  void reserve(std::uint32_t channel, std::uint32_t next);

  /// Uses an edge, tentatively when it was unused.
  /// @returns false when it is blocked, as it is from now on when it would close a circle
  bool take(std::uint32_t channel, std::uint32_t next);
  /// A tentative edge is unused again; others stay as they are.
  void release(Edge edge) {
    if (states_[edge] == State::tentative) states_[edge] = State::unused;
  }
  /// The search for the ways to the ends on switch `home` has ended with `tree`.
  void settle(const NueTree& tree, std::uint32_t home);
  /// Did a search lose edges its ways use (NueShortcuts::as_opensm), such that with these the edges in use
  /// hold a circle? Asked last: what was lost is in use from now on.
  bool lost_close_circle();

 private:
  bool keeps_order(std::uint32_t channel, std::uint32_t next);
  bool find_later(std::uint32_t channel, std::uint32_t last);
  void find_earlier(std::uint32_t channel, std::uint32_t first_place);
  void reorder();

  const NueSubnet& subnet_;
  std::vector<std::size_t> first_edge_;                        // by channel, sources last
  std::vector<State> states_;                                  // by edge
  std::vector<Edge> taken_;                                    // by the search under way
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lost_;  // (channel, next) of edges
  // Channels between switches stand in an order in which every edge in use leads onwards (Pearce and Kelly: A
  // dynamic topological sort algorithm, JEA 11, 2006). Most edges agree with it, and cost no search.
  std::vector<std::uint32_t> place_;            // by channel
  std::vector<std::uint32_t> later_, earlier_;  // channels to move, found by the last search
  std::vector<std::uint32_t> seen_;             // by channel: the last search that came by
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> places_;
};

}  // namespace weft
