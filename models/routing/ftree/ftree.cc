#include "models/routing/ftree/ftree.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/routing/ftree/router.h"
#include "models/routing/guid_file.h"
#include "models/routing/opensm_order.h"
#include "models/routing/routing_engine_rows.h"

namespace weft {
namespace {

void refuse_lmc(const Topology& topology) {
  for (const LidOwner& owner : lid_owners(topology)) {
    if (owner.lids == 1) continue;
    throw Refusal("ftree", fmt::format("it routes one LID for each port, and {} has {}; set lmc to 0",
                                       topology.display_name(owner.where.node), owner.lids));
  }
}

/// Switches that are cabled together and hold adapters; each list in OpenSM's order.
std::vector<std::vector<NodeIndex>> networks(const Topology& topology, const SwitchGraph& graph) {
  const std::vector<NodeIndex> order = opensm_switches(topology, graph);
  std::vector<bool> done(topology.nodes.size(), false);
  std::vector<std::vector<NodeIndex>> found;
  for (const NodeIndex first : order) {
    if (done[first]) continue;
    const std::vector<std::uint32_t> distance = graph.distances(first);
    std::vector<NodeIndex> members;
    std::ranges::copy_if(order, std::back_inserter(members),
                         [&](NodeIndex sw) { return distance[sw] != SwitchGraph::kUnreached; });
    bool adapters = false;
    for (const NodeIndex sw : members) {
      done[sw] = true;
      for (const Port& port : topology.nodes[sw].ports) {
        if (port.peer_node == kNone) continue;
        const NodeKind kind = topology.nodes[port.peer_node].kind;
        adapters = adapters || kind == NodeKind::hca || kind == NodeKind::aggregation_node;
      }
    }
    if (adapters) found.push_back(std::move(members));
  }
  return found;
}

/// On leaves cabled to other leaves, or to switches below, OpenSM sorts adapters by where its heap put them.
void warn_of_leaf_cables(const Topology& topology, const FtreeFabric& fabric, Routes& routes) {
  const auto to_switch = [&](std::uint32_t g) { return fabric.groups[g].peer != kNone; };
  std::size_t count = 0;
  std::string example;
  for (std::size_t i = 0; i < fabric.leaves.size(); ++i) {
    const FtreeFabric::Switch& leaf = fabric.switches[fabric.leaves[i]];
    if (fabric.compute_on[i].size() < 2 ||
        (leaf.beside.empty() && std::ranges::none_of(leaf.down, to_switch)))
      continue;
    if (count++ == 0) example = topology.display_name(leaf.node);
  }
  if (count == 0) return;
  routes.warnings.push_back(fmt::format(
      "ftree: {} leaves ({} for one) have cables to other leaves or to switches below; OpenSM takes "
      "their adapters in an order that its memory decides, and may leave some without a route: here "
      "all are routed, in the order of ports",
      count, example));
}

/// Adapters no compute node's rules cover may be out of each other's reach: tells how many pairs.
void warn_of_gaps(const Topology& topology, Routes& routes) {
  const std::vector<LidOwner> owners = lid_owners(topology);
  const SwitchGraph graph(topology);
  std::vector<std::uint32_t> network(topology.nodes.size(), kNone);
  std::uint32_t number = 0;
  for (const auto& switches : networks(topology, graph)) {
    for (const NodeIndex sw : switches) network[sw] = number;
    ++number;
  }
  std::vector<std::vector<const LidOwner*>> on(topology.nodes.size());
  for (const LidOwner& owner : owners)
    if (owner.where.port != 0 && owner.home != kNone) on[owner.home].push_back(&owner);
  std::size_t gaps = 0;
  std::string example;
  for (const NodeIndex sw : graph.switches()) {
    if (on[sw].empty()) continue;
    const LftRow row = routes.lft[sw];
    for (const auto& there : on) {
      for (const LidOwner* to : there) {
        if (row[to->base] != kNoPort || network[to->home] != network[sw]) continue;
        if (gaps == 0)
          example = fmt::format("{} to {}", topology.display_name(on[sw].front()->where),
                                topology.display_name(to->where));
        gaps += on[sw].size();
      }
    }
  }
  if (gaps == 0) return;
  routes.warnings.push_back(
      fmt::format("ftree leaves {} ways from adapter to adapter out, as none goes up and then down ({} for "
                  "one); only ways to "
                  "io_guids may turn down and up again, max_reverse_hops times",
                  gaps, example));
}

class Ftree final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.deadlock_free = true, .joins_switches = false}; }
  void describe_engine(Describe& d) override {
    d.field(
         "root_guids", root_guids_,
         "File of the root switches' GUIDs, one a line (OpenSM -a). The tree need then not be pure: cables "
         "and switches may be missing, as long as all compute nodes are equally far from the roots.")
        .source("as in OpenSM, the roots are found");
    d.field("cn_guids", cn_guids_,
            "File of the compute nodes' port GUIDs (OpenSM -u). The balance is made for them; other adapters "
            "may hang on any switch.")
        .source("as in OpenSM, all adapters are compute nodes");
    d.field(
         "io_guids", io_guids_,
         "File of the I/O nodes' port GUIDs (OpenSM -G): adapters, no compute nodes, that max_reverse_hops "
         "holds for.")
        .source("as in OpenSM, none");
    d.field(
         "max_reverse_hops", max_reverse_hops_,
         "How often a way to an I/O node may turn down and up again (OpenSM -H). Such ways connect I/O nodes "
         "at different heights, and can make credit loops.")
        .range(0, 65'535)
        .source("OpenSM 3.3.23");
    d.field("connect_roots", connect_roots_,
            "Give switches that no up-down way joins, such as the roots, a way by one leaf (OpenSM -z). It "
            "matters to management traffic between switches alone.")
        .source("OpenSM 3.3.23");
  }

  Routes route(const Topology& topology, const RoutingContext& context) const override {
    std::vector<std::string> warnings;
    FtreeOptions options;
    options.max_reverse_hops = max_reverse_hops_;
    options.connect_roots = connect_roots_;
    if (root_guids_) options.roots = roots(topology, context);
    if (cn_guids_) options.compute_ports = ports("cn_guids", *cn_guids_, topology, context, warnings);
    if (io_guids_) options.io_ports = ports("io_guids", *io_guids_, topology, context, warnings);
    Routes routes = ftree_routes(topology, options);
    routes.warnings.insert(routes.warnings.begin(), warnings.begin(), warnings.end());
    return routes;
  }

 private:
  std::vector<NodeIndex> roots(const Topology& topology, const RoutingContext& context) const {
    std::vector<NodeIndex> roots;
    for (const NamedGuid& named : read_guid_file(TextFile::load(context.path_of(*root_guids_)), topology)) {
      if (topology.nodes[named.node].kind != NodeKind::switch_) {
        throw BadValue("root_guids", fmt::format("0x{:016x} is {}, which is no switch", named.guid,
                                                 topology.display_name(named.node)));
      }
      roots.push_back(named.node);
    }
    return roots;
  }

  /// OpenSM knows adapters by the GUIDs of their ports alone.
  static FtreePorts ports(std::string_view key, const std::string& path, const Topology& topology,
                          const RoutingContext& context, std::vector<std::string>& warnings) {
    FtreePorts ports;
    std::vector<NamedGuid> others;
    for (const NamedGuid& named : read_guid_file(TextFile::load(context.path_of(path)), topology)) {
      const Node& node = topology.nodes[named.node];
      bool is_port = false;
      for (std::size_t i = 0; i < node.ports.size() && node.kind != NodeKind::switch_; ++i) {
        if (node.ports[i].guid != named.guid) continue;
        is_port = true;
        ports.emplace(named.node, static_cast<std::uint8_t>(i + 1));
      }
      if (!is_port) others.push_back(named);
    }
    if (!others.empty()) {
      warnings.push_back(
          fmt::format("{}: ftree passes over {} of the GUIDs, as OpenSM does, since no adapter port "
                      "has them; the first, 0x{:016x}, is of the node {}",
                      key, others.size(), others.front().guid, topology.display_name(others.front().node)));
    }
    return ports;
  }

  std::optional<std::string> root_guids_, cn_guids_, io_guids_;
  std::uint32_t max_reverse_hops_ = 0;
  bool connect_roots_ = false;
};

}  // namespace

Routes ftree_routes(const Topology& topology, const FtreeOptions& options) {
  refuse_lmc(topology);
  const SwitchGraph graph(topology);
  const auto found = networks(topology, graph);
  if (found.empty()) throw Refusal("ftree", "there are no switches with adapters");
  Routes routes;
  routes.engine = "ftree";
  routes.lft = ForwardingTables(topology);
  for (const std::vector<NodeIndex>& switches : found) {
    FtreeFabric fabric = ftree_fabric(topology, switches, options);
    warn_of_leaf_cables(topology, fabric, routes);
    route_ftree(topology, std::move(fabric), options, routes.lft);
  }
  warn_of_gaps(topology, routes);
  return routes;
}

std::unique_ptr<RoutingEngine> make_ftree() { return std::make_unique<Ftree>(); }

}  // namespace weft
