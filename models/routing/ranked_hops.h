// Shortest ways that may not take certain turns: what updn and dnup allow in a fabric whose switches have
// ranks.
//
// From each destination a breadth-first search walks away over the cables, each of which leads up, down or to
// a level; a step of kind `after` does not follow one of kind `before`. It is OpenSM 3.3.23's search
// (osm_ucast_updn, osm_ucast_dnup) step by step: a switch is entered again when a port of it gains a shorter
// way, and keeps the kind of the step by which it was last put in the queue. So which ports count as shortest
// depends on the order of ports, as in OpenSM, and is not always what a search of all ways would find.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/routing/hop_ports.h"
#include "models/routing/switch_graph.h"

namespace weft {

enum class Direction : std::uint8_t { up, down, level };

struct TurnRules {
  Direction start;          // of the search's first switch, as if entered by such a step
  Direction before, after;  // the turn that is forbidden
  unsigned penalty = 0;     // hops that the forbidden turn costs instead; 0: never
  /// Destinations to which every way is allowed; empty: none.
  std::vector<bool> free = {};  // by node
};

/// Ports of all switches at once: a byte for every eight ports for each pair of switches.
class RankedHops final : public HopPorts {
 public:
  /// @param direction of the step from one switch to a neighbour
  RankedHops(const Topology& topology, const SwitchGraph& graph,
             const std::function<Direction(NodeIndex from, NodeIndex to)>& direction, const TurnRules& rules);

  void start_from(NodeIndex node) override { from_ = number_of_[node]; }
  const std::vector<std::uint8_t>& ports_to(NodeIndex to) override;
  /// The longest of all ways found, as hops.
  unsigned most_hops() const { return most_hops_; }

 private:
  struct Step {
    std::uint32_t to;
    std::uint8_t port;  // of `to`, back to where the step began
    Direction direction;
  };
  void search(std::uint32_t destination, const TurnRules& rules, bool free);
  std::size_t word(std::uint32_t from, std::uint32_t to) const {
    return (std::size_t{from} * switches_ + to) * words_;
  }

  std::size_t switches_, words_ = 1;  // words_: of 64 ports each
  std::vector<std::uint32_t> number_of_;
  std::vector<std::uint32_t> first_;  // by switch, one more at the end: places in steps_
  std::vector<Step> steps_;
  std::vector<std::uint64_t> best_;  // [word(from, to)]: bit p - 1 for port p
  unsigned most_hops_ = 0;
  std::uint32_t from_ = 0;
  std::vector<std::uint8_t> ports_;
  // Of the search in hand, by switch.
  std::vector<std::uint8_t> hops_;  // [switch * 256 + port]; port 0: the least
  std::vector<Direction> entered_;
  std::vector<bool> waiting_;
  std::vector<std::uint32_t> queue_;
};

}  // namespace weft
