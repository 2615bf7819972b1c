#include "models/routing/sl2vl_writer.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "models/routing/opensm_order.h"

namespace weft {
namespace {

constexpr std::string_view kHeading = "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n";
constexpr std::string_view kRule = "#--------------------------------------------------------\n";

/// Who a table belongs to: port 0 of a switch, a port of an adapter.
struct Owner {
  Guid guid;
  PortRef where;
  Lid lid;
};

std::vector<Owner> owners_of(const Topology& topology) {
  std::vector<Owner> owners;
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.kind == NodeKind::switch_) {
      owners.push_back({node.guid, {n, 0}, node.lid});
      continue;
    }
    for (unsigned p = 1; p <= node.ports.size(); ++p)
      if (node.port(p).peer_node != kNone)
        owners.push_back({node.port(p).guid, {n, static_cast<std::uint8_t>(p)}, node.port(p).lid});
  }
  std::ranges::sort(owners, {}, [](const Owner& o) {
    return std::tuple(network_order(o.guid), o.where.node, o.where.port);
  });
  return owners;
}

}  // namespace

std::string write_sl2vl(const Topology& topology, const Sl2Vl& sl2vl) {
  std::string text;
  auto out = std::back_inserter(text);
  const auto line = [&](NodeIndex node, unsigned shown_out, std::uint8_t in, std::uint8_t port) {
    fmt::format_to(out, "{:<3} {:<3} :", in, shown_out);
    for (std::uint8_t sl = 0; sl < 16; ++sl) fmt::format_to(out, " {:<2}", sl2vl.vl(node, in, port, sl));
    text += '\n';
  };
  for (const Owner& owner : owners_of(topology)) {
    const Node& node = topology.nodes[owner.where.node];
    const bool is_switch = node.kind == NodeKind::switch_;
    fmt::format_to(out, "{} 0x{:016x}, base LID {}, \"{}\"\n{}{}",
                   is_switch                       ? "Switch"
                   : node.kind == NodeKind::router ? "Router"
                                                   : "Channel Adapter",
                   owner.guid, owner.lid, node.name, kHeading, kRule);
    if (!is_switch) line(owner.where.node, 0, 0, owner.where.port);
    for (unsigned port = 1; is_switch && port <= node.ports.size(); ++port) {
      if (node.port(port).peer_node == kNone) continue;
      for (unsigned in = 0; in <= node.ports.size(); ++in)
        line(owner.where.node, port, static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(port));
    }
    fmt::format_to(out, "{}\n\n", kRule.substr(0, kRule.size() - 1));
  }
  return text;
}

}  // namespace weft
