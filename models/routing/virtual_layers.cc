#include "models/routing/virtual_layers.h"

#include <algorithm>

#include "models/routing/lft_column.h"
#include "models/routing/opensm_order.h"

namespace weft {
namespace {

/// The channels of one layer and what waits for what: a search of them can be stopped by a circle and go on
/// where it stood once the circle is broken.
class Layer {
 public:
  using Channels = std::vector<std::uint32_t>;

  /// @param keys of all channels of the fabric: their order in OpenSM's tree of them
  explicit Layer(const std::vector<std::uint64_t>& keys) : keys_(keys), node_of_(keys.size(), kNone) {}

  bool empty() const { return nodes_.empty(); }

  void add(const Channels& channels, std::uint32_t path, std::uint32_t weight) {
    std::uint32_t last = kNone;
    for (const std::uint32_t channel : channels) {
      const std::uint32_t node = node_of_[channel] == kNone ? insert(channel) : node_of_[channel];
      if (last != kNone) {
        Wait* wait = find_wait(last, node);
        if (wait == nullptr) wait = &nodes_[last].waits_for.emplace_back(Wait{node});
        wait->paths.push_back(path);
        wait->weight += weight;
      }
      last = node;
    }
  }

  void remove(const Channels& channels, std::uint32_t weight) {
    for (std::size_t i = 1; i < channels.size(); ++i) {
      // A wait that was taken out is not there any more, one that was searched does not matter any more.
      Wait* wait = find_wait(node_of_[channels[i - 1]], node_of_[channels[i]]);
      if (wait != nullptr && !wait->paths.empty()) wait->weight -= weight;
    }
  }

  /// Searches on from `start` (0 for the first time); the node at which a circle closes, kNone when there is
  /// none left.
  std::uint32_t find_circle(std::uint32_t start) {
    for (std::uint32_t at = start; at != kNone;) {
      nodes_[at].state = State::on_the_way;
      std::uint32_t next = kNone;
      for (const Wait& wait : nodes_[at].waits_for) {
        if (nodes_[wait.to].state == State::on_the_way) return wait.to;
        if (nodes_[wait.to].state == State::unknown) {
          next = wait.to;
          break;
        }
      }
      if (next != kNone) {
        nodes_[next].before = at;
        at = next;
        continue;
      }
      nodes_[at].state = State::done;
      for (Wait& wait : nodes_[at].waits_for) wait.paths = {};
      const std::uint32_t before = std::exchange(nodes_[at].before, kNone);
      at = before != kNone ? before : next_unknown();
    }
    return kNone;
  }

  /// Breaks the circle that closes at `start`: takes out the wait of least weight, the first of equals, and
  /// returns its paths. The circle's nodes will be searched again.
  std::vector<std::uint32_t> break_circle(std::uint32_t start) {
    struct Step {
      std::uint32_t node;
      std::size_t wait;
    };
    std::vector<Step> circle;
    for (std::uint32_t at = start; circle.empty() || at != start;) {
      const std::vector<Wait>& waits = nodes_[at].waits_for;
      const auto on =
          std::ranges::find_if(waits, [&](const Wait& w) { return nodes_[w.to].state == State::on_the_way; });
      circle.push_back({at, static_cast<std::size_t>(on - waits.begin())});
      if (at != start) nodes_[at].state = State::unknown;
      at = on->to;
    }
    nodes_[start].state = State::unknown;
    first_unknown_ = 0;
    const auto weight = [&](const Step& s) { return nodes_[s.node].waits_for[s.wait].weight; };
    const Step weakest = *std::ranges::min_element(circle, {}, weight);
    std::vector<Wait>& waits = nodes_[weakest.node].waits_for;
    std::vector<std::uint32_t> paths = std::move(waits[weakest.wait].paths);
    waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(weakest.wait));
    return paths;
  }

 private:
  enum class State : std::uint8_t { unknown, on_the_way, done };
  struct Wait {
    std::uint32_t to = 0;
    std::uint32_t weight = 0;  // of the paths that have not left the layer
    std::vector<std::uint32_t> paths{};
  };
  struct Node {
    std::uint64_t key = 0;
    std::vector<Wait> waits_for{};  // in order of appearance
    State state = State::unknown;
    std::uint32_t before = kNone;  // on the search's way to it
    // The nodes are a binary search tree by key, never balanced: the search starts anew in its preorder.
    std::uint32_t left = kNone, right = kNone;
  };

  std::uint32_t insert(std::uint32_t channel) {
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    node_of_[channel] = number;
    nodes_.push_back({keys_[channel]});
    for (std::uint32_t at = 0; number != 0;) {
      std::uint32_t& branch = keys_[channel] < nodes_[at].key ? nodes_[at].left : nodes_[at].right;
      if (branch == kNone) {
        branch = number;
        break;
      }
      at = branch;
    }
    preorder_.clear();
    return number;
  }

  Wait* find_wait(std::uint32_t from, std::uint32_t to) {
    const auto found = std::ranges::find(nodes_[from].waits_for, to, &Wait::to);
    return found == nodes_[from].waits_for.end() ? nullptr : &*found;
  }

  std::uint32_t next_unknown() {
    if (preorder_.empty()) {
      std::vector<std::uint32_t> to_visit{0};
      while (!to_visit.empty()) {
        const std::uint32_t at = to_visit.back();
        to_visit.pop_back();
        preorder_.push_back(at);
        if (nodes_[at].right != kNone) to_visit.push_back(nodes_[at].right);
        if (nodes_[at].left != kNone) to_visit.push_back(nodes_[at].left);
      }
    }
    while (first_unknown_ < preorder_.size() && nodes_[preorder_[first_unknown_]].state != State::unknown)
      ++first_unknown_;
    return first_unknown_ == preorder_.size() ? kNone : preorder_[first_unknown_];
  }

  const std::vector<std::uint64_t>& keys_;
  std::vector<std::uint32_t> node_of_;  // by channel
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> preorder_;
  std::size_t first_unknown_ = 0;  // no node before it in preorder_ is unknown
};

class Layering {
 public:
  Layering(const Topology& topology, const ForwardingTables& lft)
      : topology_(topology), lft_(lft), graph_(topology), first_channel_(topology.nodes.size()) {
    for (const NodeIndex n : graph_.switches()) {
      first_channel_[n] = keys_.size();
      for (std::size_t p = 1; p <= topology.nodes[n].ports.size(); ++p)
        keys_.push_back(std::uint64_t{topology.nodes[n].lid} << 8 | p);
    }
  }

  LayeredPaths divide(unsigned max_layers, const std::vector<std::vector<PortRef>>& first) {
    std::vector<Layer> layers(max_layers, Layer(keys_));
    collect(layers[0], first);
    for (unsigned l = 0; l + 1 < max_layers; ++l) {
      std::uint32_t start = layers[l].empty() ? kNone : 0;
      while (start != kNone) {
        start = layers[l].find_circle(start);
        if (start == kNone) break;
        result_.layers = std::max(result_.layers, l + 2);
        for (const std::uint32_t path : layers[l].break_circle(start)) move(path, layers, l);
      }
    }
    Layer& last = layers[max_layers - 1];
    result_.free_of_circles = last.empty() || last.find_circle(0) == kNone;
    return std::move(result_);
  }

 private:
  /// Every path in OpenSM's order: by destination port, then by source switch.
  void collect(Layer& layer, const std::vector<std::vector<PortRef>>& first) {
    const std::vector<LidOwner> ports = opensm_sssp_order(topology_, graph_, first);
    std::vector<NodeIndex> sources;
    std::vector<std::uint32_t> weight(topology_.nodes.size());
    for (const LidOwner& owner : ports) {
      if (owner.where.port == 0) continue;
      if (weight[owner.home] == 0) sources.push_back(owner.home);
      weight[owner.home] += owner.lids;
    }
    for (const LidOwner& destination : ports)
      for (const NodeIndex source : sources)
        for (Lid lid = destination.base; lid < destination.base + destination.lids; ++lid) {
          if (source == destination.home) continue;
          layer.add(channels_of(source, lid), static_cast<std::uint32_t>(result_.paths.size()),
                    weight[source]);
          result_.paths.push_back({source, lid, weight[source], 0});
        }
  }

  const Layer::Channels& channels_of(NodeIndex source, Lid lid) {
    channels_.clear();
    for (NodeIndex at = source;;) {
      const std::uint8_t port = lft_[at][lid];
      if (port == 0 || port > topology_.nodes[at].ports.size()) break;
      const NodeIndex next = topology_.nodes[at].port(port).peer_node;
      if (next == kNone || topology_.nodes[next].kind != NodeKind::switch_) break;
      channels_.push_back(static_cast<std::uint32_t>(first_channel_[at] + port - 1u));
      at = next;
    }
    return channels_;
  }

  /// Moves a path on from layer `number`, unless it was moved before.
  void move(std::uint32_t path_number, std::vector<Layer>& layers, unsigned number) {
    LayeredPath& path = result_.paths[path_number];
    if (path.layer != number) return;
    const Layer::Channels& channels = channels_of(path.source, path.destination);
    layers[number].remove(channels, path.weight);
    layers[number + 1].add(channels, path_number, path.weight);
    ++path.layer;
  }

  const Topology& topology_;
  const ForwardingTables& lft_;
  const SwitchGraph graph_;
  std::vector<std::size_t> first_channel_;  // by node
  std::vector<std::uint64_t> keys_;         // by channel
  Layer::Channels channels_;
  LayeredPaths result_;
};

}  // namespace

LayeredPaths layer_paths(const Topology& topology, const ForwardingTables& lft, unsigned max_layers,
                         const std::vector<std::vector<PortRef>>& first) {
  return Layering(topology, lft).divide(max_layers, first);
}

}  // namespace weft
