#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/topology/topology.h"
namespace weft {
struct Routes;
inline constexpr Lid kFirstMulticastLid = 0xC000;
struct MulticastGroup {
  Lid mlid = 0;
  std::vector<PortRef> members;
};
class MulticastTables {
 public:
  MulticastTables() = default;
  MulticastTables(const Topology&, std::vector<MulticastGroup> groups) : groups_(std::move(groups)) {}
  bool empty() const { return groups_.empty(); }
  const std::vector<MulticastGroup>& groups() const { return groups_; }
  void add(MulticastGroup group) { groups_.push_back(std::move(group)); }
  void set(NodeIndex node, Lid mlid, std::vector<std::uint8_t> ports) {
    ports_[{node, mlid}] = std::move(ports);
  }
  std::span<const std::uint8_t> ports(NodeIndex node, Lid mlid) const {
    const auto found = ports_.find({node, mlid});
    if (found == ports_.end()) return {};
    return found->second;
  }

 private:
  std::vector<MulticastGroup> groups_;
  std::map<std::pair<NodeIndex, Lid>, std::vector<std::uint8_t>> ports_;
};
inline MulticastTables build_multicast(const Topology&, const Routes&,
                                       const std::vector<MulticastGroup>& groups) {
  MulticastTables t;
  for (const auto& g : groups) t.add(g);
  return t;
}
}  // namespace weft
