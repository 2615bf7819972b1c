#include "models/routing/channel_graph.h"

#include <algorithm>
#include <limits>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>

#include "models/routing/switch_graph.h"

namespace weft {
namespace {

using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, std::uint32_t, std::uint32_t>;
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kLanes = 16;

/// Numbers the channels of a fabric and gathers who waits for whom.
class Dependencies {
 public:
  Dependencies(const Topology& topology, const Routes& routes, const VlOf& vl_of)
      : topology_(topology), routes_(routes), vl_of_(vl_of), lanes_(vl_of ? kLanes : 1) {
    for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
      first_port_.push_back(static_cast<std::uint32_t>(port_refs_.size()));
      for (std::size_t p = 1; p <= topology.nodes[node].ports.size(); ++p) {
        port_refs_.push_back({node, static_cast<std::uint8_t>(p)});
      }
    }
    const std::size_t channels = port_refs_.size() * lanes_;
    waits_for_.resize(channels);
    used_.resize(channels);
    followed_.assign(channels, kNowhere);
  }

  /// Adds what packets of `sl` for `lid` do that come from any of `sources` but `destination`.
  void add(const std::vector<PortRef>& sources, PortRef destination, Lid lid, std::uint8_t sl) {
    ++round_;
    for (const PortRef source : sources) {
      if (source == destination) continue;
      follow(channel(source, vl(source.node, 0, source.port, sl)), lid, sl);
    }
  }

  std::size_t channels() const { return static_cast<std::size_t>(std::ranges::count(used_, true)); }

  Graph graph() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t from = 0; from < waits_for_.size(); ++from) {
      const std::uint32_t next = first_channel_behind(from);
      for (std::size_t i = 0; i < waits_for_[from].size(); ++i) {
        if (waits_for_[from][i]) edges.emplace_back(from, next + static_cast<std::uint32_t>(i));
      }
    }
    return Graph(boost::edges_are_sorted, edges.begin(), edges.end(),
                 static_cast<std::uint32_t>(waits_for_.size()));
  }

  Channel at(std::uint32_t channel) const {
    return {port_refs_[channel / lanes_], static_cast<std::uint8_t>(channel % lanes_)};
  }

 private:
  std::uint8_t vl(NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) const {
    return vl_of_ ? static_cast<std::uint8_t>(vl_of_(node, in, out, sl) % kLanes) : std::uint8_t{0};
  }

  std::uint32_t channel(PortRef from, std::uint8_t lane) const {
    return (first_port_[from.node] + from.port - 1) * lanes_ + lane;
  }

  /// The first channel that leaves the node at which `from` ends.
  std::uint32_t first_channel_behind(std::uint32_t from) const {
    const Channel c = at(from);
    const NodeIndex peer = topology_.nodes[c.from.node].port(c.from.port).peer_node;
    return peer == kNone ? 0 : first_port_[peer] * lanes_;
  }

  /// Walks on from a channel until the packet is out of the switches, or the way was walked before in this
  /// round.
  void follow(std::uint32_t from, Lid lid, std::uint8_t sl) {
    while (followed_[from] != round_) {
      followed_[from] = round_;
      used_[from] = true;
      const PortRef here = port_refs_[from / lanes_];
      const Port& sender = topology_.nodes[here.node].port(here.port);
      const NodeIndex node = sender.peer_node;
      if (node == kNone || topology_.nodes[node].kind != NodeKind::switch_) return;
      const std::uint8_t out = routes_.lft[node][lid];
      const auto& ports = topology_.nodes[node].ports;
      if (out == 0 || out > ports.size() || ports[out - 1].peer_node == kNone) return;
      const std::uint32_t next = channel({node, out}, vl(node, sender.peer_port, out, sl));
      std::vector<bool>& waits = waits_for_[from];
      if (waits.empty()) waits.resize(ports.size() * lanes_);
      waits[next - first_port_[node] * lanes_] = true;
      from = next;
    }
  }

  const Topology& topology_;
  const Routes& routes_;
  const VlOf& vl_of_;
  const std::uint32_t lanes_;
  std::vector<PortRef> port_refs_;            // every port of the fabric; a channel is (its place here, VL)
  std::vector<std::uint32_t> first_port_;     // by node: place of its port 1
  std::vector<std::vector<bool>> waits_for_;  // by channel: channels behind it, from first_channel_behind on
  std::vector<bool> used_;
  std::vector<std::uint32_t> followed_;  // by channel: last round that walked it
  std::uint32_t round_ = 0;
};

/// A shortest cycle: a bounded breadth-first search from each vertex within its strong component.
std::vector<std::uint32_t> shortest_cycle(const Graph& graph) {
  const auto size = static_cast<std::uint32_t>(boost::num_vertices(graph));
  std::vector<std::uint32_t> component(size);
  boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::uint32_t> members(size, 0);
  for (const std::uint32_t c : component) ++members[c];

  std::vector<std::uint32_t> best, before(size, kNowhere), depth(size, 0), queue;
  for (std::uint32_t start = 0; start < size; ++start) {
    for (const std::uint32_t vertex : queue) before[vertex] = kNowhere;
    queue.clear();
    const bool alone = members[component[start]] == 1;
    if (alone && !boost::edge(start, start, graph).second) continue;
    queue.push_back(start);
    depth[start] = 1;
    bool closed = false;
    for (std::size_t next = 0; next < queue.size() && !closed; ++next) {
      const std::uint32_t at = queue[next];
      if (!best.empty() && depth[at] >= best.size()) break;
      for (const std::uint32_t to : boost::make_iterator_range(boost::adjacent_vertices(at, graph))) {
        if (to == start) {
          best.assign(1, at);
          while (best.back() != start) best.push_back(before[best.back()]);
          std::ranges::reverse(best);
          closed = true;
          break;
        }
        if (component[to] != component[start] || before[to] != kNowhere) continue;
        before[to] = at;
        depth[to] = depth[at] + 1;
        queue.push_back(to);
      }
    }
  }
  return best;
}

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
  std::vector<PortRef> sources;
  for (const LidOwner& owner : owners) sources.push_back(owner.where);

  Dependencies dependencies(topology, routes, vl_of);
  for (const std::uint8_t sl : sls) {
    for (const LidOwner& owner : owners) {
      for (std::uint32_t bit = 0; bit < owner.lids; ++bit)
        dependencies.add(sources, owner.where, owner.base + bit, sl);
    }
  }
  const Graph graph = dependencies.graph();
  CreditLoopReport report;
  report.channels = dependencies.channels();
  report.dependencies = boost::num_edges(graph);
  for (const std::uint32_t channel : shortest_cycle(graph)) report.cycle.push_back(dependencies.at(channel));
  return report;
}

}  // namespace weft
