// Shortest ways from one switch to all others: which of its ports they begin with.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/hop_ports.h"
#include "models/routing/switch_graph.h"

namespace weft {

/// Every way is allowed. A switch costs one breadth-first search of the fabric, in memory of the order of the
/// switches.
class LeastHops final : public HopPorts {
 public:
  explicit LeastHops(const SwitchGraph& graph);  // which must outlive it

  void start_from(NodeIndex node) override;
  const std::vector<std::uint8_t>& ports_to(NodeIndex to) override;
  /// Cables on that way; SwitchGraph::kUnreached when there is none.
  std::uint32_t hops_to(NodeIndex to) const { return distance_[number_of_[to]]; }

 private:
  template <unsigned words>
  void search(std::uint32_t start);

  const SwitchGraph& graph_;
  // Switches are numbered as they stand in graph_.switches().
  std::vector<std::uint32_t> number_of_;           // by NodeIndex
  std::vector<std::uint32_t> first_, neighbours_;  // by number: the switches cabled to it, each once
  // From the switch in hand.
  std::vector<std::uint32_t> distance_, order_;  // by number; order_ is nearest first
  unsigned words_ = 1;                           // that a set of its ports takes, port p being bit p - 1
  std::vector<std::uint64_t> begins_;            // [number * words_]: ports that begin a shortest way there
  std::vector<std::uint64_t> shown_;             // what ports_ lists
  std::vector<std::uint8_t> ports_;
};

}  // namespace weft
