#include "models/topology/direct_network.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

void DirectNetworkKeys::describe_network(Describe& d, std::string_view machines_key) {
  d.field(machines_key, hosts_per_switch, "T: machines on each switch that holds any.").range("1", "253");
  d.field("hosts", hosts,
          "Machines in all. Default: as many as there is room for. Fewer fill the first switches; every "
          "switch stays.")
      .range("1", "1000000");
  d.field("rails", rails, "Adapters a machine. Each rail is a network of its own, a plane.").range("1", "64");
  describe_switch(d);
  d.group("host_link", host_link, "Cables between machines and switches.");
}

DirectNetwork::DirectNetwork(const DirectNetworkKeys& keys, const BuildContext& context, const Shape& shape,
                             const std::function<std::string(std::uint32_t)>& name)
    : kind_(keys.switch_kind(context)),
      rails_(keys.rails),
      hosts_per_switch_(keys.hosts_per_switch),
      with_machines_(static_cast<std::uint32_t>(shape.with_machines)) {
  const std::uint64_t wanted =
      std::max(hosts_per_switch_ + shape.network_ports, std::uint64_t{shape.inner_ports});
  if (hosts_per_switch_ + shape.network_ports > kind_.ports)
    throw BadValue(shape.machines_key,
                   fmt::format("a switch needs {} ports for machines and {} for the network, and `{}` has {}",
                               hosts_per_switch_, shape.network_ports, kind_.profile, kind_.ports));
  if (wanted > kind_.ports)
    throw BadValue(shape.size_key, fmt::format("a switch needs {} ports, and `{}` has {}", wanted,
                                               kind_.profile, kind_.ports));
  const std::uint64_t room = shape.with_machines * hosts_per_switch_;
  const std::uint64_t machines =
      keys.hosts.value_or(static_cast<std::uint32_t>(std::min(room, kMostEnds + 1)));
  if (machines == 0 || machines > room)
    throw BadValue("hosts", fmt::format("{} switches of {} machines each hold 1 to {}, not {}",
                                        shape.with_machines, hosts_per_switch_, room, machines));
  check_size(keys.hosts ? machines * rails_ : room * rails_, shape.switches * rails_, kind_.ports,
             shape.size_key);
  network_.nodes.reserve(machines + shape.switches);
  add_machines(network_, static_cast<std::uint32_t>(machines), 1);
  first_ = static_cast<NodeIndex>(machines);
  for (std::uint32_t s = 0; s < shape.switches; ++s) {
    const NodeIndex n = network_.add_node(NodeKind::switch_, name(s), kind_.ports);
    network_.nodes[n].profile = kind_.profile;
  }
  const LinkSpec link = keys.host_link.over(kind_.link, "host_link");
  for (std::uint32_t machine = 0; machine < machines; ++machine)
    network_.connect(
        {machine, 1},
        {first_ + machine / hosts_per_switch_, static_cast<std::uint8_t>(machine % hosts_per_switch_ + 1)},
        link);
}

PortRef DirectNetwork::port(std::uint32_t s, std::uint32_t network_port) const {
  const std::uint32_t before = s < with_machines_ ? hosts_per_switch_ : 0;
  return {first_ + s, static_cast<std::uint8_t>(before + network_port + 1)};
}

void DirectNetwork::connect(std::uint32_t a, std::uint32_t pa, std::uint32_t b, std::uint32_t pb,
                            const LinkSpec& link) {
  network_.connect(port(a, pa), port(b, pb), link);
}

Topology DirectNetwork::finish(std::optional<Topology::Grid> grid) {
  network_.grid = std::move(grid);
  Topology all = in_planes(std::move(network_), rails_);
  all.assign_guids();
  return all;
}

}  // namespace weft
