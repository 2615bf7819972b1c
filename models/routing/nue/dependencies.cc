#include "models/routing/nue/dependencies.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace weft {

NueDependencies::NueDependencies(const NueSubnet& subnet)
    : subnet_(subnet), place_(subnet.channels()), seen_(subnet.channels()) {
  std::iota(place_.begin(), place_.end(), 0);
  std::size_t edges = 0;
  for (std::uint32_t channel = 0; channel < source(subnet.size()); ++channel) {
    first_edge_.push_back(edges);
    edges += subnet.leaving(head(channel)).size();
  }
  states_.assign(edges, State::unused);
  for (std::uint32_t channel = 0; channel < subnet.channels(); ++channel)
    states_[edge(channel, subnet.reverse[channel])] = State::blocked;
}

bool NueDependencies::take(std::uint32_t channel, std::uint32_t next) {
  const Edge wanted = edge(channel, next);
  if (in_use(wanted)) return true;
  if (states_[wanted] == State::blocked) return false;
  if (channel < subnet_.channels() && !keeps_order(channel, next)) {
    states_[wanted] = State::blocked;
    return false;
  }
  states_[wanted] = State::tentative;
  taken_.push_back(wanted);
  return true;
}

void NueDependencies::reserve(std::uint32_t channel, std::uint32_t next) {
  take(channel, next);
  states_[edge(channel, next)] = State::used;
}

/// Makes room in the order for an edge.
/// @returns false when there is none, as it would close a circle
bool NueDependencies::keeps_order(std::uint32_t channel, std::uint32_t next) {
  if (place_[channel] < place_[next]) return true;
  ++search_;
  if (!find_later(next, channel)) return false;
  find_earlier(channel, place_[next]);
  reorder();
  return true;
}

/// Channels that `channel` leads to, as far as the place of `last`.
/// @returns false when `last` is among them
bool NueDependencies::find_later(std::uint32_t channel, std::uint32_t last) {
  later_.assign(1, channel);
  seen_[channel] = search_;
  for (std::size_t i = 0; i < later_.size(); ++i) {
    const std::uint32_t at = later_[i];
    for (const std::uint32_t next : subnet_.leaving(subnet_.to[at])) {
      if (place_[next] > place_[last] || !in_use(edge(at, next))) continue;
      if (next == last) return false;
      if (std::exchange(seen_[next], search_) != search_) later_.push_back(next);
    }
  }
  return true;
}

/// Channels that lead to `channel`, as far back as `first_place`.
void NueDependencies::find_earlier(std::uint32_t channel, std::uint32_t first_place) {
  earlier_.assign(1, channel);
  seen_[channel] = search_;
  for (std::size_t i = 0; i < earlier_.size(); ++i) {
    const std::uint32_t at = earlier_[i];
    for (const std::uint32_t back : subnet_.leaving(subnet_.from[at])) {
      const std::uint32_t before = subnet_.reverse[back];
      if (place_[before] < first_place || !in_use(edge(before, at))) continue;
      if (std::exchange(seen_[before], search_) != search_) earlier_.push_back(before);
    }
  }
}

/// What is to be earlier takes the first of the places that all channels found have, in the order it had.
void NueDependencies::reorder() {
  const auto place = [&](std::uint32_t channel) { return place_[channel]; };
  std::ranges::sort(earlier_, {}, place);
  std::ranges::sort(later_, {}, place);
  earlier_.insert(earlier_.end(), later_.begin(), later_.end());
  places_.clear();
  std::ranges::transform(earlier_, std::back_inserter(places_), place);
  std::ranges::sort(places_);
  for (std::size_t i = 0; i < places_.size(); ++i) place_[earlier_[i]] = places_[i];
}

void NueDependencies::settle(const NueTree& tree, std::uint32_t home) {
  for (const std::uint32_t into : tree) {
    if (into == kNone) continue;
    const std::uint32_t at = subnet_.from[into];
    const std::uint32_t before = at == home ? source(home) : tree[at];
    const Edge used = edge(before, into);
    if (states_[used] == State::tentative) states_[used] = State::used;
    if (!in_use(used) && at != home) lost_.emplace_back(before, into);
  }
  for (const Edge taken : taken_) release(taken);
  taken_.clear();
}

bool NueDependencies::lost_close_circle() {
  return !std::ranges::all_of(lost_, [&](const auto& lost) { return take(lost.first, lost.second); });
}

}  // namespace weft
