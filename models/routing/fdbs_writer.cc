#include "models/routing/fdbs_writer.h"

#include <iterator>

#include <fmt/format.h>

#include "models/routing/opensm_order.h"
#include "models/routing/switch_graph.h"

namespace weft {
namespace {

/// Links of the path from switch `at` to `owner`; kNone when it does not arrive.
std::uint32_t links_to(const Topology& topology, const Routes& routes, NodeIndex at, const LidOwner& owner,
                       Lid lid) {
  for (std::uint32_t links = 0; links <= topology.nodes.size(); ++links) {
    const std::uint8_t out = routes.lft[at][lid];
    if (out == 0) return at == owner.where.node ? links : kNone;
    if (out > topology.nodes[at].ports.size()) return kNone;
    const Port& port = topology.nodes[at].port(out);
    if (owner.where.port != 0 && PortRef{port.peer_node, port.peer_port} == owner.where) return links + 1;
    if (port.peer_node == kNone || topology.nodes[port.peer_node].kind != NodeKind::switch_) return kNone;
    at = port.peer_node;
  }
  return kNone;
}

}  // namespace

std::string write_fdbs(const Topology& topology, const Routes& routes) {
  const Lid last = topology.max_lid();
  std::vector<const LidOwner*> owner_of(last + 1, nullptr);
  const std::vector<LidOwner> owners = lid_owners(topology);
  for (const LidOwner& owner : owners)
    for (Lid lid = owner.base; lid < owner.base + owner.lids; ++lid) owner_of[lid] = &owner;
  const SwitchGraph graph(topology);
  std::string text;
  auto out = std::back_inserter(text);
  for (const NodeIndex node : opensm_switches(topology, graph)) {
    fmt::format_to(out, "dump_ucast_routes: Switch 0x{:016x}\nLID    : Port : Hops : Optimal\n",
                   topology.nodes[node].guid);
    const std::vector<std::uint32_t> distance = graph.distances(node);
    const LftRow row = routes.lft[node];
    for (Lid lid = 1; lid <= last; ++lid) {
      fmt::format_to(out, "0x{:04X} : ", lid);
      if (owner_of[lid] == nullptr || row[lid] == kNoPort) {
        text += "UNREACHABLE\n";
        continue;
      }
      const LidOwner& owner = *owner_of[lid];
      const std::uint32_t hops = links_to(topology, routes, node, owner, lid);
      if (hops == kNone) {
        fmt::format_to(out, "{:03}  : HOPS UNKNOWN\n", row[lid]);
        continue;
      }
      const std::uint32_t least = distance[owner.home] + (owner.where.port == 0 ? 0 : 1);
      fmt::format_to(out, "{:03}  : {:02}   : ", row[lid], hops);
      if (hops == least)
        text += "yes\n";
      else
        fmt::format_to(out, "No, {} hops are possible\n", least);
    }
  }
  return text;
}

}  // namespace weft
