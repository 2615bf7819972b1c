// Shortest ways from one switch to all others: which of its ports they begin with.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/routing/switch_graph.h"

namespace weft {

/// Answers for one switch after another; each costs one breadth-first search of the fabric, in memory of the
/// order of the switches.
class LeastHops {
 public:
  explicit LeastHops(const SwitchGraph& graph);  // which must outlive it

  /// The questions are about `node`, a switch, from now on.
  void start_from(NodeIndex node);
  /// Its ports that begin a shortest way to the switch `to`, in port order; empty when there is no way, and for
  /// the switch itself. Good until the next call.
  const std::vector<std::uint8_t>& ports_to(NodeIndex to);

 private:
  static constexpr unsigned kWords = 4;  // enough bits for 254 ports
  using Ports = std::array<std::uint64_t, kWords>;

  const SwitchGraph& graph_;
  // Switches are numbered as they stand in graph_.switches().
  std::vector<std::uint32_t> number_of_;           // by NodeIndex
  std::vector<std::uint32_t> first_, neighbours_;  // by number: the switches cabled to it, each once
  std::vector<std::uint32_t> distance_, order_;    // from the switch in hand; order_ is nearest first
  std::vector<Ports> begins_;                      // by number: its ports, as bits
  Ports shown_{};                                  // what ports_ lists
  std::vector<std::uint8_t> ports_;
};

}  // namespace weft
