#include "models/routing/subnet_list_writer.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/routing/opensm_order.h"

namespace weft {
namespace {

std::string description(const Node& node) {
  std::string text = node.name.substr(0, 64);
  for (char& c : text) {
    if (c == '{') c = '(';
    if (c == '}') c = ')';
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

std::string_view type_of(const Node& node) {
  return node.kind == NodeKind::switch_ ? "SW" : node.kind == NodeKind::router ? "Rt" : "CA";
}

/// Signalling rate of a lane, as OpenSM says it.
std::string_view speed_of(Generation generation) {
  switch (generation) {
    case Generation::sdr:
      return "2.5";
    case Generation::ddr:
      return "5";
    case Generation::qdr:
      return "10";
    case Generation::fdr10:
      return "FDR10";
    case Generation::fdr:
      return "14";
    case Generation::edr:
      return "25";
    case Generation::hdr:
      return "50";
    case Generation::ndr:
      return "100";
    case Generation::xdr:
      return "200";
  }
  return "??";
}

/// @param near the line's first end: OpenSM writes the two ends a little differently
std::string end_text(const Topology& topology, PortRef end, bool near) {
  const Node& node = topology.nodes[end.node];
  const bool is_switch = node.kind == NodeKind::switch_;
  const Port& port = node.port(end.port);
  const std::string ids = near ? fmt::format("VenID:{:06X} DevID:{:04X}", node.vendor_id, node.device_id)
                               : fmt::format("VenID:{:08X} DevID:{:04X}0000", node.vendor_id, node.device_id);
  return fmt::format(
      "{{ {} Ports:{:02X} SystemGUID:{:016x} NodeGUID:{:016x} PortGUID:{:016x} {} Rev:00000000 {{{}}} "
      "LID:{:04X} "
      "PN:{:02X} }}",
      type_of(node), node.ports.size(), node.system_guid, node.guid, is_switch ? node.guid : port.guid, ids,
      description(node), is_switch ? node.lid : port.lid, end.port);
}

}  // namespace

std::string write_subnet_list(const Topology& topology) {
  std::vector<NodeIndex> order(topology.nodes.size());
  std::iota(order.begin(), order.end(), NodeIndex{0});
  std::ranges::sort(order, {},
                    [&](NodeIndex n) { return std::pair(network_order(topology.nodes[n].guid), n); });
  std::string text;
  for (const NodeIndex n : order) {
    const Node& node = topology.nodes[n];
    for (unsigned number = 1; number <= node.ports.size(); ++number) {
      const Port& port = node.port(number);
      if (port.peer_node == kNone) continue;
      const LinkSpec& link = topology.cables[port.cable].link;
      fmt::format_to(std::back_inserter(text), "{} {} PHY={}x LOG=ACT SPD={}\n",
                     end_text(topology, {n, static_cast<std::uint8_t>(number)}, true),
                     end_text(topology, {port.peer_node, port.peer_port}, false), link.width,
                     speed_of(link.generation));
    }
  }
  return text;
}

}  // namespace weft
