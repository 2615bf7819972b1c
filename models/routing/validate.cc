#include "models/routing/validate.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "models/routing/lft_column.h"
#include "models/routing/switch_graph.h"

namespace weft {
namespace {

constexpr std::size_t kKeptBroken = 20;

/// Switches are numbered as SwitchGraph lists them. Of the way to one destination each switch is looked at
/// once, and the flows that join at it are summed; nothing is kept of a pair.
class Checker {
 public:
  Checker(const Topology& topology, const Routes& routes)
      : topology_(topology),
        routes_(routes),
        graph_(topology),
        nodes_(graph_.switches()),
        ends_(topology.endpoints()),
        switches_(topology.nodes.size()),
        column_(routes.lft, nodes_) {
    number_switches();
    for (const Endpoint& end : ends_) {
      const std::uint32_t home = home_of(end);
      if (home == kNone) {
        ++off_switch_;
        continue;
      }
      Network& network = networks_[network_[home]];
      if (arriving_[home]++ == 0) network.leaves.push_back(home);
      ++network.ends;
      ++network.ends_by_rail[end.rail];
      ++on_switch_;
      ++on_switch_by_rail_[end.rail];
    }
  }

  RouteReport check() {
    for (const Endpoint& destination : ends_) {
      const Port& port_there = port(destination.where);
      const std::uint32_t lids = port_there.lid == 0 ? 1 : 1u << port_there.lmc;
      for (std::uint32_t bit = 0; bit < lids; ++bit)
        to(destination, port_there.lid == 0 ? 0 : port_there.lid + bit);
    }
    list_subscription();
    return std::move(report_);
  }

 private:
  /// Switches that cables join, and the endpoints on them.
  struct Network {
    std::vector<std::uint32_t> leaves;  // switches with endpoints
    std::uint64_t ends = 0;
    std::map<std::uint32_t, std::uint64_t> ends_by_rail;
  };

  const Port& port(PortRef where) const { return topology_.nodes[where.node].port(where.port); }
  /// Number of the switch an endpoint hangs on; kNone when it is cabled to something else.
  std::uint32_t home_of(const Endpoint& end) const { return switches_[port(end.where).peer_node]; }
  std::string name(NodeIndex node) const { return topology_.display_name(node); }
  std::string name(PortRef where) const { return topology_.display_name(where); }

  void number_switches() {
    std::ranges::fill(switches_, kNone);
    for (std::uint32_t s = 0; s < nodes_.size(); ++s) switches_[nodes_[s]] = s;
    for (const NodeIndex node : nodes_) {
      first_slot_.push_back(behind_.size());
      for (const Port& out : topology_.nodes[node].ports) {
        const bool cabled = out.peer_node != kNone;
        const bool onward = cabled && switches_[out.peer_node] != kNone;
        behind_.push_back(onward ? switches_[out.peer_node] : cabled ? kAdapter : kNone);
      }
    }
    first_slot_.push_back(behind_.size());
    flows_.assign(behind_.size(), 0);
    switches_on_way_.assign(nodes_.size(), kUnknown);
    arriving_.assign(nodes_.size(), 0);
    passing_.assign(nodes_.size(), 0);
    network_.assign(nodes_.size(), kNone);
    for (std::uint32_t s = 0; s < nodes_.size(); ++s) {
      if (network_[s] != kNone) continue;
      way_.assign(1, s);
      network_[s] = static_cast<std::uint32_t>(networks_.size());
      while (!way_.empty()) {
        const NodeIndex at = nodes_[way_.back()];
        way_.pop_back();
        for (const SwitchLink& link : graph_.links(at))
          if (std::exchange(network_[switches_[link.peer]], network_[s]) == kNone)
            way_.push_back(switches_[link.peer]);
      }
      networks_.emplace_back();
    }
  }

  /// True for ends that are not meant to meet: other rails, in networks apart.
  bool apart(const Endpoint& a, const Endpoint& b) const {
    const std::uint32_t home_a = home_of(a), home_b = home_of(b);
    return a.rail != b.rail && home_a != kNone && home_b != kNone && network_[home_a] != network_[home_b];
  }

  void to(const Endpoint& destination, Lid lid) {
    const std::uint32_t home = home_of(destination);
    bool any_broken = from_off_switch(destination, home == kNone);
    if (home != kNone) {
      const Network& network = networks_[network_[home]];
      const auto on_rail = [&](const std::map<std::uint32_t, std::uint64_t>& ends) {
        const auto found = ends.find(destination.rail);
        return found == ends.end() ? std::uint64_t{0} : found->second;
      };
      const std::uint64_t elsewhere = on_switch_ - network.ends;
      const std::uint64_t cut_off = on_rail(on_switch_by_rail_) - on_rail(network.ends_by_rail);
      report_.across_planes += elsewhere - cut_off;
      report_.pairs += cut_off;
      any_broken =
          from_network(network, home, port(destination.where).peer_port, lid) || cut_off != 0 || any_broken;
    } else {
      report_.pairs += on_switch_;
      any_broken = any_broken || on_switch_ != 0;
    }
    if (loops_ && !report_.loop) keep_loop(destination, lid);
    if (any_broken && report_.broken.size() < kKeptBroken) keep_broken(destination, lid);
  }

  /// Follows the tables from every leaf, each switch once, then sums the flows towards the destination, which
  /// hangs on port `home_port` of switch `home`.
  bool from_network(const Network& network, std::uint32_t home, std::uint8_t home_port, Lid lid) {
    column_.look_at(lid);
    for (const std::uint32_t leaf : network.leaves) settle(leaf, home, home_port);
    const std::uint64_t reached = report_.reached;
    // Longest way first, so that a switch is done when everything that joins at it has been added.
    for (std::size_t switches = by_length_.size(); switches-- > 0;) {
      std::uint64_t pairs = 0;
      for (const std::uint32_t s : by_length_[switches]) {
        switches_on_way_[s] = kUnknown;
        const std::uint64_t sources = arriving_[s] - (s == home ? 1u : 0u);
        const std::uint64_t flows = std::exchange(passing_[s], 0) + sources;
        pairs += sources;
        const std::size_t slot = slot_of(s, column_[s]);
        if (behind_[slot] == kAdapter) continue;
        flows_[slot] += flows;
        passing_[behind_[slot]] += flows;
      }
      by_length_[switches].clear();
      report_.reached += pairs;
      if (pairs != 0) report_.pairs_by_hops[static_cast<unsigned>(switches)] += pairs;
    }
    for (const std::uint32_t s : broken_) switches_on_way_[s] = kUnknown;
    broken_.clear();
    report_.pairs += network.ends - 1;
    return report_.reached - reached != network.ends - 1;
  }

  /// Endpoints cabled to another adapter reach that one alone.
  bool from_off_switch(const Endpoint& destination, bool off_switch) {
    const std::uint64_t sources = off_switch_ - (off_switch ? 1 : 0);
    report_.pairs += sources;
    const PortRef peer{port(destination.where).peer_node, port(destination.where).peer_port};
    const bool reached =
        off_switch && peer != destination.where && topology_.nodes[peer.node].kind == NodeKind::hca;
    if (reached) {
      ++report_.reached;
      ++report_.pairs_by_hops[0];
    }
    return sources > (reached ? 1u : 0u);
  }

  std::size_t slot_of(std::uint32_t s, std::uint8_t out) const { return first_slot_[s] + out - 1; }

  /// Follows the way from `from` until it ends or meets a switch that was passed before.
  void settle(std::uint32_t from, std::uint32_t home, std::uint8_t home_port) {
    way_.clear();
    std::uint32_t behind = kUnknown;  // switches on the way behind the last one of `way_`, or kBroken
    for (std::uint32_t at = from; behind == kUnknown;) {
      std::uint32_t& known = switches_on_way_[at];
      if (known != kUnknown) {
        loops_ = loops_ || known == kOnTheWay;
        behind = known == kOnTheWay ? kBroken : known;
        break;
      }
      known = kOnTheWay;
      way_.push_back(at);
      const std::uint8_t out = column_[at];
      const std::size_t slot = slot_of(at, out);
      if (out == 0 || slot >= first_slot_[at + 1] || behind_[slot] == kNone)
        behind = kBroken;
      else if (behind_[slot] != kAdapter)
        at = behind_[slot];
      else
        behind = at == home && out == home_port ? 0 : kBroken;
    }
    for (auto s = way_.rbegin(); s != way_.rend(); ++s) {
      if (behind != kBroken && ++behind >= by_length_.size()) by_length_.resize(behind + 1);
      switches_on_way_[*s] = behind;
      (behind == kBroken ? broken_ : by_length_[behind]).push_back(*s);
    }
  }

  void keep_loop(const Endpoint& destination, Lid lid) {
    for (const Endpoint& source : ends_) {
      BrokenPath path{source, destination, {}, {}};
      path.reason = walk(source.where, destination.where, lid, path.ports);
      if (!path.reason.starts_with("loops")) continue;
      report_.loop = std::move(path);
      return;
    }
  }

  void keep_broken(const Endpoint& destination, Lid lid) {
    for (const Endpoint& source : ends_) {
      if (report_.broken.size() == kKeptBroken) return;
      if (source.where == destination.where || apart(source, destination)) continue;
      BrokenPath path{source, destination, {}, {}};
      path.reason = walk(source.where, destination.where, lid, path.ports);
      if (!path.reason.empty()) report_.broken.push_back(std::move(path));
    }
  }

  /// Why the path does not arrive; empty when it does.
  std::string walk(PortRef source, PortRef destination, Lid lid, std::vector<PortRef>& ports) const {
    std::vector<bool> visited(topology_.nodes.size());
    PortRef out = source;
    while (true) {
      ports.push_back(out);
      const PortRef in{port(out).peer_node, port(out).peer_port};
      if (in == destination) return {};
      if (lid == 0) return fmt::format("{} has no LID", name(destination));
      if (switches_[in.node] == kNone)
        return fmt::format("ends at {}, which is not the destination", name(in));
      if (visited[in.node]) return fmt::format("loops at {}", name(in.node));
      visited[in.node] = true;
      out = {in.node, routes_.lft[in.node][lid]};
      if (out.port == kNoPort) return fmt::format("{} has no entry for LID {}", name(in.node), lid);
      if (out.port == 0) return fmt::format("{} takes LID {} for its own (port 0)", name(in.node), lid);
      if (out.port > topology_.nodes[in.node].ports.size()) {
        return fmt::format("{} has no port {}", name(in.node), out.port);
      }
      if (port(out).peer_node == kNone) return fmt::format("{} has no cable", name(out));
    }
  }

  void list_subscription() {
    for (std::uint32_t s = 0; s < nodes_.size(); ++s) {
      for (std::size_t slot = first_slot_[s]; slot < first_slot_[s + 1]; ++slot) {
        if (behind_[slot] == kNone || behind_[slot] == kAdapter) continue;
        const auto number = static_cast<std::uint8_t>(slot - first_slot_[s] + 1);
        report_.subscription.push_back({{nodes_[s], number}, flows_[slot]});
      }
    }
    std::ranges::stable_sort(report_.subscription, std::greater{}, &RouteReport::Subscription::flows);
  }

  // Of a switch, while one destination is looked at: how many switches are on the way from it, itself
  // included.
  static constexpr std::uint32_t kUnknown = 0xffff'ffff, kOnTheWay = 0xffff'fffe, kBroken = 0xffff'fffd;
  static constexpr std::uint32_t kAdapter = 0xffff'fffe;  // in behind_

  const Topology& topology_;
  const Routes& routes_;
  const SwitchGraph graph_;
  const std::vector<NodeIndex>& nodes_;  // by switch
  std::vector<Endpoint> ends_;
  std::vector<std::uint32_t> switches_;  // by node: the switch's number; kNone for others
  std::vector<std::size_t> first_slot_;  // by switch, one more at the end: its port 1 in behind_, flows_
  std::vector<std::uint32_t> behind_;    // by slot: the switch behind that port, kAdapter, or kNone
  std::vector<std::uint64_t> flows_;     // by slot
  std::vector<std::uint32_t> arriving_;  // by switch: endpoints that hang on it
  std::vector<std::uint32_t> network_;   // by switch: place in networks_
  std::vector<Network> networks_;
  std::uint64_t on_switch_ = 0, off_switch_ = 0;  // endpoints; the others are cabled to an adapter
  std::map<std::uint32_t, std::uint64_t> on_switch_by_rail_;
  // For the destination at hand.
  LftColumn column_;
  std::vector<std::uint32_t> switches_on_way_;         // by switch
  std::vector<std::vector<std::uint32_t>> by_length_;  // by switches on the way: the switches that have it
  std::vector<std::uint32_t> broken_, way_;
  std::vector<std::uint64_t> passing_;  // by switch: flows met so far
  bool loops_ = false;                  // some path came back to where it was
  RouteReport report_;
};

}  // namespace

RouteReport check_routes(const Topology& topology, const Routes& routes) {
  return Checker(topology, routes).check();
}

}  // namespace weft
