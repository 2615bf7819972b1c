#include "models/topology/generator.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

void LinkKeys::describe(Describe& d) {
  d.field("speed", speed, "Width and generation: 4xNDR, 2xHDR, NDR200. Default: the switch profile's.");
  d.field("cable", cable, "Cable profile by name (dac, aoc ...). Default: the fabric's.");
  d.field("length", length, "Length of each cable. Default: the fabric's.");
}

LinkSpec LinkKeys::over(LinkSpec link, const std::string& key) const {
  if (!speed.empty()) std::tie(link.width, link.generation) = speed_of(speed, key + ".speed");
  if (!cable.empty()) link.cable = cable;
  if (length) link.length = length;
  return link;
}

void SwitchKeys::describe_switch(Describe& d) {
  d.field("switch", switch_profile, "Switch profile.").source("NDR generation");
  d.field("radix", radix, "Ports of a switch. Default: the profile's.").range("2", "254");
}

SwitchKind SwitchKeys::switch_kind(const BuildContext& context, const std::string& prefix) const {
  SwitchKind kind{switch_profile, radix.value_or(0), {}};
  if (context.switch_shape || !radix) {
    const BuildContext::SwitchShape shape = context.shape_of(switch_profile, prefix + "switch");
    kind.link.generation = shape.generation;
    kind.link.width = shape.width;
    kind.ports = radix.value_or(shape.ports);
  }
  if (kind.ports < 2 || kind.ports > 254)
    throw BadValue(prefix + "radix", fmt::format("a switch has 2 to 254 ports, not {}", kind.ports));
  return kind;
}

std::string numbered(std::string_view stem, std::uint64_t index, std::uint64_t count,
                     std::size_t least_digits) {
  const std::size_t digits = std::to_string(count == 0 ? 0 : count - 1).size();
  return fmt::format("{}{:0{}}", stem, index, std::max(least_digits, digits));
}

void add_machines(Topology& topology, std::uint32_t machines, std::uint32_t rails) {
  topology.hosts.reserve(machines);
  for (std::uint32_t machine = 0; machine < machines; ++machine) {
    topology.hosts.push_back(numbered("host", machine, machines, 4));
    for (std::uint32_t rail = 0; rail < rails; ++rail) {
      const NodeIndex n =
          topology.add_node(NodeKind::hca, fmt::format("{} mlx5_{}", topology.hosts.back(), rail), 1);
      topology.nodes[n].host = machine;
      topology.nodes[n].rail = rail;
    }
  }
}

Topology in_planes(Topology network, std::uint32_t planes) {
  if (planes == 1) return network;
  const auto machines = static_cast<std::uint32_t>(network.hosts.size());
  const std::size_t switches = network.nodes.size() - machines;
  Topology all;
  all.nodes.reserve(planes * network.nodes.size());
  all.cables.reserve(planes * network.cables.size());
  add_machines(all, machines, planes);
  for (std::uint32_t plane = 0; plane < planes; ++plane) {
    const auto moved = [&](PortRef end) {
      end.node = end.node < machines
                     ? end.node * planes + plane
                     : static_cast<NodeIndex>(end.node + machines * (planes - 1) + plane * switches);
      return end;
    };
    for (NodeIndex n = machines; n < network.nodes.size(); ++n) {
      const Node& from = network.nodes[n];
      const NodeIndex copy = all.add_node(from.kind, fmt::format("plane{}-{}", plane, from.name),
                                          static_cast<unsigned>(from.ports.size()));
      all.nodes[copy].level = from.level;
      all.nodes[copy].rail = plane;
      all.nodes[copy].profile = from.profile;
    }
    for (const Cable& cable : network.cables) all.connect(moved(cable.a), moved(cable.b), cable.link);
  }
  all.warnings = std::move(network.warnings);
  all.planes = planes;
  all.tree = std::move(network.tree);
  all.grid = std::move(network.grid);
  return all;
}

void check_size(std::uint64_t ends, std::uint64_t switches, std::uint64_t radix, const std::string& key) {
  if (ends > kMostEnds)
    throw BadValue(key, fmt::format("{} ends are too many; at most {} are simulated", ends, kMostEnds));
  if (switches > kMostSwitchPorts / radix)
    throw BadValue(key, fmt::format("{} switches of {} ports are too many to simulate", switches, radix));
}

}  // namespace weft
