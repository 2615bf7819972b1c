#include "models/routing/lash/acyclic_layer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft {

AcyclicLayer::AcyclicLayer(std::uint32_t channels)
    : place_(channels), next_(channels), before_(channels), seen_(channels) {
  std::iota(place_.begin(), place_.end(), 0u);
}

bool AcyclicLayer::add(std::span<const std::uint32_t> path) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (depend(path[i - 1], path[i])) continue;
    remove(path.first(i));
    return false;
  }
  return true;
}

void AcyclicLayer::remove(std::span<const std::uint32_t> path) {
  for (std::size_t i = 1; i < path.size(); ++i) release(path[i - 1], path[i]);
}

bool AcyclicLayer::depend(std::uint32_t from, std::uint32_t to) {
  const auto known = std::ranges::find(next_[from], to, &Next::channel);
  if (known != next_[from].end()) {
    ++known->paths;
    return true;
  }
  if (place_[from] > place_[to] && !reorder(from, to)) return false;
  next_[from].push_back({to, 1});
  before_[to].push_back(from);
  return true;
}

void AcyclicLayer::release(std::uint32_t from, std::uint32_t to) {
  const auto known = std::ranges::find(next_[from], to, &Next::channel);
  if (--known->paths > 0) return;
  *known = next_[from].back();
  next_[from].pop_back();
  before_[to].erase(std::ranges::find(before_[to], from));
}

bool AcyclicLayer::reorder(std::uint32_t from, std::uint32_t to) {
  if (!search_ahead(to, from)) return false;
  search_back(from, to);
  // What leads to `from` comes first, then what follows from `to`, on the places they have together.
  std::ranges::sort(back_, {}, [&](std::uint32_t channel) { return place_[channel]; });
  std::ranges::sort(ahead_, {}, [&](std::uint32_t channel) { return place_[channel]; });
  back_.insert(back_.end(), ahead_.begin(), ahead_.end());
  places_.clear();
  for (const std::uint32_t channel : back_) places_.push_back(place_[channel]);
  std::ranges::sort(places_);
  for (std::size_t i = 0; i < back_.size(); ++i) place_[back_[i]] = places_[i];
  return true;
}

bool AcyclicLayer::search_ahead(std::uint32_t start, std::uint32_t limit) {
  ++searches_;
  ahead_.assign(1, start);
  seen_[start] = searches_;
  for (std::size_t i = 0; i < ahead_.size(); ++i) {
    for (const Next& next : next_[ahead_[i]]) {
      if (next.channel == limit) return false;
      if (place_[next.channel] > place_[limit]) continue;
      if (std::exchange(seen_[next.channel], searches_) != searches_) ahead_.push_back(next.channel);
    }
  }
  return true;
}

void AcyclicLayer::search_back(std::uint32_t start, std::uint32_t limit) {
  ++searches_;
  back_.assign(1, start);
  seen_[start] = searches_;
  for (std::size_t i = 0; i < back_.size(); ++i) {
    for (const std::uint32_t channel : before_[back_[i]]) {
      if (place_[channel] < place_[limit]) continue;
      if (std::exchange(seen_[channel], searches_) != searches_) back_.push_back(channel);
    }
  }
}

}  // namespace weft
