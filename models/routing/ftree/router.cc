#include "models/routing/ftree/router.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft {
namespace {

constexpr Lid kStandIn = 0;                      // the destination that is not there
constexpr unsigned kUnreached = 0xffff;          // hops
constexpr unsigned kMaxHops = 254;               // OpenSM counts them in a byte, 255 being "no way"
constexpr std::uint64_t kMaxSteps = 50'000'000;  // of walks with reverse hops: seconds

using Groups = std::vector<std::uint32_t>;

class Router {
 public:
  Router(const Topology& topology, FtreeFabric fabric, Lid last_lid)
      : topology_(topology),
        fabric_(std::move(fabric)),
        up_changed_(fabric_.switches.size(), false),
        turn_(fabric_.switches.size(), 0),
        out_(fabric_.switches.size(), kNoPort),
        hops_(fabric_.switches.size(), kUnreached),
        table_((std::size_t{last_lid} + 1) * fabric_.switches.size(), kNoPort) {
    for (const FtreeFabric::Switch& sw : fabric_.switches) {
      const auto is_adapter = [&](std::uint32_t g) { return fabric_.groups[g].peer == kNone; };
      const auto adapters = std::ranges::count_if(sw.down, is_adapter);
      has_adapters_.push_back(adapters > 0);
      adapters_only_.push_back(sw.beside.empty() && adapters == std::ssize(sw.down));
    }
  }

  void route(const FtreeOptions& options) {
    to_compute_nodes();
    for (const FtreeFabric::AdapterPort& adapter : fabric_.adapters)
      if (!adapter.compute) to_adapter(adapter, adapter.io ? options.max_reverse_hops : 0);
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      const Lid lid = topology_.nodes[fabric_.switches[s].node].lid;
      if (lid == 0) continue;
      start(s, lid, 0, 0);
      go_up(s, kNone, false, 0, 0);
      finish();
    }
    if (options.connect_roots) connect_roots();
  }

  void store(ForwardingTables& lft) const {
    constexpr std::size_t kTogether = 64;  // switches: the table lies by LID, and is read in its order
    const std::size_t switches = fabric_.switches.size();
    for (std::size_t first = 0; first < switches; first += kTogether) {
      const std::size_t end = std::min(switches, first + kTogether);
      std::vector<Lft> rows(end - first, Lft(std::size_t{lft.last_lid()} + 1, kNoPort));
      for (Lid lid = 1; lid <= lft.last_lid(); ++lid)
        for (std::size_t s = first; s < end; ++s) rows[s - first][lid] = entry(s, lid);
      for (std::size_t s = first; s < end; ++s) lft.set(fabric_.switches[s].node, rows[s - first]);
    }
  }

 private:
  std::uint8_t entry(std::size_t s, Lid lid) const { return table_[lid * fabric_.switches.size() + s]; }

  void to_compute_nodes() {
    std::size_t most = 0;
    for (const Groups& compute : fabric_.compute_on) most = std::max(most, compute.size());
    for (std::size_t i = 0; i < fabric_.leaves.size(); ++i) {
      const Groups& compute = fabric_.compute_on[i];
      for (const std::uint32_t a : compute) to_adapter(fabric_.adapters[a], 0);
      for (std::size_t missing = compute.size(); missing < most; ++missing) {
        start(fabric_.leaves[i], kStandIn, kNoPort, 1);
        go_up(fabric_.leaves[i], kNone, true, 0, 1);
        finish();
      }
    }
  }

  void to_adapter(const FtreeFabric::AdapterPort& adapter, unsigned reverse_hops) {
    if (adapter.lid == 0) return;
    reversing_ = reverse_hops > 0;
    start(adapter.home, adapter.lid, adapter.home_port, 1);
    go_up(adapter.home, kNone, true, reverse_hops, 1);
    finish();
    reversing_ = false;
  }

  void start(std::uint32_t s, Lid lid, std::uint8_t port, unsigned hops) {
    lid_ = lid;
    out_[s] = port;
    hops_[s] = hops;
  }

  void finish() {
    if (lid_ != kStandIn) std::ranges::copy(out_, table_.begin() + std::ptrdiff_t(lid_ * out_.size()));
    std::ranges::fill(out_, kNoPort);
    std::ranges::fill(hops_, kUnreached);
  }

  /// `s` shall send to the destination by `port`, which is a way of `hops` switches and cables.
  void set_way(std::uint32_t s, std::uint8_t port, unsigned hops) {
    if (hops > kMaxHops) {
      throw Refusal("ftree", fmt::format("the way from {} would be longer than {} hops",
                                         topology_.display_name(fabric_.switches[s].node), kMaxHops));
    }
    out_[s] = port;
    hops_[s] = hops;
  }

  /// Whether a way of so many hops would be none or no shorter than the one `s` has.
  bool served(std::uint32_t s, unsigned hops) const { return out_[s] != kNoPort && hops >= hops_[s]; }

  void sort(Groups& groups, std::uint32_t FtreeFabric::Group::*routes) const {
    const auto order = [&](std::uint32_t g) {
      return std::pair(fabric_.groups[g].*routes, fabric_.groups[g].place);
    };
    if (!std::ranges::is_sorted(groups, {}, order)) std::ranges::stable_sort(groups, {}, order);
  }

  static FtreeFabric::Cable& least(FtreeFabric::Group& group, std::uint32_t FtreeFabric::Cable::*routes) {
    return *std::ranges::min_element(group.cables, {}, routes);
  }

  /// @param from  the switch the walk came from when it comes from below; else kNone
  /// @returns whether adapters are down there, which is when routes up to `s` are counted
  bool go_down(std::uint32_t s, std::uint32_t from, unsigned hops) {
    FtreeFabric::Switch& sw = fabric_.switches[s];
    if (sw.down.empty()) return false;
    if (adapters_only_[s]) return true;
    if (up_changed_[s]) sort(sw.down, &FtreeFabric::Group::up);
    up_changed_[s] = false;
    sort(sw.beside, &FtreeFabric::Group::up);
    bool adapters = has_adapters_[s];
    const std::size_t all = sw.down.size() + (lid_ == kStandIn ? 0 : sw.beside.size());
    for (std::size_t i = 0; i < all; ++i) {
      const std::uint32_t g = i < sw.down.size() ? sw.down[i] : sw.beside[i - sw.down.size()];
      FtreeFabric::Group& group = fabric_.groups[g];
      if (group.peer == kNone || group.peer == from || hops + 1 >= hops_[group.peer]) continue;
      FtreeFabric::Cable& cable = least(group, &FtreeFabric::Cable::up);
      set_way(group.peer, cable.there, hops + 1);
      if (!go_down(group.peer, kNone, hops + 1)) continue;
      adapters = true;
      ++cable.up;
      ++group.up;
      up_changed_[s] = true;
    }
    if (adapters) turn_[s] = (turn_[s] + 1) % sw.down.size();
    return adapters;
  }

  /// @param main     the routes count: this is the main way
  /// @param reverse  how often the walk may still turn down and up again
  bool go_up(std::uint32_t s, std::uint32_t from, bool main, unsigned reverse, unsigned hops) {
    if (reversing_ && (++steps_ > kMaxSteps || hops > kMaxHops)) {
      throw Refusal("ftree",
                    "max_reverse_hops makes the search for ways endless; take a smaller one, or fewer "
                    "io_guids");
    }
    FtreeFabric::Switch& sw = fabric_.switches[s];
    bool adapters = go_down(s, from, hops);
    if (sw.rank == 0) {
      if (reverse == 0 || sw.down.empty()) return adapters;
      turn_[s] = (turn_[s] + 1) % sw.down.size();
      const std::size_t first = turn_[s];
      for (std::size_t i = 0; i < sw.down.size(); ++i) {
        const std::uint32_t below = fabric_.groups[sw.down[(first + i) % sw.down.size()]].peer;
        if (below != kNone && go_up(below, s, main, reverse - 1, hops + 1)) adapters = true;
      }
      return adapters;
    }

    sort(sw.up, &FtreeFabric::Group::down);
    FtreeFabric::Group& main_group = fabric_.groups[sw.up.front()];
    if (main) {
      FtreeFabric::Cable& cable = least(main_group, &FtreeFabric::Cable::down);
      ++main_group.down;
      ++cable.down;
      if (!served(main_group.peer, hops + 1)) set_way(main_group.peer, cable.there, hops + 1);
      if (go_up(main_group.peer, s, true, reverse, hops + 1)) adapters = true;
    }
    for (std::size_t i = main ? 1 : 0; i < sw.up.size(); ++i) {
      FtreeFabric::Group& group = fabric_.groups[sw.up[i]];
      if (served(group.peer, hops + 1)) continue;
      set_way(group.peer, least(group, &FtreeFabric::Cable::down).there, hops + 1);
      if (go_up(group.peer, s, false, reverse, hops + 1)) adapters = true;
    }
    sort(sw.beside, &FtreeFabric::Group::down);
    for (std::size_t i = 0; i < sw.beside.size(); ++i) {
      FtreeFabric::Group& group = fabric_.groups[sw.beside[i]];
      if (served(group.peer, hops + 1)) continue;
      FtreeFabric::Cable& cable = least(group, &FtreeFabric::Cable::down);
      set_way(group.peer, cable.there, hops + 1);
      if (!go_up(group.peer, s, false, reverse, hops + 1)) continue;
      adapters = true;
      ++main_group.down;  // not the group beside, as in OpenSM
      ++cable.down;
    }
    if (reverse == 0 || sw.leaf) return adapters;
    for (std::size_t i = 0; i < sw.down.size(); ++i) {
      const std::uint32_t below = fabric_.groups[sw.down[i]].peer;
      if (below != kNone && go_up(below, s, true, reverse - 1, hops + 1)) adapters = true;
    }
    return adapters;
  }

  /// Up-down ways alone do not join all switches: what a switch above the leaves has no way to goes by way of
  /// the last leaf.
  void connect_roots() {
    const std::uint32_t leaf = fabric_.leaves.back();
    const Lid leaf_lid = topology_.nodes[fabric_.switches[leaf].node].lid;
    const std::size_t switches = fabric_.switches.size();
    for (std::size_t s = 0; s < switches; ++s) {
      if (fabric_.switches[s].rank >= fabric_.leaf_rank) continue;
      for (const FtreeFabric::Switch& to : fabric_.switches) {
        const Lid lid = topology_.nodes[to.node].lid;
        if (entry(s, lid) == kNoPort && entry(leaf, lid) != kNoPort)
          table_[lid * switches + s] = entry(s, leaf_lid);
      }
    }
  }

  const Topology& topology_;
  FtreeFabric fabric_;
  // By number of the switch.
  std::vector<bool> has_adapters_, adapters_only_;  // below it
  std::vector<bool> up_changed_;                    // routes up were counted since its groups were sorted
  std::vector<std::size_t> turn_;                   // where reverse hops begin, at a root
  // Towards the destination in hand.
  Lid lid_ = kStandIn;
  std::vector<std::uint8_t> out_;
  std::vector<unsigned> hops_;
  std::vector<std::uint8_t> table_;  // [lid * switches + number]: what out_ came to
  bool reversing_ = false;
  std::uint64_t steps_ = 0;  // of all walks that may turn
};

}  // namespace

void route_ftree(const Topology& topology, FtreeFabric fabric, const FtreeOptions& options,
                 ForwardingTables& lft) {
  Router router(topology, std::move(fabric), lft.last_lid());
  router.route(options);
  router.store(lft);
}

}  // namespace weft
