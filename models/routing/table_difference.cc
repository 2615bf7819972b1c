#include "models/routing/table_difference.h"

#include <algorithm>
#include <numeric>

#include "models/routing/switch_graph.h"
#include "models/topology/networks.h"

namespace weft {
namespace {

/// For one LID: whether packets from a switch on take the same way in both fabrics.
class SameWay {
 public:
  explicit SameWay(std::size_t nodes) : state_(nodes) {}

  /// @param same whether a switch has the same entry in both  @param next where that leads, kNone: nowhere
  /// further
  template <class Same, class Next>
  bool from(NodeIndex start, Same same, Next next) {
    path_.clear();
    NodeIndex at = start;
    while (at != kNone && state_[at] == State::unknown) {
      state_[at] = State::on_the_way;
      path_.push_back(at);
      if (!same(at)) break;
      at = next(at);
    }
    // A circle, in both alike, is the same way too.
    const bool all_same =
        at == kNone || state_[at] == State::same || (state_[at] == State::on_the_way && same(at));
    for (const NodeIndex node : path_) state_[node] = all_same ? State::same : State::other;
    return state_[start] == State::same;
  }

  void clear() { std::ranges::fill(state_, State::unknown); }

 private:
  enum class State : std::uint8_t { unknown, on_the_way, same, other };
  std::vector<State> state_;
  std::vector<NodeIndex> path_;
};

}  // namespace

TableDifference compare_tables(const Topology& topology, const ForwardingTables& before, const Topology& left,
                               const ForwardingTables& after, const std::vector<NodeIndex>& now) {
  TableDifference result;
  std::vector<NodeIndex> was(left.nodes.size(), kNone), switches;
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    if (now[n] == kNone) continue;
    was[now[n]] = n;
    if (topology.nodes[n].kind == NodeKind::switch_) switches.push_back(n);
  }
  const std::vector<LidOwner> owners = lid_owners(left);  // those that can still be sent to
  const auto is_end = [&](const LidOwner& owner) {
    return owner.home != kNone && left.nodes[owner.where.node].kind == NodeKind::hca;
  };
  const std::vector<std::uint32_t> network = networks_of_switches(left);
  std::vector<std::size_t> different(topology.nodes.size());
  std::vector<std::uint32_t> ends(topology.nodes.size());  // by switch
  std::vector<NodeIndex> homes;
  for (const LidOwner& owner : owners)
    if (is_end(owner) && ends[was[owner.home]]++ == 0) homes.push_back(was[owner.home]);
  SameWay way(topology.nodes.size());
  for (const LidOwner& owner : owners) {
    for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) {
      const auto same = [&](NodeIndex n) { return now[n] != kNone && before[n][lid] == after[now[n]][lid]; };
      const auto next = [&](NodeIndex n) {
        const std::uint8_t port = before[n][lid];
        if (port == 0 || port > topology.nodes[n].ports.size()) return kNone;
        const NodeIndex peer = topology.nodes[n].port(port).peer_node;
        return peer != kNone && topology.nodes[peer].kind == NodeKind::switch_ ? peer : kNone;
      };
      for (const NodeIndex n : switches) {
        ++result.entries;
        if (same(n)) continue;
        ++result.different;
        ++different[n];
      }
      if (!is_end(owner)) continue;
      way.clear();
      for (const NodeIndex home : homes) {
        if (network[now[home]] != network[owner.home]) continue;
        const std::uint64_t pairs = ends[home] - (home == was[owner.home] ? 1 : 0);
        result.pairs += pairs;
        if (!way.from(home, same, next)) result.changed += pairs;
      }
    }
  }
  for (const NodeIndex n : switches)
    if (different[n] > 0) result.switches.push_back({n, different[n]});
  std::ranges::stable_sort(result.switches, std::greater(), &TableDifference::OfSwitch::different);
  return result;
}

TableDifference compare_tables(const Topology& topology, const ForwardingTables& before,
                               const ForwardingTables& after) {
  std::vector<NodeIndex> same(topology.nodes.size());
  std::iota(same.begin(), same.end(), NodeIndex{0});
  return compare_tables(topology, before, topology, after, same);
}

}  // namespace weft
