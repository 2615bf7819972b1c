#include "models/routing/ftree/fabric.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/routing/opensm_order.h"

namespace weft {
namespace {

constexpr unsigned kMaxRanks = 8;  // an index has room for no more

bool is_adapter(NodeKind kind) { return kind == NodeKind::hca || kind == NodeKind::aggregation_node; }

class Builder {
 public:
  Builder(const Topology& topology, std::span<const NodeIndex> switches, const FtreeOptions& options)
      : topology_(topology), options_(options), number_of_(topology.nodes.size(), kNone) {
    for (const NodeIndex node : switches) {
      number_of_[node] = static_cast<std::uint32_t>(fabric_.switches.size());
      fabric_.switches.emplace_back().node = node;
    }
    for (const NodeIndex root : options.roots)
      if (number_of_[root] != kNone) roots_.push_back(number_of_[root]);
  }

  FtreeFabric build() {
    list_adapters();
    const unsigned highest = rank_switches();
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) group_ports(s);
    find_leaves(highest);
    index_ftree(topology_, fabric_);
    list_compute();
    if (options_.roots.empty()) check_pure_ftree(topology_, fabric_);
    return std::move(fabric_);
  }

 private:
  void list_adapters() {
    std::vector<NodeIndex> order;
    for (NodeIndex node = 0; node < topology_.nodes.size(); ++node) {
      if (!is_adapter(topology_.nodes[node].kind)) continue;
      if (std::ranges::any_of(topology_.nodes[node].ports, [&](const Port& port) { return here(port); }))
        order.push_back(node);
    }
    std::ranges::sort(order, {}, [&](NodeIndex node) {
      return std::pair(network_order(topology_.nodes[node].guid), node);
    });
    for (const NodeIndex node : order) {
      const auto& ports = topology_.nodes[node].ports;
      for (std::size_t i = 0; i < ports.size(); ++i) {
        if (!here(ports[i])) continue;
        const PortRef where{node, static_cast<std::uint8_t>(i + 1)};
        FtreeFabric::AdapterPort adapter{where, ports[i].lid, number_of_[ports[i].peer_node],
                                         ports[i].peer_port};
        const std::pair key(where.node, where.port);
        const bool listed = options_.compute_ports && options_.compute_ports->contains(key);
        adapter.io = !listed && options_.io_ports.contains(key);
        adapter.compute = listed || (!options_.compute_ports && !adapter.io);
        fabric_.adapters.push_back(adapter);
      }
    }
    if (fabric_.switches.size() < 2 || order.size() < 2) {
      throw Refusal("ftree", fmt::format("{}a tree needs two switches and two adapters; here are {} and {}",
                                         about(), fabric_.switches.size(), order.size()));
    }
  }

  /// Is it cabled to one of the switches?
  bool here(const Port& port) const { return port.peer_node != kNone && number_of_[port.peer_node] != kNone; }

  /// Which network is meant, when it is not all of the topology.
  std::string about() const {
    if (fabric_.switches.size() == topology_.count(NodeKind::switch_)) return {};
    return fmt::format("of the network of {}: ", name(0));
  }

  std::string name(std::uint32_t s) const { return topology_.display_name(fabric_.switches[s].node); }

  /// Steps from the nearest of `starts`, as the rank of every switch. @returns the most
  unsigned rank_from(std::vector<std::uint32_t> starts) {
    for (FtreeFabric::Switch& sw : fabric_.switches) sw.rank = FtreeFabric::kUnranked;
    for (const std::uint32_t s : starts) fabric_.switches[s].rank = 0;
    for (std::size_t next = 0; next < starts.size(); ++next) {
      const FtreeFabric::Switch& sw = fabric_.switches[starts[next]];
      for (const Port& port : topology_.nodes[sw.node].ports) {
        if (!here(port)) continue;
        const std::uint32_t peer = number_of_[port.peer_node];
        if (fabric_.switches[peer].rank != FtreeFabric::kUnranked) continue;
        fabric_.switches[peer].rank = sw.rank + 1;
        starts.push_back(peer);
      }
    }
    return fabric_.switches[starts.back()].rank;
  }

  /// @returns the highest rank
  unsigned rank_switches() {
    unsigned highest = 0;
    if (!roots_.empty()) {
      highest = rank_from(roots_);
    } else {
      std::set<std::uint32_t> homes;
      for (const FtreeFabric::AdapterPort& adapter : fabric_.adapters) homes.insert(adapter.home);
      const unsigned furthest = rank_from({homes.begin(), homes.end()});
      std::vector<std::uint32_t> found;
      for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s)
        if (fabric_.switches[s].rank == furthest) found.push_back(s);
      highest = rank_from(std::move(found));
    }
    if (highest > 0) return highest;
    throw Refusal("ftree", roots_.empty()
                               ? fmt::format("{}all {} switches have adapters on them (aggregation nodes are "
                                             "adapters), so none is a root; name the roots in root_guids and "
                                             "the adapters that hang on leaves in cn_guids",
                                             about(), fabric_.switches.size())
                               : fmt::format("{}root_guids names all {} switches, which leaves none below",
                                             about(), fabric_.switches.size()));
  }

  /// The port groups of switch number `s`.
  void group_ports(std::uint32_t s) {
    FtreeFabric::Switch& sw = fabric_.switches[s];
    const auto& ports = topology_.nodes[sw.node].ports;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const NodeIndex peer = ports[i].peer_node;
      if (peer == kNone || peer == sw.node) continue;
      const FtreeFabric::Cable cable{static_cast<std::uint8_t>(i + 1), ports[i].peer_port};
      const std::uint32_t number = number_of_[peer];
      if (number == kNone) {
        if (is_adapter(topology_.nodes[peer].kind)) add_group(sw.down, kNone).cables.push_back(cable);
        continue;
      }
      const unsigned rank = fabric_.switches[number].rank;
      std::vector<std::uint32_t>& side = rank > sw.rank ? sw.down : rank < sw.rank ? sw.up : sw.beside;
      const auto old =
          std::ranges::find(side, number, [&](std::uint32_t g) { return fabric_.groups[g].peer; });
      (old != side.end() ? fabric_.groups[*old] : add_group(side, number)).cables.push_back(cable);
    }
  }

  FtreeFabric::Group& add_group(std::vector<std::uint32_t>& side, std::uint32_t peer) {
    side.push_back(static_cast<std::uint32_t>(fabric_.groups.size()));
    fabric_.groups.emplace_back().peer = peer;
    return fabric_.groups.back();
  }

  /// @param highest rank there is
  void find_leaves(unsigned highest) {
    const auto first = std::ranges::find_if(fabric_.adapters, &FtreeFabric::AdapterPort::compute);
    if (first == fabric_.adapters.end()) {
      throw Refusal("ftree",
                    fmt::format("{}no adapter is a compute node; name some in cn_guids, by the GUIDs "
                                "of their ports, and not in io_guids only",
                                about()));
    }
    fabric_.leaf_rank = options_.roots.empty() ? highest : fabric_.switches[first->home].rank;
    if (fabric_.leaf_rank == 0 || fabric_.leaf_rank >= kMaxRanks) {
      throw Refusal(
          "ftree",
          fmt::format("{}from the roots to the compute nodes there must be 2 to {} ranks of switches; "
                      "to {}, on {}, there are {}",
                      about(), kMaxRanks, topology_.display_name(first->where), name(first->home),
                      fabric_.leaf_rank + 1));
    }
    for (const FtreeFabric::AdapterPort& adapter : fabric_.adapters) {
      FtreeFabric::Switch& home = fabric_.switches[adapter.home];
      if (!adapter.compute) continue;
      home.leaf = true;
      if (home.rank == fabric_.leaf_rank) continue;
      throw Refusal(
          "ftree",
          fmt::format("{}the compute node {} hangs on {} of rank {}, while the leaves have rank {} "
                      "(roots 0); name the adapters of one rank alone in cn_guids{}",
                      about(), topology_.display_name(adapter.where), name(adapter.home), home.rank,
                      fabric_.leaf_rank, options_.roots.empty() ? ", or the true roots in root_guids" : ""));
    }
  }

  void list_compute() {
    std::vector<std::vector<std::uint32_t>> on(fabric_.switches.size());
    for (std::uint32_t a = 0; a < fabric_.adapters.size(); ++a)
      if (fabric_.adapters[a].compute) on[fabric_.adapters[a].home].push_back(a);
    for (const std::uint32_t leaf : fabric_.leaves) {
      std::ranges::sort(on[leaf], {}, [&](std::uint32_t a) { return fabric_.adapters[a].home_port; });
      fabric_.compute_on.push_back(std::move(on[leaf]));
    }
  }

  const Topology& topology_;
  const FtreeOptions& options_;
  std::vector<std::uint32_t> number_of_;  // by node; kNone: not of this network
  std::vector<std::uint32_t> roots_;      // given, of this network
  FtreeFabric fabric_;
};

}  // namespace

FtreeFabric ftree_fabric(const Topology& topology, std::span<const NodeIndex> switches,
                         const FtreeOptions& options) {
  return Builder(topology, switches, options).build();
}

}  // namespace weft
