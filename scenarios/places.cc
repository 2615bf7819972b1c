#include "scenarios/places.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/workload/pattern.h"
#include "sim/error.h"
#include "sim/suggest.h"

namespace weft {

std::vector<std::string_view> node_names(const Topology& topology) {
  std::vector<std::string_view> names;
  for (const Node& node : topology.nodes) names.emplace_back(node.name);
  return names;
}

NodeIndex node_at(const Topology& topology, const std::string& name, const std::string& key) {
  if (const NodeIndex node = topology.find(name); node != kNone) return node;
  const std::size_t guid = name.rfind(" (0x");
  if (guid != std::string::npos && name.back() == ')')
    if (const NodeIndex node = topology.find(name.substr(guid + 2, name.size() - guid - 3)); node != kNone)
      return node;
  const PatternContext context{topology, topology.endpoints(), 0, {}, {}, {}, {}};
  try {
    return context.endpoints[EndpointNames(context).find(name, key)].where.node;
  } catch (const BadValue&) {
    throw BadValue(key,
                   fmt::format("there is no node `{}`{}", name, did_you_mean(name, node_names(topology))));
  }
}

std::uint32_t cable_at(const Topology& topology, const std::string& where, const std::string& key) {
  const std::size_t bracket = where.rfind('[');
  if (bracket == std::string::npos || where.back() != ']')
    throw BadValue(key, fmt::format("`{}` names no link; write one of its ends, such as `leaf0[3]`", where));
  const NodeIndex node = node_at(topology, where.substr(0, bracket), key);
  const std::string digits = where.substr(bracket + 1, where.size() - bracket - 2);
  const bool number = !digits.empty() && digits.size() <= 3 &&
                      std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t port = number ? std::stoul(digits) : 0;
  if (port < 1 || port > topology.nodes[node].ports.size())
    throw BadValue(key, fmt::format("`{}` has no port {}; it has {}", topology.display_name(node), digits,
                                    topology.nodes[node].ports.size()));
  const std::uint32_t cable = topology.nodes[node].ports[port - 1].cable;
  if (cable == kNone) throw BadValue(key, fmt::format("no cable is plugged into {}", where));
  return cable;
}

}  // namespace weft
