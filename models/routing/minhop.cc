#include "models/routing/minhop.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "models/routing/least_hops.h"
#include "models/routing/opensm_order.h"
#include "models/routing/routing_engine_rows.h"
#include "models/routing/switch_graph.h"

namespace weft {
namespace {

constexpr std::uint32_t kNothingYet = std::numeric_limits<std::uint32_t>::max();

/// The least used of a switch's ports, the lowest number first, for one adapter LID after another: what
/// searching all ports each time would find, as each choice adds a path to its port.
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

/// One switch's choice for one LID among its least-hop ports.
class PortChoice {
 public:
  PortChoice(const Topology& topology, const Node& sw, const Lft& lft,
             const std::vector<std::uint32_t>& paths)
      : topology_(topology), switch_(sw), lft_(lft), paths_(paths) {}

  /// @param least_hop ports in number order, not empty  @param offset of the LID within its owner's
  std::uint8_t choose(const std::vector<std::uint8_t>& least_hop, const LidOwner& owner,
                      std::uint32_t offset) const {
    if (offset == 0) {
      return *std::ranges::min_element(least_hop, {}, [&](std::uint8_t port) { return paths_[port]; });
    }
    const std::size_t count = least_hop.size();
    const std::uint8_t before = lft_[owner.base + offset - 1];
    const auto start =
        static_cast<std::size_t>(std::ranges::upper_bound(least_hop, before) - least_hop.begin());
    std::uint8_t chosen = 0;
    auto best = std::tuple(kNothingYet, kNothingYet);  // (tier, paths)
    std::uint32_t least_used = kNothingYet;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t port = least_hop[(start + i) % count];
      const Use use = use_of(port, owner, offset);
      const auto rank = std::tuple(use.tier, paths_[port]);
      const bool fewer = rank < best;
      if (!fewer && !(rank == best && use.tier == 2 && use.by_switch < least_used)) continue;
      best = rank;
      chosen = port;
      // As in OpenSM, a port with fewer paths does not raise the mark that breaks later ties.
      if (use.tier == 2) least_used = std::min(least_used, use.by_switch);
    }
    return chosen;
  }

 private:
  struct Use {
    std::uint32_t tier;       // 0: new system, 1: new switch of a system in use, 2: a switch in use
    std::uint32_t by_switch;  // earlier LIDs of the owner over that switch
  };

  const Node& neighbour(std::uint8_t port) const { return topology_.nodes[switch_.port(port).peer_node]; }

  static bool same_system(const Node& a, const Node& b) {
    return &a == &b || (a.system_guid != 0 && a.system_guid == b.system_guid);
  }

  Use use_of(std::uint8_t port, const LidOwner& owner, std::uint32_t offset) const {
    // LIDs of a switch are not counted, so they never meet a neighbour in use.
    if (owner.where.port == 0) return {0, 0};
    Use use{0, 0};
    for (std::uint32_t earlier = 0; earlier < offset; ++earlier) {
      const std::uint8_t taken = lft_[owner.base + earlier];
      if (taken == kNoPort || taken == 0) continue;
      if (same_system(neighbour(taken), neighbour(port))) use.tier = std::max(use.tier, 1u);
      if (&neighbour(taken) == &neighbour(port)) {
        use.tier = 2;
        ++use.by_switch;
      }
    }
    return use;
  }

  const Topology& topology_;
  const Node& switch_;
  const Lft& lft_;
  const std::vector<std::uint32_t>& paths_;
};

class MinHop final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.any_fabric = true}; }
  Routes build(const Topology& topology, const RoutingContext&) const override {
    return minhop_routes(topology);
  }
};

}  // namespace

Routes minhop_routes(const Topology& topology) {
  Routes routes;
  routes.engine = "minhop";
  routes.lft = ForwardingTables(topology);
  const SwitchGraph graph(topology);
  const std::vector<Turn> turns = opensm_turns(topology, graph);
  std::uint32_t most_lids = 1;
  for (const Turn& turn : turns) {
    for (const LidOwner& owner : turn.owners) most_lids = std::max(most_lids, owner.lids);
  }
  LeastHops least_hops(graph);
  std::vector<std::uint32_t> paths;                // of the switch in hand, by port
  for (const NodeIndex node : graph.switches()) {  // a switch looks at its own counts alone
    const Node& sw = topology.nodes[node];
    least_hops.start_from(node);
    Lft row = blank_table(sw, routes.lft.last_lid());
    paths.assign(sw.ports.size() + 1, 0);
    const PortChoice choice(topology, sw, row, paths);
    for (std::uint32_t offset = 0; offset < most_lids; ++offset) {
      for (const Turn& turn : turns) {
        if (turn.owners.empty()) continue;
        const bool here = node == turn.home;
        const std::vector<std::uint8_t>& ports = least_hops.ports_to(turn.home);
        if (!here && ports.empty()) continue;
        LeastUsed least_used(ports, paths);
        for (const LidOwner& owner : turn.owners) {
          if (offset >= owner.lids) continue;
          const bool first_of_adapter = offset == 0 && owner.where.port != 0;
          const std::uint8_t port = here               ? owner.home_port
                                    : first_of_adapter ? least_used.next()
                                                       : choice.choose(ports, owner, offset);
          row[owner.base + offset] = port;
          if (owner.where.port != 0) ++paths[port];
        }
      }
    }
    routes.lft.set(node, row);
  }
  return routes;
}

std::unique_ptr<RoutingEngine> make_minhop() { return std::make_unique<MinHop>(); }

}  // namespace weft
