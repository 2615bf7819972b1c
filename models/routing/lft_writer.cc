#include "models/routing/lft_writer.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "models/routing/switch_graph.h"

namespace weft {
namespace {

/// A name on one line, whatever it holds.
std::string one_line(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return name;
}

}  // namespace

std::string write_lfts(const Topology& topology, const Routes& routes) {
  std::unordered_map<Lid, LidOwner> owner_of;
  for (const LidOwner& owner : lid_owners(topology)) {
    for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) owner_of.emplace(lid, owner);
  }
  std::string text;
  auto out = std::back_inserter(text);
  const Lid last = topology.max_lid();
  for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
    const Node& sw = topology.nodes[node];
    if (sw.kind != NodeKind::switch_) continue;
    fmt::format_to(out, "Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", last, sw.lid,
                   sw.guid, one_line(sw.name));
    const LftRow row = routes.lft[node];
    for (Lid lid = 1; lid < row.size(); ++lid) {
      if (row[lid] == kNoPort) continue;
      fmt::format_to(out, "0x{:04x} {:03} # ", lid, row[lid]);
      const auto found = owner_of.find(lid);
      if (found == owner_of.end()) {
        text += "unknown node and type\n";
        continue;
      }
      const PortRef where = found->second.where;
      const Node& owner = topology.nodes[where.node];
      const bool is_switch = owner.kind == NodeKind::switch_;
      const std::string_view type = is_switch                        ? "Switch"
                                    : owner.kind == NodeKind::router ? "Router"
                                                                     : "Channel Adapter";
      const Guid guid = is_switch ? owner.guid : owner.port(where.port).guid;
      fmt::format_to(out, "{} portguid 0x{:016x}: '{}'\n", type, guid, one_line(owner.name));
    }
    fmt::format_to(out, "{} lids dumped\n", last);
  }
  return text;
}

}  // namespace weft
