#include "models/routing/sssp.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "models/routing/four_ary_heap.h"
#include "models/routing/guid_file.h"
#include "models/routing/opensm_order.h"
#include "models/routing/routing_engine_rows.h"

namespace weft {
namespace {

constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();

/// Switches are vertices 1, 2, ... in OpenSM's order; an adapter that is routed to is vertex 0.
class Sssp {
 public:
  explicit Sssp(const Topology& topology)
      : topology_(topology),
        graph_(topology),
        order_(opensm_switches(topology, graph_)),
        heap_(order_.size() + 1) {
    std::vector<std::uint32_t> vertex_of(topology.nodes.size(), kNone);
    for (std::uint32_t s = 0; s < order_.size(); ++s) vertex_of[order_[s]] = s + 1;
    vertices_.resize(order_.size() + 1);
    std::uint64_t lids = 0;
    for (const LidOwner& owner : lid_owners(topology)) {
      lids += topology.nodes[owner.where.node].kind == NodeKind::router ? 0 : owner.lids;
      if (owner.home != kNone) vertices_[vertex_of[owner.home]].lids += owner.lids;
    }
    for (std::uint32_t v = 1; v < vertices_.size(); ++v) {
      vertices_[v].first_link = static_cast<std::uint32_t>(links_.size());
      for (const SwitchLink& link : graph_.links(order_[v - 1])) {
        const Port& port = topology.nodes[order_[v - 1]].port(link.port);
        links_.push_back({v, vertex_of[link.peer], port.peer_port, lids * lids});
      }
      vertices_[v].last_link = static_cast<std::uint32_t>(links_.size());
    }
    distance_.resize(vertices_.size());
    rows_.reserve(order_.size());
    for (const NodeIndex n : order_) rows_.push_back(blank_table(topology.nodes[n], topology.max_lid()));
    vertex_of_ = std::move(vertex_of);
  }

  Routes build(const std::vector<std::vector<PortRef>>& first) {
    for (const LidOwner& owner : opensm_sssp_order(topology_, graph_, first)) route_to(owner);
    Routes routes;
    routes.engine = "sssp";
    routes.lft = ForwardingTables(topology_);
    for (std::size_t s = 0; s < order_.size(); ++s) routes.lft.set(order_[s], rows_[s]);
    return routes;
  }

 private:
  struct Vertex {
    std::uint32_t first_link = 0, last_link = 0;  // in links_
    std::uint64_t lids = 0;                       // that hang on the switch, its own included
    std::uint64_t behind = 0;                     // of a search: `lids` of all whose path comes by here
  };
  /// From the switch nearer to the destination to the one that sends there.
  struct Link {
    std::uint32_t from, to;
    std::uint8_t port;  // of `to`
    std::uint64_t weight;
  };

  void route_to(const LidOwner& owner) {
    for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) {
      search(owner);
      for (std::uint32_t v = 1; v < vertices_.size(); ++v)
        if (used_[v] != kNone) rows_[v - 1][lid] = links_[used_[v]].port;
      if (owner.where.port != 0) rows_[vertex_of_[owner.home] - 1][lid] = owner.home_port;
      add_weights();
    }
  }

  void relax(std::uint32_t to, std::uint64_t distance, std::uint32_t link) {
    if (settled_[to] || distance >= distance_[to]) return;
    distance_[to] = distance;
    used_[to] = link;
    heap_.lower(to, distance);
  }

  void search(const LidOwner& owner) {
    const std::uint32_t home = vertex_of_[owner.home];
    const bool adapter = owner.where.port != 0;
    std::ranges::fill(distance_, kFar);
    used_.assign(vertices_.size(), kNone);
    settled_.assign(vertices_.size(), false);
    settling_.clear();
    distance_[adapter ? 0 : home] = 0;
    while (!heap_.empty()) heap_.pop();
    for (std::uint32_t v = 1; v < vertices_.size(); ++v) heap_.insert(v, kFar);
    if (adapter) heap_.insert(0, kFar);
    heap_.lower(adapter ? 0 : home, 0);
    while (!heap_.empty()) {
      const std::uint32_t v = heap_.pop();
      if (distance_[v] == kFar) return;
      settled_[v] = true;
      settling_.push_back(v);
      if (v == 0) relax(home, 1, kNone);  // an adapter's own link is the only one it has
      for (std::uint32_t l = vertices_[v].first_link; l < vertices_[v].last_link; ++l)
        relax(links_[l].to, distance_[v] + links_[l].weight, l);
    }
  }

  void add_weights() {
    for (const std::uint32_t v : settling_) vertices_[v].behind = vertices_[v].lids;
    for (auto v = settling_.rbegin(); v != settling_.rend(); ++v) {
      if (used_[*v] == kNone) continue;
      Link& link = links_[used_[*v]];
      link.weight += vertices_[*v].behind;
      vertices_[link.from].behind += vertices_[*v].behind;
    }
  }

  const Topology& topology_;
  const SwitchGraph graph_;
  const std::vector<NodeIndex> order_;
  std::vector<std::uint32_t> vertex_of_;  // by node
  std::vector<Vertex> vertices_;
  std::vector<Link> links_;
  std::vector<Lft> rows_;  // by vertex - 1
  // Of the search in hand, by vertex.
  std::vector<std::uint64_t> distance_;
  std::vector<std::uint32_t> used_;  // link it was reached by
  std::vector<bool> settled_;
  std::vector<std::uint32_t> settling_;  // vertices, nearest first
  FourAryHeap heap_;
};

class SsspEngine final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.any_fabric = true}; }
  void describe_engine(Describe& d) override { keys_.describe(d); }
  Routes route(const Topology& topology, const RoutingContext& context) const override {
    std::vector<std::string> warnings;
    Routes routes = sssp_routes(topology, keys_.lists(topology, context, warnings));
    routes.warnings = std::move(warnings);
    return routes;
  }

 private:
  SsspKeys keys_;
};

}  // namespace

void SsspKeys::describe(Describe& d) {
  d.field(
      "cn_guids", cn_guids_,
      "File of the compute nodes' port GUIDs, one a line (OpenSM's -u): they are routed before all others.");
  d.field("io_guids", io_guids_,
          "File of the I/O nodes' port GUIDs (OpenSM's -G): they are routed next, apart from each other.");
}

std::vector<std::vector<PortRef>> SsspKeys::lists(const Topology& topology, const RoutingContext& context,
                                                  std::vector<std::string>& warnings) const {
  std::vector<std::vector<PortRef>> lists;
  for (const std::string& name : {cn_guids_, io_guids_}) {
    if (name.empty()) continue;
    std::vector<PortRef>& list = lists.emplace_back();
    const TextFile file = TextFile::load(context.path_of(name));
    for (const NamedGuid& named : read_guid_file(file, topology)) {
      const Node& node = topology.nodes[named.node];
      const auto port = std::ranges::find(node.ports, named.guid, &Port::guid);
      if (node.kind != NodeKind::switch_ && port != node.ports.end())
        list.push_back({named.node, static_cast<std::uint8_t>(port - node.ports.begin() + 1)});
      else
        warnings.push_back(fmt::format("{}: 0x{:016x} is no adapter port's GUID", file.name(), named.guid));
    }
  }
  return lists;
}

Routes sssp_routes(const Topology& topology, const std::vector<std::vector<PortRef>>& first) {
  return Sssp(topology).build(first);
}

std::unique_ptr<RoutingEngine> make_sssp() { return std::make_unique<SsspEngine>(); }

}  // namespace weft
