#include "models/routing/validate.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/routing/switch_graph.h"

namespace weft {
namespace {

constexpr std::size_t kKeptBroken = 20;

/// What a switch does with packets for one destination.
struct Fate {
  static constexpr std::uint32_t kUnknown = 0, kOnTheWay = 0xffff'fffe, kBroken = 0xffff'ffff;
  std::uint32_t switches = kUnknown;  // on the path from here on, this one included
  std::uint8_t out = kNoPort;
};

class Checker {
 public:
  Checker(const Topology& topology, const Routes& routes)
      : topology_(topology),
        routes_(routes),
        ends_(topology.endpoints()),
        fates_(topology.nodes.size()),
        arriving_(topology.nodes.size()),
        flows_(topology.nodes.size()),
        names_(topology.display_names()),
        passing_(topology.nodes.size()) {
    number_networks();
    for (const Endpoint& end : ends_) {
      const NodeIndex home = home_of(end);
      if (!is_switch(home)) {
        off_switch_.push_back(end);
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
    std::vector<NodeIndex> leaves;  // switches with endpoints
    std::uint64_t ends = 0;
    std::map<std::uint32_t, std::uint64_t> ends_by_rail;
  };

  const Port& port(PortRef where) const { return topology_.nodes[where.node].port(where.port); }
  NodeIndex home_of(const Endpoint& end) const { return port(end.where).peer_node; }
  bool is_switch(NodeIndex node) const { return topology_.nodes[node].kind == NodeKind::switch_; }
  std::string name(PortRef where) const { return fmt::format("{}[{}]", names_[where.node], where.port); }

  void number_networks() {
    const SwitchGraph graph(topology_);
    network_.assign(topology_.nodes.size(), kNone);
    for (const NodeIndex node : graph.switches()) {
      flows_[node].assign(topology_.nodes[node].ports.size() + 1, 0);
      if (network_[node] != kNone) continue;
      const std::vector<std::uint32_t> distance = graph.distances(node);
      for (const NodeIndex other : graph.switches()) {
        if (distance[other] != SwitchGraph::kUnreached)
          network_[other] = static_cast<std::uint32_t>(networks_.size());
      }
      networks_.emplace_back();
    }
  }

  /// True for ends that are not meant to meet: other rails, in networks apart.
  bool apart(const Endpoint& a, const Endpoint& b) const {
    const NodeIndex home_a = home_of(a), home_b = home_of(b);
    return a.rail != b.rail && is_switch(home_a) && is_switch(home_b) && network_[home_a] != network_[home_b];
  }

  std::uint8_t out_port(NodeIndex node, Lid lid) const { return routes_.lft[node][lid]; }

  void to(const Endpoint& destination, Lid lid) {
    bool any_broken = from_off_switch(destination);
    const NodeIndex home = home_of(destination);
    if (is_switch(home)) {
      const Network& network = networks_[network_[home]];
      const auto on_rail = [&](const std::map<std::uint32_t, std::uint64_t>& ends) {
        const auto found = ends.find(destination.rail);
        return found == ends.end() ? std::uint64_t{0} : found->second;
      };
      const std::uint64_t elsewhere = on_switch_ - network.ends;
      const std::uint64_t cut_off = on_rail(on_switch_by_rail_) - on_rail(network.ends_by_rail);
      report_.across_planes += elsewhere - cut_off;
      report_.pairs += cut_off;
      any_broken = from_network(network, destination, lid) || cut_off != 0 || any_broken;
    } else {
      report_.pairs += on_switch_;
      any_broken = any_broken || on_switch_ != 0;
    }
    if (loops_ && !report_.loop) keep_loop(destination, lid);
    if (any_broken && report_.broken.size() < kKeptBroken) keep_broken(destination, lid);
  }

  /// Follows the tables from every leaf, each switch once, then sums the flows towards the destination.
  bool from_network(const Network& network, const Endpoint& destination, Lid lid) {
    bool any_broken = false;
    touched_.clear();
    for (const NodeIndex leaf : network.leaves) settle(leaf, destination.where, lid);
    for (const NodeIndex leaf : network.leaves) {
      const std::uint64_t sources = arriving_[leaf] - (home_of(destination) == leaf ? 1 : 0);
      report_.pairs += sources;
      if (sources == 0) continue;
      if (fates_[leaf].switches == Fate::kBroken) {
        any_broken = true;
        continue;
      }
      report_.reached += sources;
      report_.pairs_by_hops[fates_[leaf].switches] += sources;
      passing_[leaf] += sources;
    }
    // Longest way first, so that a switch is done when everything that joins at it has been added.
    std::ranges::sort(touched_, std::greater{}, [&](NodeIndex node) { return fates_[node].switches; });
    for (const NodeIndex node : touched_) {
      const Fate fate = std::exchange(fates_[node], {});
      const std::uint64_t flows = std::exchange(passing_[node], 0);
      if (flows == 0) continue;
      const NodeIndex next = topology_.nodes[node].port(fate.out).peer_node;
      if (!is_switch(next)) continue;
      flows_[node][fate.out] += flows;
      passing_[next] += flows;
    }
    return any_broken;
  }

  /// Endpoints cabled to another adapter reach that one alone.
  bool from_off_switch(const Endpoint& destination) {
    bool any_broken = false;
    for (const Endpoint& source : off_switch_) {
      if (source.where == destination.where) continue;
      ++report_.pairs;
      if (PortRef{port(source.where).peer_node, port(source.where).peer_port} == destination.where) {
        ++report_.reached;
        ++report_.pairs_by_hops[0];
      } else {
        any_broken = true;
      }
    }
    return any_broken;
  }

  /// Fills in the fates along the way from `from` until it ends or meets a switch whose fate is known.
  void settle(NodeIndex from, PortRef destination, Lid lid) {
    way_.clear();
    NodeIndex at = from;
    std::optional<std::uint32_t> behind;  // switches behind the last one of `way_`, or kBroken
    while (!behind) {
      Fate& fate = fates_[at];
      if (fate.switches != Fate::kUnknown) {
        loops_ = loops_ || fate.switches == Fate::kOnTheWay;
        behind = fate.switches == Fate::kOnTheWay ? Fate::kBroken : fate.switches;
        break;
      }
      fate = {Fate::kOnTheWay, out_port(at, lid)};
      way_.push_back(at);
      touched_.push_back(at);
      const auto& ports = topology_.nodes[at].ports;
      if (fate.out == 0 || fate.out > ports.size()) {
        behind = Fate::kBroken;
        break;
      }
      const Port& out = ports[fate.out - 1u];
      if (out.peer_node == kNone)
        behind = Fate::kBroken;
      else if (is_switch(out.peer_node))
        at = out.peer_node;
      else
        behind = PortRef{out.peer_node, out.peer_port} == destination ? 0 : Fate::kBroken;
    }
    for (auto node = way_.rbegin(); node != way_.rend(); ++node) {
      if (behind != Fate::kBroken) behind = *behind + 1;
      fates_[*node].switches = *behind;
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
      if (!is_switch(in.node)) return fmt::format("ends at {}, which is not the destination", name(in));
      if (visited[in.node]) return fmt::format("loops at {}", names_[in.node]);
      visited[in.node] = true;
      out = {in.node, out_port(in.node, lid)};
      if (out.port == kNoPort) return fmt::format("{} has no entry for LID {}", names_[in.node], lid);
      if (out.port == 0) return fmt::format("{} takes LID {} for its own (port 0)", names_[in.node], lid);
      if (out.port > topology_.nodes[in.node].ports.size()) {
        return fmt::format("{} has no port {}", names_[in.node], out.port);
      }
      if (port(out).peer_node == kNone) return fmt::format("{} has no cable", name(out));
    }
  }

  void list_subscription() {
    for (NodeIndex node = 0; node < topology_.nodes.size(); ++node) {
      if (!is_switch(node)) continue;
      for (std::size_t p = 1; p <= topology_.nodes[node].ports.size(); ++p) {
        const NodeIndex peer = topology_.nodes[node].ports[p - 1].peer_node;
        if (peer == kNone || !is_switch(peer)) continue;
        report_.subscription.push_back({{node, static_cast<std::uint8_t>(p)}, flows_[node][p]});
      }
    }
    std::ranges::stable_sort(report_.subscription, std::greater{}, &RouteReport::Subscription::flows);
  }

  const Topology& topology_;
  const Routes& routes_;
  std::vector<Endpoint> ends_;
  std::vector<Fate> fates_;                        // by node, for the destination at hand
  std::vector<std::uint32_t> arriving_;            // by switch: endpoints that hang on it
  std::vector<std::vector<std::uint64_t>> flows_;  // by switch and output port
  std::vector<std::string> names_;
  std::vector<Network> networks_;
  std::vector<std::uint32_t> network_;  // by switch: place in networks_
  std::uint64_t on_switch_ = 0;
  std::map<std::uint32_t, std::uint64_t> on_switch_by_rail_;
  std::vector<Endpoint> off_switch_;  // cabled to another adapter
  std::vector<NodeIndex> touched_, way_;
  std::vector<std::uint64_t> passing_;  // by switch: flows met so far
  bool loops_ = false;                  // some path came back to where it was
  RouteReport report_;
};

}  // namespace

RouteReport check_routes(const Topology& topology, const Routes& routes) {
  return Checker(topology, routes).check();
}

}  // namespace weft
