// The indices of a fat tree's switches, and the order of port groups and leaves that follows from them.
#include <algorithm>

#include <fmt/format.h>

#include "models/routing/ftree/fabric.h"

namespace weft {
namespace {

constexpr std::uint8_t kNoDigit = 0xff;
constexpr FtreeIndex no_index() {
  FtreeIndex index{};
  for (std::uint8_t& digit : index) digit = kNoDigit;
  return index;
}
constexpr FtreeIndex kNoIndex = no_index();

/// Walks the tree breadth first from the first leaf. A switch met from below or above takes the index of the
/// one it is met from, with the rank and the digit of that step changed: the lowest digit that is free.
class Indexing {
 public:
  Indexing(const Topology& topology, FtreeFabric& fabric) : topology_(topology), fabric_(fabric) {}

  void run() {
    for (FtreeFabric::Switch& sw : fabric_.switches) sw.index = kNoIndex;
    const auto first = std::ranges::find_if(fabric_.switches, &FtreeFabric::Switch::leaf);
    FtreeIndex index = kNoIndex;
    index[0] = static_cast<std::uint8_t>(first->rank);
    std::fill_n(index.begin() + 1, first->rank, std::uint8_t{0});
    give(static_cast<std::uint32_t>(first - fabric_.switches.begin()), index);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      FtreeFabric::Switch& sw = fabric_.switches[queue_[next]];
      if (sw.rank < fabric_.leaf_rank) meet(sw, sw.down, sw.rank + 1, sw.rank + 1);
      if (sw.rank > 0) meet(sw, sw.up, sw.rank - 1, sw.rank);
    }
  }

 private:
  void give(std::uint32_t s, const FtreeIndex& index) {
    fabric_.switches[s].index = index;
    taken_.insert(index);
    queue_.push_back(s);
  }

  void meet(const FtreeFabric::Switch& from, std::vector<std::uint32_t>& side, unsigned rank,
            unsigned digit) {
    for (const std::uint32_t g : side) {
      const std::uint32_t peer = fabric_.groups[g].peer;
      if (peer == kNone || fabric_.switches[peer].index != kNoIndex) continue;
      FtreeIndex index = from.index;
      index[0] = static_cast<std::uint8_t>(rank);
      for (index[digit] = 0; taken_.contains(index); ++index[digit]) {
        if (index[digit] < kNoDigit - 1) continue;
        throw Refusal(
            "ftree", fmt::format("more than {} switches of rank {} are alike to it, up to {}", kNoDigit, rank,
                                 topology_.display_name(fabric_.switches[peer].node)));
      }
      give(peer, index);
    }
    std::ranges::stable_sort(side, {}, [&](std::uint32_t g) { return order_of(g); });
  }

  /// Adapters come after switches, which come in the order of their indices.
  std::pair<bool, FtreeIndex> order_of(std::uint32_t g) const {
    const std::uint32_t peer = fabric_.groups[g].peer;
    return peer == kNone ? std::pair(true, kNoIndex) : std::pair(false, fabric_.switches[peer].index);
  }

  const Topology& topology_;
  FtreeFabric& fabric_;
  std::set<FtreeIndex> taken_;
  std::vector<std::uint32_t> queue_;
};

}  // namespace

void index_ftree(const Topology& topology, FtreeFabric& fabric) {
  Indexing(topology, fabric).run();

  std::vector<FtreeIndex> indices;
  for (const FtreeFabric::Switch& sw : fabric.switches) indices.push_back(sw.index);
  std::ranges::sort(indices);
  for (FtreeFabric::Group& group : fabric.groups) {
    if (group.peer == kNone) {
      group.place = kNone;
      continue;
    }
    const auto place = std::ranges::lower_bound(indices, fabric.switches[group.peer].index);
    group.place = static_cast<std::uint32_t>(place - indices.begin());
  }

  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s)
    if (fabric.switches[s].rank == fabric.leaf_rank) fabric.leaves.push_back(s);
  const auto is_leaf = [&](std::uint32_t s) { return fabric.switches[s].leaf; };
  std::ranges::stable_sort(fabric.leaves, {}, [&](std::uint32_t s) { return fabric.switches[s].index; });
  const auto last = std::find_if(fabric.leaves.rbegin(), fabric.leaves.rend(), is_leaf);
  fabric.leaves.erase(last.base(), fabric.leaves.end());
  fabric.leaves.erase(fabric.leaves.begin(), std::ranges::find_if(fabric.leaves, is_leaf));
  if (fabric.leaves.size() < 2) {
    throw Refusal("ftree", fmt::format("all compute nodes hang on one switch, {}; a tree needs them on two",
                                       topology.display_name(fabric.switches[fabric.leaves.front()].node)));
  }
}

}  // namespace weft
