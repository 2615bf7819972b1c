// Topology::check(): what must hold in any topology, whoever built it.
#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "models/topology/topology.h"
#include "models/topology/topology_graph.h"

namespace weft {

namespace {

using Findings = std::vector<std::string>;
using Names = std::vector<std::string>;

bool exists(const Topology& topology, PortRef end) {
  return end.node < topology.nodes.size() && end.port >= 1 &&
         end.port <= topology.nodes[end.node].ports.size();
}

std::string text(const Names& names, PortRef end) {
  return end.node < names.size() ? fmt::format("{}[{}]", names[end.node], end.port)
                                 : fmt::format("node {}[{}]", end.node, end.port);
}

void check_cables(const Topology& topology, const Names& names, Findings& findings) {
  for (std::uint32_t c = 0; c < topology.cables.size(); ++c) {
    const Cable& cable = topology.cables[c];
    if (cable.a == cable.b) findings.push_back(fmt::format("{} is cabled to itself", text(names, cable.a)));
    for (const auto& [here, there] : {std::pair{cable.a, cable.b}, std::pair{cable.b, cable.a}}) {
      if (!exists(topology, here)) {
        findings.push_back(fmt::format("cable {} ends at {}, which does not exist", c, text(names, here)));
        continue;
      }
      const Port& port = topology.nodes[here.node].port(here.port);
      if (port.cable != c || port.peer_node != there.node || port.peer_port != there.port)
        findings.push_back(fmt::format("cable {} joins {} and {}, but {} does not say so", c,
                                       text(names, here), text(names, there), text(names, here)));
    }
    if (data_rate(cable.link).bits_per_second.num == 0)
      findings.push_back(
          fmt::format("the link {} - {} has rate 0", text(names, cable.a), text(names, cable.b)));
  }
}

void check_ports(const Topology& topology, const Names& names, Findings& findings) {
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.ports.size() > 254)
      findings.push_back(
          fmt::format("{} has {} ports; InfiniBand numbers ports 1 to 254", names[n], node.ports.size()));
    if (node.kind == NodeKind::hca && node.host >= topology.hosts.size())
      findings.push_back(fmt::format("{} sits in no machine", names[n]));
    const bool any =
        std::ranges::any_of(node.ports, [](const Port& port) { return port.peer_node != kNone; });
    if (!any) findings.push_back(fmt::format("{} has no cable", names[n]));
    for (std::size_t p = 0; p < node.ports.size(); ++p) {
      const Port& port = node.ports[p];
      const bool cabled = port.cable < topology.cables.size();
      if ((port.peer_node != kNone) != cabled)
        findings.push_back(
            fmt::format("{}[{}] has a peer but no cable, or a cable but no peer", names[n], p + 1));
    }
  }
}

void check_addresses(const Topology& topology, const Names& names, Findings& findings) {
  std::unordered_map<Guid, NodeIndex> guids;
  std::map<Lid, std::pair<Lid, std::string>> ranges;  // first -> last, whose
  const auto claim = [&](Lid lid, unsigned lmc, std::string whose) {
    if (lid == 0) return;
    const Lid last = lid + (1u << lmc) - 1;
    auto after = ranges.upper_bound(last);
    if (after != ranges.begin()) {
      const auto& [first, other] = *std::prev(after);
      if (other.first >= lid)
        findings.push_back(
            fmt::format("LID {} belongs to both {} and {}", std::max(first, lid), other.second, whose));
    }
    ranges.try_emplace(lid, last, std::move(whose));
  };
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.guid != 0) {
      const auto [other, fresh] = guids.try_emplace(node.guid, n);
      if (!fresh)
        findings.push_back(fmt::format("{} and {} have the same GUID", names[other->second], names[n]));
    }
    if (node.lmc > 7)
      findings.push_back(fmt::format("{} has LMC {}; it is at most 7", names[n], node.lmc));
    else
      claim(node.lid, node.lmc, names[n]);
    for (std::size_t p = 0; p < node.ports.size(); ++p) {
      const Port& port = node.ports[p];
      if (port.lmc > 7)
        findings.push_back(fmt::format("{}[{}] has LMC {}; it is at most 7", names[n], p + 1, port.lmc));
      else
        claim(port.lid, port.lmc, fmt::format("{}[{}]", names[n], p + 1));
    }
  }
}

void check_connected(const Topology& topology, const Names& names, Findings& findings) {
  const std::vector<std::uint32_t> part = connected_parts(topology);
  std::vector<NodeIndex> first;
  std::vector<std::size_t> size;
  for (NodeIndex n = 0; n < part.size(); ++n) {
    if (part[n] >= first.size()) {
      first.resize(part[n] + 1, n);
      size.resize(part[n] + 1, 0);
    }
    ++size[part[n]];
  }
  for (std::size_t p = 1; p < first.size(); ++p) {
    const bool bare =
        size[p] == 1 && std::ranges::all_of(topology.nodes[first[p]].ports,
                                            [](const Port& port) { return port.peer_node == kNone; });
    if (bare) continue;  // check_ports has named it
    findings.push_back(
        fmt::format("no path joins {} ({} nodes) with {} ({} nodes): the fabric is in {} parts",
                    names[first[p]], size[p], names[first[0]], size[0], first.size()));
  }
}

}  // namespace

std::vector<std::string> Topology::check() const {
  Findings findings;
  const Names names = display_names();
  check_cables(*this, names, findings);
  check_ports(*this, names, findings);
  check_addresses(*this, names, findings);
  const bool ends_exist = std::ranges::all_of(
      cables, [this](const Cable& cable) { return exists(*this, cable.a) && exists(*this, cable.b); });
  if (ends_exist) check_connected(*this, names, findings);
  return findings;
}

}  // namespace weft
