#include "models/routing/opensm_order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace weft {

Guid network_order(Guid guid) {
  Guid reversed = 0;
  for (int byte = 0; byte < 8; ++byte) reversed = reversed << 8 | (guid >> (8 * byte) & 0xff);
  return reversed;
}

std::vector<NodeIndex> opensm_switches(const Topology& topology, const SwitchGraph& graph) {
  std::vector<NodeIndex> order = graph.switches();
  std::ranges::sort(order, {},
                    [&](NodeIndex n) { return std::pair(network_order(topology.nodes[n].guid), n); });
  return order;
}

std::vector<Turn> opensm_turns(const Topology& topology, const SwitchGraph& graph) {
  std::map<NodeIndex, std::vector<LidOwner>> adapters, selves;
  for (const LidOwner& owner : lid_owners(topology)) {
    if (owner.home == kNone) continue;
    (owner.where.port == 0 ? selves : adapters)[owner.home].push_back(owner);
  }
  // Ports with a cable to something else than a switch: OpenSM's measure of a switch's load, LID or not.
  std::map<NodeIndex, std::size_t> load;
  for (const NodeIndex node : graph.switches()) {
    for (const Port& port : topology.nodes[node].ports) {
      if (port.peer_node != kNone && topology.nodes[port.peer_node].kind != NodeKind::switch_) ++load[node];
    }
  }
  const std::vector<NodeIndex> by_guid = opensm_switches(topology, graph);
  std::vector<NodeIndex> order = by_guid;
  std::ranges::stable_sort(order, std::greater(), [&](NodeIndex node) { return load[node]; });
  std::vector<Turn> turns;
  for (const NodeIndex node : order) {
    std::ranges::sort(adapters[node], {}, &LidOwner::home_port);
    turns.push_back({node, std::move(adapters[node])});
  }
  for (const NodeIndex node : by_guid) turns.push_back({node, std::move(selves[node])});
  return turns;
}

std::vector<LidOwner> opensm_sssp_order(const Topology& topology, const SwitchGraph& graph,
                                        const std::vector<std::vector<PortRef>>& first) {
  const std::vector<Turn> turns = opensm_turns(topology, graph);
  const std::size_t switches = turns.size() / 2;  // adapters of each, then themselves
  std::map<NodeIndex, std::vector<LidOwner>> selves;
  for (std::size_t i = switches; i < turns.size(); ++i) selves[turns[i].home] = turns[i].owners;
  // Which list an adapter port is in; the last stands for none.
  const auto list_of = [&](const LidOwner& owner) {
    std::size_t list = 0;
    while (list < first.size() && std::ranges::find(first[list], owner.where) == first[list].end()) ++list;
    return list;
  };
  std::vector<LidOwner> order;
  for (std::size_t list = 0; list <= first.size(); ++list)
    for (std::size_t i = 0; i < switches; ++i)
      std::ranges::copy_if(turns[i].owners, std::back_inserter(order), [&](const LidOwner& owner) {
        return topology.nodes[owner.where.node].kind != NodeKind::router && list_of(owner) == list;
      });
  for (std::size_t i = 0; i < switches; ++i)
    std::ranges::copy(selves[turns[i].home], std::back_inserter(order));
  return order;
}

}  // namespace weft
