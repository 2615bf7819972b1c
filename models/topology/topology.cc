#include "models/topology/topology.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

namespace {

// "WEFT" under the locally administered bit, so that no vendor's GUID is taken.
constexpr Guid kGuidBase = 0x0257'4546'5400'0000;
constexpr Guid kGuidStep = 0x100;  // room for the port GUIDs of one node

std::string with_guid(const Node& node, NodeIndex index) {
  if (node.guid != 0) return fmt::format("{} (0x{:016x})", node.name, node.guid);
  return fmt::format("{} (node {})", node.name, index);
}

// First free run of `count` LIDs, aligned to `count`, from `from` on.
Lid free_run(const std::set<Lid>& used, Lid from, Lid count) {
  Lid lid = (from + count - 1) / count * count;
  while (true) {
    const auto next = used.lower_bound(lid);
    if (next == used.end() || *next >= lid + count) return lid;
    lid = (*next / count + 1) * count;
  }
}

}  // namespace

std::string_view to_text(NodeKind kind) {
  switch (kind) {
    case NodeKind::hca:
      return "adapter";
    case NodeKind::switch_:
      return "switch";
    case NodeKind::router:
      return "router";
    case NodeKind::aggregation_node:
      return "aggregation node";
  }
  return "node";
}

NodeIndex Topology::add_node(NodeKind kind, std::string name, unsigned port_count) {
  if (port_count > 254)  // 255 is "no port" in forwarding tables
    throw BadValue("ports",
                   fmt::format("{} has {} ports; InfiniBand numbers ports 1 to 254", name, port_count));
  Node& node = nodes.emplace_back();
  node.kind = kind;
  node.name = std::move(name);
  node.ports.resize(port_count);
  return static_cast<NodeIndex>(nodes.size() - 1);
}

std::uint32_t Topology::connect(PortRef a, PortRef b, const LinkSpec& link) {
  for (const PortRef end : {a, b}) {
    if (end.node >= nodes.size()) throw BadValue("", fmt::format("there is no node {}", end.node));
    const Node& node = nodes[end.node];
    if (end.port == 0 || end.port > node.ports.size())
      throw BadValue("", fmt::format("{} has no port {}; it has ports 1 to {}", display_name(end.node),
                                     end.port, node.ports.size()));
    const Port& port = node.port(end.port);
    if (port.peer_node != kNone)
      throw BadValue("", fmt::format("{} is taken: it is cabled to {}", display_name(end),
                                     display_name(PortRef{port.peer_node, port.peer_port})));
  }
  if (a == b) throw BadValue("", fmt::format("{} is cabled to itself", display_name(a)));
  const auto cable = static_cast<std::uint32_t>(cables.size());
  cables.push_back({a, b, link});
  for (const auto& [here, there] : {std::pair{a, b}, std::pair{b, a}}) {
    Port& port = nodes[here.node].port(here.port);
    port.peer_node = there.node;
    port.peer_port = there.port;
    port.cable = cable;
  }
  return cable;
}

std::vector<Endpoint> Topology::endpoints() const {
  std::vector<Endpoint> ends;
  for (NodeIndex n = 0; n < nodes.size(); ++n) {
    if (nodes[n].kind != NodeKind::hca) continue;
    for (std::size_t p = 0; p < nodes[n].ports.size(); ++p)
      if (nodes[n].ports[p].peer_node != kNone)
        ends.push_back({{n, static_cast<std::uint8_t>(p + 1)}, nodes[n].host, nodes[n].rail});
  }
  std::ranges::stable_sort(ends, {}, [](const Endpoint& e) {
    return std::tuple{e.host, e.rail, e.where.port, e.where.node};
  });
  return ends;
}

std::size_t Topology::count(NodeKind kind) const {
  return static_cast<std::size_t>(std::ranges::count(nodes, kind, &Node::kind));
}

std::string Topology::display_name(NodeIndex node) const {
  const std::string& name = nodes[node].name;
  return std::ranges::count(nodes, name, &Node::name) == 1 ? name : with_guid(nodes[node], node);
}

std::string Topology::display_name(PortRef port) const {
  return fmt::format("{}[{}]", display_name(port.node), port.port);
}

std::vector<std::string> Topology::display_names() const {
  std::unordered_map<std::string_view, unsigned> uses;
  for (const Node& node : nodes) ++uses[node.name];
  std::vector<std::string> names;
  names.reserve(nodes.size());
  for (NodeIndex n = 0; n < nodes.size(); ++n)
    names.push_back(uses[nodes[n].name] == 1 ? nodes[n].name : with_guid(nodes[n], n));
  return names;
}

NodeIndex Topology::find(std::string_view name_or_guid) const {
  NodeIndex found = kNone;
  for (NodeIndex n = 0; n < nodes.size(); ++n) {
    if (nodes[n].name != name_or_guid) continue;
    if (found != kNone) return kNone;
    found = n;
  }
  if (found != kNone) return found;
  std::string_view digits = name_or_guid;
  char letter = 0;
  if (digits.starts_with("0x"))
    digits.remove_prefix(2);
  else if (digits.size() > 2 && digits[1] == '-') {
    letter = digits[0];
    digits.remove_prefix(2);
  } else
    return kNone;
  if (digits.empty() || digits.size() > 16) return kNone;
  Guid guid = 0;
  for (const char c : digits) {
    const int value = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (value < 0) return kNone;
    guid = guid << 4 | static_cast<unsigned>(value);
  }
  for (NodeIndex n = 0; n < nodes.size(); ++n) {
    const NodeKind kind = nodes[n].kind;
    const char own = kind == NodeKind::switch_ ? 'S' : kind == NodeKind::router ? 'R' : 'H';
    if (guid != 0 && nodes[n].guid == guid && (letter == 0 || letter == own)) return n;
  }
  return kNone;
}

void Topology::assign_lids(bool extended, std::uint8_t lmc) {
  if (lmc > 7) throw BadValue("lmc", fmt::format("LMC {} is beyond 7", lmc));
  std::set<Lid> used;
  const auto take = [&used](Lid lid, unsigned path_bits) {
    for (Lid i = 0; i < 1u << path_bits; ++i) used.insert(lid + i);
  };
  for (const Node& node : nodes) {
    if (node.lid != 0) take(node.lid, node.lmc);
    for (const Port& port : node.ports)
      if (port.lid != 0) take(port.lid, port.lmc);
  }
  Lid next = 1;  // below it every LID of this size is taken
  std::uint64_t wanted = used.size();
  const auto give = [&](unsigned path_bits) {
    const Lid count = 1u << path_bits;
    const Lid lid = free_run(used, next, count);
    take(lid, path_bits);
    wanted += count;
    if (count == 1u << lmc) next = lid + count;
    return lid;
  };
  for (Node& node : nodes) {
    if (node.kind == NodeKind::switch_ && node.lid == 0) node.lid = give(0);
    if (node.kind == NodeKind::switch_) continue;
    for (Port& port : node.ports) {
      if (port.lid != 0 || port.peer_node == kNone) continue;
      port.lid = give(lmc);
      port.lmc = lmc;
    }
  }
  if (!extended && !used.empty() && *used.rbegin() > kLastUnicastLid)
    throw BadValue(
        "lid_space",
        fmt::format("this fabric needs LIDs up to {} ({} in all, LMC {}); a subnet has {}. Split it into "
                    "planes or subnets, lower the LMC, or set `lid_space: extended` (not InfiniBand)",
                    *used.rbegin(), wanted, lmc, kLastUnicastLid));
}

Lid Topology::max_lid() const {
  Lid highest = 0;
  const auto raise = [&highest](Lid lid, unsigned lmc) {
    if (lid != 0) highest = std::max(highest, lid + (1u << lmc) - 1);
  };
  for (const Node& node : nodes) {
    raise(node.lid, node.lmc);
    for (const Port& port : node.ports) raise(port.lid, port.lmc);
  }
  return highest;
}

bool Topology::has_lmc() const {
  return std::ranges::any_of(nodes, [](const Node& node) {
    return std::ranges::any_of(node.ports, [](const Port& port) { return port.lmc > 0; });
  });
}

void Topology::assign_guids() {
  for (NodeIndex n = 0; n < nodes.size(); ++n) {
    Node& node = nodes[n];
    if (node.guid == 0) node.guid = kGuidBase + kGuidStep * (n + Guid{1});
    if (node.system_guid == 0) node.system_guid = node.guid;
    if (node.kind == NodeKind::switch_) continue;
    for (std::size_t p = 0; p < node.ports.size(); ++p)
      if (node.ports[p].guid == 0) node.ports[p].guid = node.guid + p + 1;
  }
}

}  // namespace weft
