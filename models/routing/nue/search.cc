#include "models/routing/nue/search.h"

#include <algorithm>

namespace weft {

NueSearch::NueSearch(const NueSubnet& subnet, NueDependencies& dependencies, NueShortcuts shortcuts)
    : subnet_(subnet),
      dependencies_(dependencies),
      shortcuts_(shortcuts),
      heap_(subnet.channels()),
      reach_(subnet.channels() + subnet.size()) {}

std::optional<NueTree> NueSearch::run(std::uint32_t home) {
  start(home);
  for (std::uint32_t channel = dependencies_.source(home);;) {
    expand(channel);
    if (!heap_.empty()) {
      channel = heap_.pop();
      continue;
    }
    if (found_ == subnet_.size()) return leads_home() ? std::optional(tree_) : std::nullopt;
    channel = backtrack();
    if (channel == kNone) return std::nullopt;
    ++found_;
    ++backtracks_;
  }
}

void NueSearch::start(std::uint32_t home) {
  home_ = home;
  found_ = 1;
  backtracks_ = 0;
  tree_.assign(subnet_.size(), kNone);
  distance_.assign(subnet_.size(), kNueUnreached);
  found_after_.assign(subnet_.size(), kNone);
  others_.resize(subnet_.size());
  for (std::vector<std::uint32_t>& others : others_) others.clear();
  distance_[home] = 0;
  reach_[dependencies_.source(home)] = 0;
}

/// Looks at the edges in use first.
void NueSearch::expand(std::uint32_t channel) {
  for (const bool in_use : {true, false}) {
    for (const std::uint32_t next : subnet_.leaving(dependencies_.head(channel))) {
      const NueDependencies::Edge edge = dependencies_.edge(channel, next);
      if (in_use ? dependencies_.in_use(edge) : dependencies_.state(edge) == NueDependencies::State::unused)
        step(channel, next);
    }
  }
}

void NueSearch::step(std::uint32_t channel, std::uint32_t next) {
  const std::uint64_t farther = reach_[channel] + subnet_.weight[next];
  const std::uint32_t to = subnet_.to[next];
  if (farther >= distance_[to]) {
    if (!dependencies_.in_use(dependencies_.edge(channel, next))) return;
    if (backtracks_ > 0 && tree_[to] != kNone) return;
    reach_[next] = farther;
    remember(to, next);
    return;
  }
  if (!dependencies_.take(channel, next)) return;
  if (backtracks_ > 0 && tree_[to] != kNone && found_after_[to] != backtracks_) {
    if (!can_shorten(to, next)) return;
  } else {
    if (tree_[to] != kNone) {
      heap_.erase(tree_[to]);
      free_way_to(to);
    } else {
      ++found_;
      found_after_[to] = backtracks_;
    }
    reach_[next] = farther;
    heap_.insert(next, farther);
  }
  distance_[to] = farther;
  tree_[to] = next;
}

/// The edge by which the tree enters `sw` now is not needed any more.
void NueSearch::free_way_to(std::uint32_t sw) {
  const std::uint32_t before = tree_[subnet_.from[tree_[sw]]];
  if (before != kNone) dependencies_.release(dependencies_.edge(before, tree_[sw]));
}

/// Switch `sw`, found before the last backtracking, would be nearer by `into`: can all that depend on it
/// follow?
bool NueSearch::can_shorten(std::uint32_t sw, std::uint32_t into) {
  const std::vector<std::uint32_t> onward = dependents(sw);
  std::vector<NueDependencies::Edge> taken;
  for (const std::uint32_t next : onward) {
    const NueDependencies::Edge edge = dependencies_.edge(into, next);
    const bool unused = dependencies_.state(edge) == NueDependencies::State::unused;
    if (!dependencies_.take(into, next)) {
      for (const NueDependencies::Edge undone : taken) dependencies_.release(undone);
      return false;
    }
    if (unused) taken.push_back(edge);
  }
  free_way_to(sw);
  const std::uint32_t freed = shortcuts_ == NueShortcuts::as_opensm ? into : tree_[sw];
  for (const std::uint32_t next : onward) dependencies_.release(dependencies_.edge(freed, next));
  return true;
}

/// Dependencies that OpenSM's shortcuts free unseen might lead in a circle; its own search would hang then.
bool NueSearch::leads_home() const {
  if (backtracks_ == 0) return true;
  std::vector<bool> leads(subnet_.size());
  leads[home_] = true;
  std::vector<std::uint32_t> way;
  for (std::uint32_t sw = 0; sw < subnet_.size(); ++sw) {
    way.clear();
    for (std::uint32_t at = sw; !leads[at]; at = subnet_.from[tree_[at]]) {
      if (way.size() == subnet_.size()) return false;
      way.push_back(at);
    }
    for (const std::uint32_t at : way) leads[at] = true;
  }
  return true;
}

std::vector<std::uint32_t> NueSearch::dependents(std::uint32_t sw) const {
  std::vector<std::uint32_t> onward;
  for (const std::uint32_t channel : subnet_.leaving(sw)) {
    const std::uint32_t into = tree_[subnet_.to[channel]];
    if (into != kNone && subnet_.from[into] == sw) onward.push_back(into);
  }
  return onward;
}

void NueSearch::remember(std::uint32_t sw, std::uint32_t into) {
  std::vector<std::uint32_t>& others = others_[sw];
  if (std::ranges::find(others, into) == others.end()) others.push_back(into);
}

}  // namespace weft
