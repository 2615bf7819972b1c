#include "models/topology/slurm_writer.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "models/topology/hostlist.h"
#include "models/topology/machines.h"
#include "sim/error.h"

namespace weft {

namespace {

/// Disjoint sets of nodes.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }
  NodeIndex find(NodeIndex n) {
    while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
    return n;
  }
  /// The lower number stands for both.
  void join(NodeIndex a, NodeIndex b) {
    const auto [low, high] = std::minmax({find(a), find(b)});
    parent_[high] = low;
  }

 private:
  std::vector<NodeIndex> parent_;
};

/// A switch as Slurm sees it.
struct SlurmSwitch {
  std::string name;
  std::vector<std::string> nodes, switches;  // below it: one of the two
  std::vector<std::string> stands_for;
};

/// Names without what Slurm reads as something else, each once.
class Names {
 public:
  std::string of(std::string_view name) {
    std::string plain(name);
    std::ranges::replace_if(
        plain,
        [](char c) {
          const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
          return !letter && c != '-' && c != '_' && c != '.';
        },
        '-');
    std::string unique = plain;
    for (unsigned n = 2; !used_.insert(unique).second; ++n) unique = fmt::format("{}-{}", plain, n);
    changed_ += unique != name;
    return unique;
  }
  std::size_t changed() const { return changed_; }

 private:
  std::set<std::string> used_;
  std::size_t changed_ = 0;
};

class Hierarchy {
 public:
  explicit Hierarchy(const Topology& topology)
      : topology_(topology), sets_(topology.nodes.size()), rank_(topology.nodes.size(), kNone) {}

  std::string write() {
    if (topology_.grid)
      throw BadValue("",
                     "a torus is no tree: Slurm has the plugin topology/3d_torus for it, which needs no "
                     "topology.conf");
    seat_machines();
    rank_switches();
    for (std::uint32_t level = 1; level <= highest_; ++level) {
      for (const Cable& cable : topology_.cables)
        if (const auto [low, high] = ranks(cable); high == level && low + 1 == level)
          sets_.join(cable.a.node, cable.b.node);
      put_parents(level);
    }
    for (const Cable& cable : topology_.cables)
      if (ranks(cable).second != kNone) sets_.join(cable.a.node, cable.b.node);
    put_parents(kNone);
    return text();
  }

 private:
  /// Lower and higher rank of a cable's ends; kNone where one is no switch that leads to machines.
  std::pair<std::uint32_t, std::uint32_t> ranks(const Cable& cable) const {
    return std::minmax(rank_[cable.a.node], rank_[cable.b.node]);
  }

  void seat_machines() {
    std::vector<NodeIndex> first(topology_.hosts.size(), kNone);  // switch of each machine
    for (const Node& node : topology_.nodes) {
      if (node.kind != NodeKind::hca) continue;
      for (const Port& port : node.ports) {
        if (port.peer_node == kNone || topology_.nodes[port.peer_node].kind != NodeKind::switch_) continue;
        rank_[port.peer_node] = 0;
        if (first[node.host] == kNone) first[node.host] = port.peer_node;
        sets_.join(first[node.host], port.peer_node);
      }
    }
    std::map<NodeIndex, SlurmSwitch> leaves;
    for (NodeIndex n = 0; n < rank_.size(); ++n)
      if (rank_[n] == 0) leaves[sets_.find(n)].stands_for.push_back(topology_.nodes[n].name);
    for (std::size_t host = 0; host < first.size(); ++host) {
      if (first[host] == kNone)
        throw BadValue("",
                       fmt::format("machine `{}` is on no switch; Slurm's tree needs one above every node",
                                   topology_.hosts[host]));
      leaves[sets_.find(first[host])].nodes.push_back(node_names_.of(topology_.hosts[host]));
    }
    for (auto& [set, leaf] : leaves) {
      std::ranges::sort(leaf.stands_for, natural_less);
      if (leaf.stands_for.size() > 1) ++merged_;
      leaf.name = switch_names_.of(leaf.stands_for[0]);
      roots_.emplace_back(set, leaf.name);
      switches_.push_back(std::move(leaf));
    }
  }

  /// Rank 0: has machines. Others: cables to the nearest of these.
  void rank_switches() {
    std::vector<NodeIndex> queue;
    for (NodeIndex n = 0; n < rank_.size(); ++n)
      if (rank_[n] == 0) queue.push_back(n);
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (const Port& port : topology_.nodes[queue[next]].ports) {
        const NodeIndex peer = port.peer_node;
        if (peer == kNone || topology_.nodes[peer].kind != NodeKind::switch_ || rank_[peer] != kNone)
          continue;
        rank_[peer] = highest_ = rank_[queue[next]] + 1;
        queue.push_back(peer);
      }
  }

  /// A parent for each set that holds several roots now; kNone: joined within levels, by no switch above.
  void put_parents(std::uint32_t level) {
    std::map<NodeIndex, std::vector<std::string>> below;
    std::map<NodeIndex, SlurmSwitch> parents;
    for (const auto& [node, name] : roots_) below[sets_.find(node)].push_back(name);
    for (NodeIndex n = 0; n < rank_.size(); ++n)
      if (rank_[n] == level && level != kNone)
        parents[sets_.find(n)].stands_for.push_back(topology_.nodes[n].name);
    roots_.clear();
    for (auto& [set, names] : below) {
      if (names.size() == 1) {
        roots_.emplace_back(set, names[0]);
        continue;
      }
      SlurmSwitch& parent = parents[set];
      std::ranges::sort(parent.stands_for, natural_less);
      std::ranges::sort(names, natural_less);
      flat_ = flat_ || level == kNone;
      parent.name = switch_names_.of(level == kNone ? "top" : parent.stands_for[0]);
      parent.switches = std::move(names);
      roots_.emplace_back(set, parent.name);
      switches_.push_back(std::move(parent));
    }
  }

  std::string text() const {
    std::string out = "# topology.conf of Slurm's topology/tree: written by Weft\n";
    if (merged_ > 0)
      out += fmt::format(
          "# {} leaves stand for several switches each, with the same machines on all of them\n", merged_);
    if (flat_)
      out +=
          "# Switches of one level are cabled with each other, which a tree cannot say: `top` joins them.\n"
          "# In a dragonfly, TopologyParam=dragonfly in slurm.conf spreads a job over many leaves.\n";
    if (const std::size_t n = node_names_.changed() + switch_names_.changed(); n > 0)
      out += fmt::format("# {} names are changed where Slurm would read them as something else\n", n);
    for (const SlurmSwitch& one : switches_) {
      out += fmt::format("SwitchName={} {}={}", one.name, one.nodes.empty() ? "Switches" : "Nodes",
                         hostlist(one.nodes.empty() ? one.switches : one.nodes));
      if (one.stands_for.size() > 1) out += "  # " + printable(hostlist(one.stands_for));
      out += '\n';
    }
    return out;
  }

  const Topology& topology_;
  Sets sets_;
  std::vector<std::uint32_t> rank_;  // by node; kNone: no switch, or none that leads to machines
  std::uint32_t highest_ = 0;
  std::vector<std::pair<NodeIndex, std::string>> roots_;  // one node, and the Slurm switch that is above it
  std::vector<SlurmSwitch> switches_;
  Names node_names_, switch_names_;
  std::size_t merged_ = 0;
  bool flat_ = false;
};

}  // namespace

std::string write_slurm(const Topology& topology) { return Hierarchy(topology).write(); }

}  // namespace weft
