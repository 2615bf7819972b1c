// What routing engines see of a fabric: the switches, the cables between them, and the addressed ports
// hanging on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/routing/routes.h"

namespace weft {

/// A switch port whose cable leads to another switch.
struct SwitchLink {
  std::uint8_t port = 0;
  NodeIndex peer = kNone;
};

/// A LID owner: a cabled port of an adapter, or a switch's management port.
struct LidOwner {
  PortRef where;  // port 0 = the switch itself
  Lid base = 0;
  std::uint32_t lids = 1;      // 2^lmc
  NodeIndex home = kNone;      // the switch it hangs on (itself for a switch); kNone: cabled to no switch
  std::uint8_t home_port = 0;  // the port of `home` it hangs on; 0 for a switch
};

class SwitchGraph {
 public:
  explicit SwitchGraph(const Topology& topology);

  const std::vector<NodeIndex>& switches() const { return switches_; }
  /// Ports towards other switches, in port order. A cable from a switch to itself is no link.
  std::span<const SwitchLink> links(NodeIndex node) const {
    return std::span(links_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  /// Cables on the shortest way from `from` to each node; kUnreached where there is none.
  std::vector<std::uint32_t> distances(NodeIndex from) const;
  static constexpr std::uint32_t kUnreached = 0xffff'ffff;

 private:
  std::vector<NodeIndex> switches_;
  std::vector<SwitchLink> links_;
  std::vector<std::uint32_t> first_;  // by NodeIndex, one more at the end
};

/// Every port that has a LID, in node and port order: cabled adapter ports (aggregation nodes too), then
/// switches.
std::vector<LidOwner> lid_owners(const Topology& topology);

/// The table of a switch that knows only its own LIDs (port 0): kNoPort for all others up to `last`.
Lft blank_table(const Node& sw, Lid last);

}  // namespace weft
