// The search for the ways to one destination on the dependency graph: Dijkstra's algorithm over channels, on
// edges that close no circle.
//
// Where that leaves switches without a way, local backtracking tries to enter a neighbour of such a switch by
// another channel, one that all who already go through the neighbour can live with; what is found from there
// may turn out a shortcut for switches found before. When that fails as well, the caller takes escape paths.
//
// Source: Domke, Hoefler, Matsuoka, HPDC 2016, algorithm 1 and section 4.6; the order of all choices is
// OpenSM 3.3.23's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/routing/four_ary_heap.h"
#include "models/routing/nue/dependencies.h"
#include "models/routing/nue/subnet.h"

namespace weft {

/// When a switch takes a shortcut, those that depend on it depend on its new channel instead of its old one.
/// OpenSM 3.3.23 then frees the new dependencies where it means the old: what it routes later can close a
/// circle with them, unseen.
enum class NueShortcuts { as_opensm, sound };

class NueSearch {
 public:
  NueSearch(const NueSubnet& subnet, NueDependencies& dependencies,  // which must outlive it
            NueShortcuts shortcuts);

  /// Ways from every switch to the ends on switch `home`. The caller settles the dependencies.
  /// @returns nothing when the search came to an impasse
  std::optional<NueTree> run(std::uint32_t home);

 private:
  void start(std::uint32_t home);
  void expand(std::uint32_t channel);
  void step(std::uint32_t channel, std::uint32_t next);
  void free_way_to(std::uint32_t sw);
  bool can_shorten(std::uint32_t sw, std::uint32_t into);
  bool leads_home() const;

  // backtracking.cc
  struct Candidate {
    std::uint32_t to_neighbour;    // from the switch without a way
    std::uint32_t into_neighbour;  // by which the neighbour may be entered instead
  };
  std::uint32_t backtrack();
  std::vector<Candidate> candidates(std::uint32_t lost) const;
  bool can_enter_by(std::uint32_t into, std::uint32_t sw) const;
  bool detour(const Candidate& candidate);

  bool found(std::uint32_t sw) const { return distance_[sw] != kNueUnreached; }
  /// Channels by which switches found so far go on from `sw`.
  std::vector<std::uint32_t> dependents(std::uint32_t sw) const;
  void remember(std::uint32_t sw, std::uint32_t into);

  const NueSubnet& subnet_;
  NueDependencies& dependencies_;
  const NueShortcuts shortcuts_;
  FourAryHeap heap_;  // channels
  std::uint32_t home_ = kNone, found_ = 0;
  std::uint32_t backtracks_ = 0;
  std::vector<std::uint64_t> reach_;  // by channel: distance of its head when it is entered by it
  // By switch.
  NueTree tree_;
  std::vector<std::uint64_t> distance_;
  std::vector<std::uint32_t> found_after_;          // how many backtracks
  std::vector<std::vector<std::uint32_t>> others_;  // channels in use that lead to it, beside tree_'s
};

}  // namespace weft
