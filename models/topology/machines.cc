#include "models/topology/machines.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace weft {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

std::string_view digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && digit(text[end])) ++end;
  return text.substr(at, end - at);
}

std::string_view without_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? std::string_view{} : digits.substr(first);
}

// "h0017 mlx5_5 more" -> "h0017", "mlx5_5"
struct Description {
  std::string_view machine, device;
};

Description split(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const auto word = [&text, blanks]() -> std::string_view {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    text.remove_prefix(first);
    const std::string_view found = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(found.size());
    return found;
  };
  Description d;
  d.machine = word();
  d.device = word();
  return d;
}

// "mlx5_5" -> "mlx5_" and "5"; no number at the end: empty style.
std::pair<std::string_view, std::string_view> style_of(std::string_view device) {
  std::size_t end = device.size();
  while (end > 0 && digit(device[end - 1])) --end;
  if (end == device.size() || end == 0) return {};
  return {device.substr(0, end), device.substr(end)};
}

using Numbers = std::set<std::string_view,
                         decltype([](std::string_view a, std::string_view b) { return natural_less(a, b); })>;

void assign_rails(Topology& topology, const std::vector<std::vector<NodeIndex>>& adapters) {
  std::map<std::string_view, Numbers> styles;
  for (const auto& machine : adapters)
    for (const NodeIndex n : machine) {
      const auto [style, number] = style_of(split(topology.nodes[n].name).device);
      if (!style.empty()) styles[style].insert(number);
    }
  for (const auto& machine : adapters) {
    std::set<std::pair<std::string_view, std::string_view>> devices;
    std::set<std::string_view> kinds;
    for (const NodeIndex n : machine) {
      const auto device = style_of(split(topology.nodes[n].name).device);
      devices.insert(device);
      kinds.insert(device.first);
    }
    const bool numbered = kinds.size() == 1 && !kinds.begin()->empty() && devices.size() == machine.size();
    std::vector<NodeIndex> order = machine;
    std::ranges::sort(order, [&topology](NodeIndex a, NodeIndex b) {
      const Node& x = topology.nodes[a];
      const Node& y = topology.nodes[b];
      if (x.name != y.name) return natural_less(x.name, y.name);
      return x.guid != y.guid ? x.guid < y.guid : a < b;
    });
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
      Node& node = topology.nodes[order[rank]];
      node.rail = rank;
      if (!numbered) continue;
      const auto [style, number] = style_of(split(node.name).device);
      const Numbers& known = styles[style];
      node.rail = static_cast<std::uint32_t>(std::distance(known.begin(), known.find(number)));
    }
  }
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::string_view x = digits_at(a, i), y = digits_at(b, j);
      const std::string_view m = without_zeros(x), n = without_zeros(y);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      i += x.size();
      j += y.size();
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // "h07" and "h7" differ in zeros only
}

void assign_machines(Topology& topology) {
  std::map<std::string_view, std::set<Guid>> systems;  // whole description -> the machines that carry it
  const auto system_of = [&topology](NodeIndex n) {
    const Node& node = topology.nodes[n];
    return node.system_guid != 0 ? node.system_guid : node.guid != 0 ? node.guid : Guid{n};
  };
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n)
    if (topology.nodes[n].kind == NodeKind::hca) systems[topology.nodes[n].name].insert(system_of(n));

  const auto less = [](const std::string& a, const std::string& b) { return natural_less(a, b); };
  std::map<std::string, std::vector<NodeIndex>, decltype(less)> machines(less);
  std::map<std::string_view, std::size_t> anonymous;
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.kind != NodeKind::hca) continue;
    std::string machine(split(node.name).machine);
    if (machine.empty() || systems[node.name].size() > 1) {
      machine = fmt::format("{}@{:016x}", machine, system_of(n));
      ++anonymous[node.name];
    }
    machines[machine].push_back(n);
  }
  for (const auto& [description, adapters] : anonymous)
    topology.warnings.push_back(
        fmt::format("{} adapters carry the description \"{}\", which names no machine: each "
                    "system image GUID counts as a machine of its own",
                    adapters, description));

  topology.hosts.clear();
  std::vector<std::vector<NodeIndex>> adapters;
  for (auto& [machine, members] : machines) {
    for (const NodeIndex n : members)
      topology.nodes[n].host = static_cast<std::uint32_t>(topology.hosts.size());
    topology.hosts.push_back(machine);
    adapters.push_back(std::move(members));
  }
  assign_rails(topology, adapters);
}

}  // namespace weft
