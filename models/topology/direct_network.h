// Networks in which switches that are all alike hold the machines: torus, HyperX, dragonfly, and the leaves
// of a dragonfly+.
//
// Every switch has its machines on ports 1 .. T, machine i on switch i / T, and its network ports behind
// them. A generator counts its switches from 0, gives their names, and joins network ports, counted from 0
// too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "models/topology/generator.h"

namespace weft {

/// The keys such a generator has besides its shape, for a builder to derive from.
struct DirectNetworkKeys : SwitchKeys {
  /// `machines_key` names how many machines a switch holds.
  void describe_network(Describe& d, std::string_view machines_key);

  std::uint32_t hosts_per_switch = 1;
  std::optional<std::uint32_t> hosts;
  std::uint32_t rails = 1;
  LinkKeys host_link;
};

class DirectNetwork {
 public:
  struct Shape {
    std::uint64_t switches = 0;       // in all, those with machines first
    std::uint64_t with_machines = 0;  // how many of them hold machines
    std::uint64_t network_ports = 0;  // most that one of the first uses
    std::uint64_t inner_ports = 0;    // most that one of the others uses
    std::string size_key;             // the key to blame for a size that cannot be
    std::string machines_key;         // names hosts_per_switch
  };

  /// Machines and switches, each machine cabled to its switch.
  /// @throws BadValue where the ports of a switch or the limits of a simulation do not do
  DirectNetwork(const DirectNetworkKeys& keys, const BuildContext& context, const Shape& shape,
                const std::function<std::string(std::uint32_t)>& name);

  /// A port's link at its best: what LinkKeys are put over.
  const LinkSpec& link() const { return kind_.link; }
  /// The node of switch `s`.
  Node& node(std::uint32_t s) { return network_.nodes[first_ + s]; }
  /// Cables network port `pa` of switch `a` to `pb` of `b`.
  void connect(std::uint32_t a, std::uint32_t pa, std::uint32_t b, std::uint32_t pb, const LinkSpec& link);
  /// The whole, with its planes and GUIDs. Takes the network out.
  Topology finish(std::optional<Topology::Grid> grid = {});
  void warn(std::string message) { network_.warnings.push_back(std::move(message)); }

 private:
  PortRef port(std::uint32_t s, std::uint32_t network_port) const;

  SwitchKind kind_;
  std::uint32_t rails_;
  std::uint32_t hosts_per_switch_;
  std::uint32_t with_machines_;
  NodeIndex first_ = 0;
  Topology network_;
};

}  // namespace weft
