#include <algorithm>

#include "models/routing/nue/search.h"

namespace weft {

/// Finds a way to one switch that has none.
/// @returns the channel that leads to it, to go on searching from; kNone: no such switch can be reached
std::uint32_t NueSearch::backtrack() {
  for (std::uint32_t lost = 0; lost < subnet_.size(); ++lost) {
    if (found(lost)) continue;
    for (const Candidate& candidate : candidates(lost)) {
      if (!detour(candidate)) continue;
      const std::uint32_t into = subnet_.reverse[candidate.to_neighbour];
      const std::uint32_t neighbour = subnet_.from[into];
      reach_[into] = reach_[candidate.into_neighbour] + subnet_.weight[into];
      if (found(lost)) {
        remember(lost, into);
        continue;
      }
      tree_[lost] = into;
      distance_[lost] = reach_[into];
      tree_[neighbour] = candidate.into_neighbour;
      distance_[neighbour] = reach_[candidate.into_neighbour];
    }
    if (found(lost)) return tree_[lost];
  }
  return kNone;
}

/// Other channels into the neighbours of a switch without a way, nearest first.
std::vector<NueSearch::Candidate> NueSearch::candidates(std::uint32_t lost) const {
  std::vector<Candidate> all;
  for (const std::uint32_t channel : subnet_.leaving(lost)) {
    const std::uint32_t neighbour = subnet_.to[channel];
    if (!found(neighbour)) continue;
    for (const std::uint32_t into : others_[neighbour])
      if (can_enter_by(into, neighbour)) all.push_back({channel, into});
  }
  std::ranges::stable_sort(all, {}, [&](const Candidate& c) { return reach_[c.into_neighbour]; });
  return all;
}

/// Do all that go on from `sw` depend on `into` already, so that they can live with it?
bool NueSearch::can_enter_by(std::uint32_t into, std::uint32_t sw) const {
  return std::ranges::all_of(dependents(sw), [&](std::uint32_t onward) {
    return subnet_.to[onward] != subnet_.from[into] && dependencies_.in_use(dependencies_.edge(into, onward));
  });
}

/// Takes the edges by which the candidate leads to the switch without a way, all or none.
bool NueSearch::detour(const Candidate& candidate) {
  using State = NueDependencies::State;
  const std::uint32_t into = subnet_.reverse[candidate.to_neighbour];
  const std::uint32_t behind = subnet_.from[candidate.into_neighbour];
  if (dependencies_.state(dependencies_.edge(candidate.into_neighbour, into)) == State::blocked) return false;
  if (behind == home_ || tree_[behind] == kNone) return false;
  const std::uint32_t before = tree_[behind];
  if (subnet_.from[before] == subnet_.to[candidate.into_neighbour]) return false;  // back where it came from
  const NueDependencies::Edge first = dependencies_.edge(before, candidate.into_neighbour);
  const bool unused = dependencies_.state(first) == State::unused;
  if (!dependencies_.take(before, candidate.into_neighbour)) return false;
  if (dependencies_.take(candidate.into_neighbour, into)) return true;
  if (unused) dependencies_.release(first);
  return false;
}

}  // namespace weft
