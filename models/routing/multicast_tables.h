// Multicast forwarding tables (IBA vol. 1 §14.2.5.7): for a group, the ports of each switch that its packets
// leave by, all but the one they came by.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

inline constexpr Lid kFirstMulticastLid = 0xC000, kLastMulticastLid = 0xFFFE;  // IBA vol. 1 §4.1.3

struct MulticastGroup {
  Lid mlid = 0;
  std::vector<PortRef> members;  // adapter ports: each may send, and receives what the others send
};

/// Its only member has nobody to send to: no switch needs to know of the group, and OpenSM tells none.
bool lone(const MulticastGroup& group);

class MulticastTables {
 public:
  MulticastTables() = default;
  /// Of groups with different MLIDs; every table is empty yet.
  explicit MulticastTables(std::vector<MulticastGroup> groups) : groups_(std::move(groups)) {}

  bool empty() const { return groups_.empty(); }
  const std::vector<MulticastGroup>& groups() const { return groups_; }

  /// Replaces what `node`, a switch, has for a group. @param ports in ascending order
  void set(NodeIndex node, Lid mlid, std::vector<std::uint8_t> ports) {
    ports_[{mlid, node}] = std::move(ports);
  }
  /// Empty at a switch that is not on the group's tree.
  std::span<const std::uint8_t> ports(NodeIndex node, Lid mlid) const {
    const auto found = ports_.find({mlid, node});
    return found == ports_.end() ? std::span<const std::uint8_t>() : found->second;
  }

 private:
  std::vector<MulticastGroup> groups_;
  std::map<std::pair<Lid, NodeIndex>, std::vector<std::uint8_t>> ports_;
};

/// What keeps the tables of a group from being a tree that joins its members and leads to nobody else; empty
/// when they are one. Then a packet of any member reaches every other once.
std::vector<std::string> check_multicast(const Topology& topology, const MulticastTables& tables,
                                         const MulticastGroup& group);

}  // namespace weft
