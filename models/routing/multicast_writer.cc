#include "models/routing/multicast_writer.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "models/routing/opensm_order.h"

namespace weft {

std::string write_multicast(const Topology& topology, const MulticastTables& tables) {
  std::vector<Lid> mlids;
  for (const MulticastGroup& group : tables.groups()) mlids.push_back(group.mlid);
  std::ranges::sort(mlids);
  std::string text;
  auto out = std::back_inserter(text);
  for (const NodeIndex sw : opensm_switches(topology, SwitchGraph(topology))) {
    bool headed = false;
    for (const Lid mlid : mlids) {
      const std::span<const std::uint8_t> ports = tables.ports(sw, mlid);
      if (ports.empty()) continue;
      if (!headed) fmt::format_to(out, "\nSwitch 0x{:016x}\nLID    : Out Port(s)\n", topology.nodes[sw].guid);
      headed = true;
      fmt::format_to(out, "0x{:04X} :", mlid);
      for (const std::uint8_t port : ports) fmt::format_to(out, " 0x{:03X} ", port);
      text += '\n';
    }
  }
  return text;
}

}  // namespace weft
