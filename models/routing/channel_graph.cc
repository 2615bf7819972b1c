#include "models/routing/channel_graph.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "models/routing/lft_column.h"
#include "models/routing/shortest_cycle.h"
#include "models/routing/switch_graph.h"

namespace weft {
namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kLanes = 16;

/// Numbers the channels that routes use, in the order they are met, and gathers who waits for whom.
///
/// All sources on one switch enter it by channels of their own and leave it by the same few, so what they
/// wait for follows from the table of their switch. From there on each channel is followed once for every
/// destination, whoever uses it: no work or memory is spent on pairs.
class Dependencies {
 public:
  Dependencies(const Topology& topology, const Routes& routes, const VlOf& vl_of,
               const std::vector<LidOwner>& ends)
      : path_sls_(routes.path_sls),
        vl_of_(vl_of),
        lanes_(vl_of ? kLanes : 1),
        graph_(topology),
        ends_(ends),
        switch_of_(topology.nodes.size(), kNone),
        column_(routes.lft, graph_.switches()) {
    for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
      first_port_.push_back(static_cast<std::uint32_t>(port_refs_.size()));
      for (std::size_t p = 1; p <= topology.nodes[node].ports.size(); ++p) {
        port_refs_.push_back({node, static_cast<std::uint8_t>(p)});
        const Port& port = topology.nodes[node].ports[p - 1];
        far_.push_back({port.peer_node, port.peer_port});
      }
    }
    first_port_.push_back(static_cast<std::uint32_t>(port_refs_.size()));
    for (std::uint32_t s = 0; s < graph_.switches().size(); ++s) switch_of_[graph_.switches()[s]] = s;
    numbers_.assign(port_refs_.size() * lanes_, kNowhere);
    exits_.resize(port_refs_.size());
    std::map<NodeIndex, std::vector<Source>> by_home;
    for (const LidOwner& end : ends)
      if (end.home != kNone) by_home[end.home].push_back({end.where, end.home_port});
    for (auto& [node, sources] : by_home) homes_.push_back({node, switch_of_[node], std::move(sources)});
  }

  /// Adds what packets between all pairs of ends do, each on the service level of its path.
  void add_on_own_levels() {
    own_sl_ = true;
    for (unsigned sl = 0; sl <= path_sls_.highest(); ++sl) add_level(static_cast<std::uint8_t>(sl));
  }

  /// Adds what they do when all are on service level `sl`.
  void add_on(std::uint8_t sl) {
    own_sl_ = false;
    add_level(sl);
  }

  /// Adds what packets of the members to their group do on service level `sl`: a switch keeps a packet until
  /// its last copy has left, so the channel it came by waits for each that a copy takes.
  void add(const MulticastGroup& group, const MulticastTables& tables, std::uint8_t sl) {
    ++round_;
    for (const PortRef member : group.members) {
      const std::uint32_t first = channel(member, vl(member.node, 0, member.port, sl));
      if (is_dropped(first)) continue;
      std::vector<std::uint32_t> to_follow{number(first)};
      while (!to_follow.empty()) {
        const std::uint32_t from = to_follow.back();
        to_follow.pop_back();
        if (std::exchange(followed_[from], round_) == round_) continue;
        const PortRef in = far_[channels_[from] / lanes_];
        if (in.node == kNone || switch_of_[in.node] == kNone) continue;
        for (const std::uint8_t out : tables.ports(in.node, group.mlid)) {
          if (out == in.port || far_[first_port_[in.node] + out - 1].node == kNone) continue;
          const std::uint32_t to = channel({in.node, out}, vl(in.node, in.port, out, sl));
          if (!is_dropped(to)) to_follow.push_back(add_wait(from, to));
        }
      }
    }
  }

  std::size_t channels() const { return channels_.size(); }

  /// The used channels in order of node, port and lane: the vertices of graph().
  std::vector<std::uint32_t> vertices() const {
    std::vector<std::uint32_t> sorted = channels_;
    std::ranges::sort(sorted);
    return sorted;
  }

  DirectedGraph graph(const std::vector<std::uint32_t>& vertices) const {
    std::vector<std::uint32_t> vertex_of(channels_.size());
    for (std::uint32_t v = 0; v < vertices.size(); ++v) vertex_of[numbers_[vertices[v]]] = v;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      const std::vector<std::uint64_t>& waits = waits_for_[numbers_[vertices[v]]];
      const std::uint32_t next = first_channel_behind(vertices[v]);
      for (std::uint32_t w = 0; w < waits.size(); ++w) {
        for (std::uint64_t left = waits[w]; left != 0; left &= left - 1) {
          const std::uint32_t to = next + w * 64 + static_cast<std::uint32_t>(std::countr_zero(left));
          edges.emplace_back(v, vertex_of[numbers_[to]]);
        }
      }
    }
    return DirectedGraph(boost::edges_are_sorted, edges.begin(), edges.end(),
                         static_cast<std::uint32_t>(vertices.size()));
  }

  Channel at(std::uint32_t channel) const {
    return {port_refs_[channel / lanes_], static_cast<std::uint8_t>(channel % lanes_)};
  }

 private:
  struct Source {
    PortRef where;
    std::uint8_t in = 0;  // port of the switch
  };
  /// A switch with sources on it.
  struct Home {
    NodeIndex node;
    std::uint32_t number;
    std::vector<Source> sources;
  };
  /// What leaves a home by one port: for whom, and by which channels its own sources come there.
  struct Exit {
    PortRef only;                      // the one destination it leads to ...
    bool many = false;                 // ... or there are several
    std::uint32_t first = 0, end = 0;  // places in entries_
  };
  /// A channel that sources of one switch go on by.
  struct Entry {
    std::uint32_t place;
    PortRef source;     // the one that takes it ...
    bool many = false;  // ... or several do
  };

  std::uint8_t vl(NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) const {
    return vl_of_ ? static_cast<std::uint8_t>(vl_of_(node, in, out, sl) % kLanes) : std::uint8_t{0};
  }

  std::uint32_t channel(PortRef from, std::uint8_t lane) const {
    return (first_port_[from.node] + from.port - 1) * lanes_ + lane;
  }

  bool is_dropped(std::uint32_t channel) const { return lanes_ > 1 && channel % lanes_ == kDropVl; }

  /// The first channel that leaves the node at which `from` ends.
  std::uint32_t first_channel_behind(std::uint32_t from) const {
    const NodeIndex node = far_[from / lanes_].node;
    return node == kNone ? 0 : first_port_[node] * lanes_;
  }

  /// Place of a channel among those in use.
  std::uint32_t number(std::uint32_t channel) {
    std::uint32_t& place = numbers_[channel];
    if (place != kNowhere) return place;
    place = static_cast<std::uint32_t>(channels_.size());
    channels_.push_back(channel);
    waits_for_.emplace_back();
    followed_.push_back(0);
    return place;
  }

  /// The channel in place `from` waits for channel `to`, which leaves the node where it ends. @return place
  /// of `to`
  std::uint32_t add_wait(std::uint32_t from, std::uint32_t to) {
    const std::uint32_t place = number(to);
    const std::uint32_t first = first_channel_behind(channels_[from]);
    std::vector<std::uint64_t>& waits = waits_for_[from];
    if (waits.empty()) {
      const NodeIndex node = port_refs_[to / lanes_].node;
      waits.resize(((first_port_[node + 1] - first_port_[node]) * lanes_ + 63) / 64);
    }
    waits[(to - first) / 64] |= std::uint64_t{1} << ((to - first) % 64);
    return place;
  }

  /// Place of the port by which the LID looked at leaves a switch; kNowhere when it does not.
  std::uint32_t exit_of(NodeIndex node, std::uint32_t switch_number) const {
    const std::uint8_t out = column_[switch_number];
    const std::uint32_t port = first_port_[node] + out - 1;
    return out == 0 || port >= first_port_[node + 1] || far_[port].node == kNone ? kNowhere : port;
  }

  /// Whether packets from a switch to that LID go on service level `sl`.
  bool on(std::uint8_t sl, NodeIndex home, Lid lid) const {
    return !own_sl_ || path_sls_.sl(home, lid) == sl;
  }

  void add_level(std::uint8_t sl) {
    if (ends_.size() < 2) return;
    std::ranges::fill(exits_, Exit{});
    for (const LidOwner& end : ends_) note_exits(end, sl);
    for (const LidOwner& end : ends_) {
      const std::uint32_t first = channel(end.where, vl(end.where.node, 0, end.where.port, sl));
      if (!is_dropped(first)) number(first);
    }
    entries_.clear();
    for (const Home& home : homes_) enter(home, sl);
    for (const LidOwner& end : ends_)
      for (Lid lid = end.base; lid < end.base + end.lids; ++lid) follow_all(end, lid, sl);
  }

  void note_exits(const LidOwner& destination, std::uint8_t sl) {
    for (Lid lid = destination.base; lid < destination.base + destination.lids; ++lid) {
      column_.look_at(lid);
      for (const Home& home : homes_) {
        const std::uint32_t port = exit_of(home.node, home.number);
        if (port == kNowhere || !on(sl, home.node, lid)) continue;
        Exit& exit = exits_[port];
        if (exit.only.node == kNone) exit.only = destination.where;
        exit.many = exit.many || exit.only != destination.where;
      }
    }
  }

  /// Adds what the sources on a switch wait for there, and notes the channels they go on by.
  void enter(const Home& home, std::uint8_t sl) {
    for (std::uint32_t port = first_port_[home.node]; port < first_port_[home.node + 1]; ++port) {
      Exit& exit = exits_[port];
      exit.first = exit.end = static_cast<std::uint32_t>(entries_.size());
      if (exit.only.node == kNone) continue;
      const PortRef out = port_refs_[port];
      for (const Source& source : home.sources) {
        if (!exit.many && exit.only == source.where) continue;
        const std::uint32_t to = channel(out, vl(home.node, source.in, out.port, sl));
        const std::uint32_t from = channel(source.where, vl(source.where.node, 0, source.where.port, sl));
        if (is_dropped(from) || is_dropped(to)) continue;
        const std::uint32_t place = add_wait(number(from), to);
        const auto known = std::find_if(entries_.begin() + exit.first, entries_.end(),
                                        [&](const Entry& entry) { return entry.place == place; });
        if (known == entries_.end())
          entries_.push_back({place, source.where});
        else
          known->many = true;
      }
      exit.end = static_cast<std::uint32_t>(entries_.size());
    }
  }

  /// Follows packets for one LID from every switch with sources.
  void follow_all(const LidOwner& destination, Lid lid, std::uint8_t sl) {
    ++round_;
    column_.look_at(lid);
    for (const Home& home : homes_) {
      const std::uint32_t port = exit_of(home.node, home.number);
      if (port == kNowhere || !on(sl, home.node, lid)) continue;
      for (std::uint32_t i = exits_[port].first; i < exits_[port].end; ++i)
        if (entries_[i].many || entries_[i].source != destination.where) follow(entries_[i].place, sl);
    }
  }

  /// Walks on from the channel in place `from` until the packet is out of the switches, or the way was walked
  /// before in this round.
  void follow(std::uint32_t from, std::uint8_t sl) {
    while (std::exchange(followed_[from], round_) != round_) {
      const PortRef in = far_[channels_[from] / lanes_];
      if (in.node == kNone || switch_of_[in.node] == kNone) return;
      const std::uint32_t port = exit_of(in.node, switch_of_[in.node]);
      if (port == kNowhere) return;
      const PortRef out = port_refs_[port];
      const std::uint32_t to = channel(out, vl(out.node, in.port, out.port, sl));
      if (is_dropped(to)) return;
      from = add_wait(from, to);
    }
  }

  const PathSls& path_sls_;
  bool own_sl_ = false;  // each path on the service level that path_sls_ names
  const VlOf& vl_of_;
  const std::uint32_t lanes_;
  const SwitchGraph graph_;
  const std::vector<LidOwner>& ends_;
  std::vector<std::uint32_t> switch_of_;  // by node: number of the switch in graph_; kNone for others
  LftColumn column_;
  std::vector<Home> homes_;
  std::vector<PortRef> port_refs_;         // every port of the fabric; a channel is (its place here, VL)
  std::vector<std::uint32_t> first_port_;  // by node, one more at the end: place of its port 1
  std::vector<PortRef> far_;               // by port: the other end of its cable, if any
  std::vector<Exit> exits_;                // by port
  std::vector<Entry> entries_;             // for the service level in hand
  std::vector<std::uint32_t> numbers_;     // by channel: its place among those in use, or kNowhere
  // By that place.
  std::vector<std::uint32_t> channels_;
  std::vector<std::vector<std::uint64_t>> waits_for_;  // bits from first_channel_behind on
  std::vector<std::uint64_t> followed_;                // last round that walked it
  std::uint64_t round_ = 0;
};

}  // namespace

CreditLoopReport find_credit_loop(const Topology& topology, const Routes& routes, Ends ends,
                                  const std::vector<std::uint8_t>& sls, const VlOf& vl_of) {
  std::vector<LidOwner> owners;
  for (const LidOwner& owner : lid_owners(topology)) {
    const NodeKind kind = topology.nodes[owner.where.node].kind;
    const bool traffic = kind == NodeKind::hca;
    if (traffic || (kind == NodeKind::aggregation_node && ends == Ends::with_aggregation_nodes)) {
      owners.push_back(owner);
    }
  }
  Dependencies dependencies(topology, routes, vl_of, owners);
  const bool own_levels = !routes.path_sls.empty() || sls.empty();
  if (own_levels) dependencies.add_on_own_levels();
  for (const std::uint8_t sl : sls) dependencies.add_on(sl);
  for (const MulticastGroup& group : routes.multicast.groups()) {
    if (own_levels) dependencies.add(group, routes.multicast, 0);  // no path of its own: SL 0
    for (const std::uint8_t sl : sls) dependencies.add(group, routes.multicast, sl);
  }
  const std::vector<std::uint32_t> vertices = dependencies.vertices();
  const DirectedGraph graph = dependencies.graph(vertices);
  CreditLoopReport report;
  report.channels = dependencies.channels();
  report.dependencies = boost::num_edges(graph);
  for (const std::uint32_t vertex : shortest_cycle(graph))
    report.cycle.push_back(dependencies.at(vertices[vertex]));
  return report;
}

CreditLoopReport find_credit_loop(const Topology& topology, const Routes& routes, Ends ends) {
  if (routes.vls == 1) return find_credit_loop(topology, routes, ends, {}, {});
  const Sl2Vl lanes = routes.sl2vl.value_or(Sl2Vl(routes.vls));
  return find_credit_loop(topology, routes, ends, {},
                          [&](NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) {
                            return lanes.vl(node, in, out, sl);
                          });
}

}  // namespace weft
