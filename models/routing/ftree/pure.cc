// Whether a fabric is the pure fat tree that ftree asks for when no roots are given.
//
// The first switch of a rank sets the measure for the others, as in OpenSM: its number of port groups up and
// down, and the number of cables in the first of each. So cables of its own later groups, and those of any
// switch's later groups down, may differ without being noticed.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/routing/ftree/fabric.h"

namespace weft {
namespace {

/// Something that is counted on each switch of a rank.
class Count {
 public:
  void add(std::size_t number, std::string who) { who_[number].push_back(std::move(who)); }

  /// "leaf03 has 3, the other 7 have 4": the rare ones by name, three at most.
  std::string text() const {
    const auto usual = std::ranges::max_element(who_, {}, [](const auto& row) { return row.second.size(); });
    std::string text;
    std::size_t named = 0;
    for (const auto& [number, names] : who_) {
      if (number == usual->first) continue;
      for (const std::string& name : names)
        if (named++ < 3) text += fmt::format("{} has {}, ", name, number);
    }
    if (named > 3) text += fmt::format("{} more differ, ", named - 3);
    return text + fmt::format("the other {} {} {}", usual->second.size(),
                              usual->second.size() == 1 ? "has" : "have", usual->first);
  }

 private:
  std::map<std::size_t, std::vector<std::string>> who_;
};

class PureCheck {
 public:
  PureCheck(const Topology& topology, const FtreeFabric& fabric) : topology_(topology), fabric_(fabric) {}

  void run() {
    for (const FtreeFabric::Switch& sw : fabric_.switches) ranks_[sw.rank].push_back(&sw);
    for (const FtreeFabric::Switch& sw : fabric_.switches) compare(sw, *ranks_[sw.rank].front());
  }

 private:
  using Switches = std::vector<const FtreeFabric::Switch*>;

  void compare(const FtreeFabric::Switch& sw, const FtreeFabric::Switch& first) const {
    if (&sw == &first) return;
    const bool down_too = sw.rank != fabric_.leaf_rank;  // adapters may be missing on a leaf
    if (sw.up.size() != first.up.size())
      refuse(sw.rank, "switches above", number_of_groups(sw.rank, &FtreeFabric::Switch::up));
    if (down_too && sw.down.size() != first.down.size())
      refuse(sw.rank, "neighbours below", number_of_groups(sw.rank, &FtreeFabric::Switch::down));
    const auto other_cables = [&](std::uint32_t g) { return cables(g) != cables(first.up.front()); };
    if (std::ranges::any_of(sw.up, other_cables))
      refuse(sw.rank, "cables to a switch above", number_of_cables(sw.rank, &FtreeFabric::Switch::up));
    if (down_too && !sw.down.empty() && cables(sw.down.front()) != cables(first.down.front()))
      refuse(sw.rank, "cables to a neighbour below", number_of_cables(sw.rank, &FtreeFabric::Switch::down));
  }

  std::size_t cables(std::uint32_t g) const { return fabric_.groups[g].cables.size(); }
  std::string name(const FtreeFabric::Switch& sw) const { return topology_.display_name(sw.node); }

  Count number_of_groups(unsigned rank, std::vector<std::uint32_t> FtreeFabric::Switch::*side) const {
    Count count;
    for (const FtreeFabric::Switch* sw : ranks_.at(rank)) count.add((sw->*side).size(), name(*sw));
    return count;
  }

  Count number_of_cables(unsigned rank, std::vector<std::uint32_t> FtreeFabric::Switch::*side) const {
    Count count;
    for (const FtreeFabric::Switch* sw : ranks_.at(rank)) {
      for (const std::uint32_t g : sw->*side) {
        const std::uint32_t peer = fabric_.groups[g].peer;
        count.add(cables(g), peer == kNone
                                 ? fmt::format("{} to an adapter", name(*sw))
                                 : fmt::format("{} to {}", name(*sw), name(fabric_.switches[peer])));
      }
    }
    return count;
  }

  [[noreturn]] static void refuse(unsigned rank, std::string_view of, const Count& count) {
    throw Refusal("ftree",
                  fmt::format("the numbers of {} differ on rank {} (roots 0): {}. Without root_guids "
                              "the tree must be pure; a cable may be missing",
                              of, rank, count.text()));
  }

  const Topology& topology_;
  const FtreeFabric& fabric_;
  std::map<unsigned, Switches> ranks_;  // in OpenSM's order
};

}  // namespace

void check_pure_ftree(const Topology& topology, const FtreeFabric& fabric) {
  PureCheck(topology, fabric).run();
}

}  // namespace weft
