#include "models/routing/up_down.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {
namespace {

/// to[i] = min(to[i], from[i] + 1), kUnreached staying what it is.
void shorten(std::span<std::uint8_t> to, std::span<const std::uint8_t> from) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto step = static_cast<std::uint8_t>(from[i] + (from[i] != UpDownWays::kUnreached));
    to[i] = std::min(to[i], step);
  }
}

}  // namespace

UpDownWays::UpDownWays(const Topology& topology, const SwitchGraph& graph, std::vector<NodeIndex> leaves)
    : topology_(topology), graph_(graph), leaves_(std::move(leaves)) {
  const auto level = [&](NodeIndex node) { return topology.nodes[node].level; };
  std::vector<NodeIndex> upwards = graph.switches();
  row_of_.resize(topology.nodes.size());
  for (std::size_t i = 0; i < upwards.size(); ++i) {
    if (level(upwards[i]) < 0)
      throw Refusal("dmodk", fmt::format("it needs to know each switch's level in the tree; {} has none",
                                         topology.display_name(upwards[i])));
    row_of_[upwards[i]] = i * leaves_.size();
  }
  steps_.assign(upwards.size() * leaves_.size(), kUnreached);
  const auto row = [this](NodeIndex node) {
    return std::span(steps_).subspan(row_of_[node], leaves_.size());
  };
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) row(leaves_[leaf])[leaf] = 0;
  std::ranges::stable_sort(upwards, {}, level);
  // From below: who has the leaf beneath it. Then from above: the others, over the nearest of their parents.
  for (const NodeIndex node : upwards)
    for (const SwitchLink& link : graph.links(node))
      if (level(link.peer) < level(node)) shorten(row(node), row(link.peer));
  std::vector<std::uint8_t> over_parents(leaves_.size());
  for (auto node = upwards.rbegin(); node != upwards.rend(); ++node) {
    std::ranges::fill(over_parents, kUnreached);
    for (const SwitchLink& link : graph.links(*node))
      if (level(link.peer) > level(*node)) shorten(over_parents, row(link.peer));
    const std::span<std::uint8_t> own = row(*node);
    for (std::size_t leaf = 0; leaf < own.size(); ++leaf)
      if (own[leaf] == kUnreached) own[leaf] = over_parents[leaf];
  }
}

void UpDownWays::look_from(NodeIndex node) {
  const std::int8_t level = topology_.nodes[node].level;
  down_.links.clear();
  up_.links.clear();
  for (const SwitchLink& link : graph_.links(node)) {
    const std::int8_t other = topology_.nodes[link.peer].level;
    if (other != level) (other < level ? down_ : up_).links.push_back(link);
  }
  count_nearer(node, down_);
  count_nearer(node, up_);
}

void UpDownWays::count_nearer(NodeIndex node, Side& side) const {
  std::ranges::sort(side.links, {}, [](const SwitchLink& link) { return std::tuple(link.peer, link.port); });
  side.chosen.clear();
  side.nearer.assign(leaves_.size(), 0);
  const std::uint8_t* own = steps_.data() + row_of_[node];
  for (const SwitchLink& link : side.links) {
    const std::uint8_t* there = steps_.data() + row_of_[link.peer];
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
      side.nearer[leaf] = static_cast<std::uint8_t>(
          side.nearer[leaf] + (static_cast<std::uint8_t>(there[leaf] + 1) == own[leaf]));
  }
}

const Fan& UpDownWays::fan(NodeIndex node, std::size_t leaf, Side& side) const {
  const auto fits = [&](std::uint32_t place) { return nearer(node, side.links[place].peer, leaf); };
  if (side.chosen.size() == side.nearer[leaf] &&
      (side.chosen.size() == side.links.size() || std::ranges::all_of(side.chosen, fits)))
    return side.fan;
  side.chosen.clear();
  side.fan.clear();
  for (std::uint32_t place = 0; place < side.links.size(); ++place) {
    if (!fits(place)) continue;
    if (side.chosen.empty() || side.links[side.chosen.back()].peer != side.links[place].peer)
      side.fan.emplace_back();
    side.fan.back().push_back(side.links[place].port);
    side.chosen.push_back(place);
  }
  return side.fan;
}

}  // namespace weft
