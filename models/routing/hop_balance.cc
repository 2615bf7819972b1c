#include "models/routing/hop_balance.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "models/routing/glibc_random.h"
#include "models/routing/opensm_order.h"

namespace weft {
namespace {

constexpr std::uint32_t kNothingYet = std::numeric_limits<std::uint32_t>::max();

/// The least used of a switch's ports, the first of the list before others, for one adapter LID after
/// another: what searching all ports each time would find, as each choice adds a path to its port.
class LeastUsed {
 public:
  LeastUsed(const std::vector<std::uint8_t>& ports, const std::vector<std::uint32_t>& paths)
      : ports_(ports), paths_(paths) {
    for (const std::uint8_t port : ports) fewest_ = std::min(fewest_, paths[port]);
  }

  std::uint8_t next() {
    while (true) {
      for (; at_ < ports_.size(); ++at_)
        if (paths_[ports_[at_]] == fewest_) return ports_[at_++];
      at_ = 0;
      ++fewest_;
    }
  }

 private:
  const std::vector<std::uint8_t>& ports_;
  const std::vector<std::uint32_t>& paths_;
  std::uint32_t fewest_ = kNothingYet;
  std::size_t at_ = 0;
};

/// One switch's table as it grows, and the paths it has counted.
class SwitchTable {
 public:
  SwitchTable(const Topology& topology, NodeIndex node, Lid last, const BalanceRules& rules,
              std::optional<GlibcRandom>& scatter)
      : topology_(topology),
        node_(node),
        rules_(rules),
        scatter_(scatter),
        row_(blank_table(topology.nodes[node], last)),
        paths_(own_node().ports.size() + 1) {
    if (node >= rules.search_order.size() || rules.search_order[node].empty()) return;
    place_.resize(paths_.size());
    for (const std::uint8_t port : rules.search_order[node]) place_[port] = ++places_;
  }

  /// Enters LID number `offset` of each of the turn's owners. @param ways ports to their home, in port order
  void enter(const Turn& turn, std::uint32_t offset, const std::vector<std::uint8_t>& ways) {
    const bool here = turn.home == node_;
    if (!here && ways.empty()) return;
    const std::vector<std::uint8_t>& ports = here ? ways : searched(ways);
    const bool plain = offset == 0 && !scatter_ && !rules_.port_shifting;
    LeastUsed least_used(ports, paths_);
    for (const LidOwner& owner : turn.owners) {
      if (offset >= owner.lids) continue;
      const bool counts = owner.where.port != 0;
      const std::uint8_t port = here              ? owner.home_port
                                : plain && counts ? least_used.next()
                                                  : choose(ports, owner, offset);
      row_[owner.base + offset] = port;
      if (counts) ++paths_[port];
    }
  }

  const Lft& row() const { return row_; }

 private:
  struct Use {
    std::uint32_t tier;     // 0: new system, 1: new switch of a system in use, 2: a switch in use
    std::uint32_t earlier;  // LIDs of the owner over that switch; over that very cable for dor
  };

  const Node& own_node() const { return topology_.nodes[node_]; }
  const Node& neighbour(std::uint8_t port) const { return topology_.nodes[own_node().port(port).peer_node]; }
  unsigned place_of(std::uint8_t port) const { return place_.empty() ? port : place_[port]; }

  static bool same_system(const Node& a, const Node& b) {
    return &a == &b || (a.system_guid != 0 && a.system_guid == b.system_guid);
  }

  /// The ports a destination may get, in the order in which they are looked at.
  const std::vector<std::uint8_t>& searched(const std::vector<std::uint8_t>& ways) {
    if (place_.empty() && !rules_.one_neighbour) return ways;
    searched_ = ways;
    std::ranges::sort(searched_, {}, [&](std::uint8_t port) { return place_of(port); });
    if (rules_.one_neighbour) {
      const Node* only = &neighbour(searched_.front());
      std::erase_if(searched_, [&](std::uint8_t port) { return &neighbour(port) != only; });
    }
    return searched_;
  }

  /// One LID's port. @param ports not empty
  std::uint8_t choose(const std::vector<std::uint8_t>& ports, const LidOwner& owner, std::uint32_t offset) {
    if (offset == 0 && scatter_) return drawn(ports);
    const std::size_t count = ports.size();
    const std::size_t start = (first_looked_at(ports, owner, offset) + shift(ports)) % count;
    std::uint8_t chosen = 0;
    auto best = std::tuple(kNothingYet, kNothingYet);  // (tier, paths)
    std::uint32_t least_earlier = kNothingYet;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t port = ports[(start + i) % count];
      const Use use = use_of(port, owner, offset);
      const auto rank = std::tuple(use.tier, paths_[port]);
      const bool fewer = rank < best;
      if (!fewer && !(rank == best && use.tier == 2 && use.earlier < least_earlier)) continue;
      best = rank;
      chosen = port;
      // As in OpenSM, a port with fewer paths does not raise the mark that breaks later ties.
      if (use.tier == 2) least_earlier = std::min(least_earlier, use.earlier);
    }
    return chosen;
  }

  /// OpenSM takes the number of the port before for its place in the search order.
  std::size_t first_looked_at(const std::vector<std::uint8_t>& ports, const LidOwner& owner,
                              std::uint32_t offset) const {
    if (offset == 0 || rules_.one_neighbour) return 0;
    const unsigned before = row_[owner.base + offset - 1];
    const auto behind =
        std::ranges::upper_bound(ports, before, {}, [&](auto port) { return place_of(port); });
    return static_cast<std::size_t>(behind - ports.begin());
  }

  std::size_t shift(const std::vector<std::uint8_t>& ports) const {
    if (!rules_.port_shifting) return 0;
    std::uint32_t all = 0;
    for (const std::uint8_t port : ports) all += paths_[port];
    return all / ports.size() % ports.size();
  }

  std::uint8_t drawn(const std::vector<std::uint8_t>& ports) {
    std::uint32_t fewest = kNothingYet;
    for (const std::uint8_t port : ports) fewest = std::min(fewest, paths_[port]);
    const auto least_used = [&](std::uint8_t port) { return paths_[port] == fewest; };
    const auto among = static_cast<std::uint32_t>(std::ranges::count_if(ports, least_used));
    std::uint32_t left = scatter_->next() % among;
    return *std::ranges::find_if(ports, [&](std::uint8_t port) { return least_used(port) && left-- == 0; });
  }

  Use use_of(std::uint8_t port, const LidOwner& owner, std::uint32_t offset) const {
    // LIDs of a switch are not counted, so they never meet a neighbour in use.
    if (owner.where.port == 0) return {0, 0};
    if (rules_.one_neighbour && rules_.port_shifting) return {0, 0};  // OpenSM forgets the earlier LIDs then
    Use use{rules_.one_neighbour ? 2u : 0u, 0};
    for (std::uint32_t earlier = 0; earlier < offset; ++earlier) {
      const std::uint8_t taken = row_[owner.base + earlier];
      if (taken == kNoPort || taken == 0) continue;
      if (rules_.one_neighbour) {
        if (taken == port) ++use.earlier;
        continue;
      }
      if (same_system(neighbour(taken), neighbour(port))) use.tier = std::max(use.tier, 1u);
      if (&neighbour(taken) == &neighbour(port)) {
        use.tier = 2;
        ++use.earlier;
      }
    }
    return use;
  }

  const Topology& topology_;
  const NodeIndex node_;
  const BalanceRules& rules_;
  std::optional<GlibcRandom>& scatter_;
  Lft row_;
  std::vector<std::uint32_t> paths_;  // by port
  std::vector<std::uint8_t> place_;   // by port: its place in the search order, from 1; empty: its number
  std::uint8_t places_ = 0;
  std::vector<std::uint8_t> searched_;
};

/// OpenSM's turns, those of `first` before all others, each alone.
std::vector<Turn> turns_of(const Topology& topology, const SwitchGraph& graph,
                           const std::vector<PortRef>& first) {
  std::vector<Turn> turns, others = opensm_turns(topology, graph);
  std::map<std::pair<NodeIndex, std::uint8_t>, std::size_t> turn_of;
  if (!first.empty()) {
    for (std::size_t i = 0; i < others.size(); ++i)
      for (const LidOwner& owner : others[i].owners) turn_of[{owner.where.node, owner.where.port}] = i;
  }
  for (const PortRef end : first) {
    const auto found = turn_of.find({end.node, end.port});
    if (found == turn_of.end()) continue;  // on no switch
    Turn& turn = others[found->second];
    const auto owner = std::ranges::find(turn.owners, end, &LidOwner::where);
    turns.push_back({turn.home, {*owner}});
    turn.owners.erase(owner);
  }
  std::erase_if(others, [](const Turn& turn) { return turn.owners.empty(); });
  std::ranges::move(others, std::back_inserter(turns));
  return turns;
}

}  // namespace

ForwardingTables balance_hops(const Topology& topology, const SwitchGraph& graph, HopPorts& ways,
                              const BalanceRules& rules) {
  ForwardingTables tables(topology);
  const std::vector<Turn> turns = turns_of(topology, graph, rules.first);
  std::uint32_t most_lids = 1;
  for (const Turn& turn : turns)
    for (const LidOwner& owner : turn.owners) most_lids = std::max(most_lids, owner.lids);
  std::optional<GlibcRandom> scatter;
  if (rules.scatter_ports != 0) scatter.emplace(rules.scatter_ports);
  for (const NodeIndex node : opensm_switches(topology, graph)) {  // a switch looks at its own counts alone
    ways.start_from(node);
    SwitchTable table(topology, node, tables.last_lid(), rules, scatter);
    for (std::uint32_t offset = 0; offset < most_lids; ++offset)
      for (const Turn& turn : turns) table.enter(turn, offset, ways.ports_to(turn.home));
    tables.set(node, table.row());
  }
  return tables;
}

}  // namespace weft
