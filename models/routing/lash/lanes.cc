#include "models/routing/lash/lanes.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/routing/routes.h"

namespace weft {
namespace {

/// OpenSM looks no further once layers differ by less.
constexpr std::uint32_t kCloseEnough = 6;
/// Where OpenSM starts its search for the emptiest layer: with more ways than that in each, the emptiest so
/// far stays it.
constexpr std::uint32_t kMost = 9999;

}  // namespace

LashLanes::LashLanes(const LashWays& ways, unsigned available)
    : ways_(ways), lane_of_(std::size_t{ways.switches()} * ways.switches(), kNoLane) {
  layers_.emplace_back(ways.channels());
  fill_.push_back(0);
  for (std::uint32_t a = 0; a < ways.switches(); ++a)
    for (std::uint32_t b = a + 1; b < ways.switches(); ++b)
      if (ways.leads(a, b)) assign({a, b}, available);
  if (lanes() > 1) balance();
}

void LashLanes::set_lane(Pair pair, unsigned lane) {
  lane_of_[index(pair.a, pair.b)] = lane_of_[index(pair.b, pair.a)] = static_cast<std::uint8_t>(lane);
  fill_[lane] += 2;
}

bool LashLanes::add(Pair pair, AcyclicLayer& layer) {
  ways_.follow(pair.a, pair.b, path_);
  ways_.follow(pair.b, pair.a, back_path_);
  if (!layer.add(path_)) return false;
  if (layer.add(back_path_)) return true;
  layer.remove(path_);
  return false;
}

void LashLanes::assign(Pair pair, unsigned available) {
  for (unsigned lane = 0; lane < lanes(); ++lane)
    if (add(pair, layers_[lane])) return set_lane(pair, lane);
  if (lanes() == available)
    throw Refusal(
        "lash", fmt::format("it needs at least {} lanes, {} are there from start_vl on (max_vls, fabric.vls)",
                            available + 1, available));
  layers_.emplace_back(ways_.channels());
  fill_.push_back(0);
  add(pair, layers_.back());  // a pair alone makes no circle
  set_lane(pair, lanes() - 1);
}

void LashLanes::balance() {
  tried_.assign(lane_of_.size(), 0);
  tried_in_.resize(lanes());
  unsigned fullest = 0, emptiest = lanes() - 1;
  std::uint32_t trials = fill_[fullest];
  while (true) {
    // Here OpenSM would look for a pair for ever: moves do not count as trials there.
    if (fill_[fullest] == 2 * tried_in_[fullest].size()) return;
    const Pair pair = draw(fullest);
    if (add(pair, layers_[emptiest])) {
      layers_[fullest].remove(path_);
      layers_[fullest].remove(back_path_);
      fill_[fullest] -= 2;
      set_lane(pair, emptiest);
    } else {
      tried_[index(pair.a, pair.b)] = tried_[index(pair.b, pair.a)] = 1;
      tried_in_[fullest].push_back(pair);
      trials -= 2;
    }
    if (trials == 0 || fill_[fullest] < fill_[emptiest] + kCloseEnough) return;

    const unsigned was_fullest = fullest, was_emptiest = emptiest;
    const auto least = std::ranges::min_element(fill_);
    if (*least < kMost) emptiest = static_cast<unsigned>(least - fill_.begin());
    fullest = static_cast<unsigned>(std::ranges::max_element(fill_) - fill_.begin());
    if (emptiest != was_emptiest) forget_tried(fullest);
    if (fullest != was_fullest) forget_tried(was_fullest);
    if (emptiest != was_emptiest || fullest != was_fullest) trials = fill_[fullest];
  }
}

LashLanes::Pair LashLanes::draw(unsigned lane) {
  const std::uint32_t switches = ways_.switches();
  const auto next = [&](std::uint32_t n) { return n + 1 == switches ? 0 : n + 1; };
  Pair pair{};
  pair.a = random_.below(switches);
  pair.b = random_.below(switches);
  while (true) {
    for (std::uint32_t n = 0; n < switches; ++n, pair.b = next(pair.b)) {
      const std::size_t i = index(pair.a, pair.b);
      if (lane_of_[i] == lane && tried_[i] == 0) return pair;
    }
    pair.a = next(pair.a);
  }
}

void LashLanes::forget_tried(unsigned lane) {
  for (const Pair& pair : tried_in_[lane]) tried_[index(pair.a, pair.b)] = tried_[index(pair.b, pair.a)] = 0;
  tried_in_[lane].clear();
}

}  // namespace weft
