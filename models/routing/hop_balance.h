// How OpenSM spreads destinations over ports: what minhop, updn, dnup and dor have in common. They differ in
// the ports that begin an allowed way (hop_ports.h) and, dor, in how far it spreads; all else is here.
//
// It follows OpenSM 3.3.23 to the letter (osm_ucast_mgr, osm_switch_recommend_path), so that the tables are
// the tables OpenSM would load into the same fabric:
//  - destinations come in opensm_turns' order, ports of a guid_routing_order file before all others;
//  - a switch counts, per port, the adapter LIDs it has sent there; of the allowed ports the one with
//    fewest is taken, the first in search order (by number, or as a port_search_ordering file says). LIDs
//    of switches are not counted;
//  - with LMC > 0 the further LIDs of a port start their search behind the port of the LID before, and
//    prefer a neighbour in a system (then a switch) that the port's earlier LIDs do not use yet;
//  - port_shifting turns the list of allowed ports by the paths an average one of them carries;
//  - scatter_ports draws among the ports with fewest paths, for the first LID of a destination;
//  - dor takes the first allowed port in search order and spreads over its neighbour's parallel cables
//    alone; its further LIDs start where the first did and prefer, among cables equally used, the one the
//    port's earlier LIDs use least.
//
// Left out: ports ignored in the counts (-i), hop weights (-w), switches counted as paths
// (port_profile_switch_nodes), guid_routing_order_no_scatter, tables kept from an earlier sweep.
#pragma once

#include <string>
#include <vector>

#include "models/routing/hop_ports.h"
#include "models/routing/switch_graph.h"
#include "sim/text_file.h"

namespace weft {

struct BalanceRules {
  std::vector<PortRef> first;  // destinations that come before all others; port 0: a switch
  std::vector<std::vector<std::uint8_t>> search_order;  // by node: all its ports, or nothing for 1, 2, 3 ...
  std::uint32_t scatter_ports = 0;                      // a seed; 0: no draws
  bool port_shifting = false;
  bool one_neighbour = false;  // dor
};

/// What a user may say of these rules: keys of all four engines.
class BalanceKeys {
 public:
  void describe(Describe& d);
  /// Reads the files. What they name without effect is added to `warnings`.
  /// @throws ConfigError located in a file that cannot be used
  BalanceRules rules(const Topology& topology, const RoutingContext& context,
                     std::vector<std::string>& warnings) const;

 private:
  std::string guid_routing_order_, port_search_ordering_;
  std::uint32_t scatter_ports_ = 0;
  bool port_shifting_ = false;
};

/// Destinations in the order of a guid_routing_order file: port GUIDs, one a line. @throws ConfigError
/// located
std::vector<PortRef> read_routing_order(const TextFile& file, const Topology& topology,
                                        std::vector<std::string>& warnings);
/// Lines of a switch GUID and port numbers, the ports not named following in order. @throws ConfigError
/// located
std::vector<std::vector<std::uint8_t>> read_search_ordering(const TextFile& file, const Topology& topology);

/// The tables; LIDs without any allowed way stay kNoPort.
ForwardingTables balance_hops(const Topology& topology, const SwitchGraph& graph, HopPorts& ways,
                              const BalanceRules& rules);

}  // namespace weft
