// What the generators of topologies share: the keys of their switches and cables, machines, names, planes.
//
// A generated fabric is the same for the same keys: adapters come first, machine by machine and rail by rail
// (`host0017 mlx5_0`), then the switches, then nothing; names count from 0 with leading zeros, so that they
// sort. With planes, each plane is a whole network of its own (`plane1-leaf03`), and rail r of every machine
// is its end in plane r.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/topology/topology_builder.h"

namespace weft {

/// What the cables of one kind are.
class LinkKeys : public Configurable {
 public:
  void describe(Describe& d) override;
  /// `link` with what these keys say put over it; they are those of `key`. @throws BadValue (`key`.speed)
  LinkSpec over(LinkSpec link, const std::string& key) const;

  std::string speed;  // empty = the switch profile's
  std::string cable;
  std::optional<Length> length;
};

/// What the switches are.
struct SwitchKind {
  std::string profile;
  std::uint32_t ports = 0;
  LinkSpec link;  // of a port, at its best
};

/// The keys `switch` and `radix`, for a builder to derive from.
struct SwitchKeys {
  void describe_switch(Describe& d);
  /// @throws BadValue ("switch", "radix"; behind `prefix`)
  SwitchKind switch_kind(const BuildContext& context, const std::string& prefix = {}) const;

  std::string switch_profile = "qm9700";
  std::optional<std::uint32_t> radix;
};

/// `stem` and `index`, with the digits that `count` of them need.
std::string numbered(std::string_view stem, std::uint64_t index, std::uint64_t count,
                     std::size_t least_digits = 2);

/// Adds `machines` machines of `rails` adapters with one port each. They are the topology's first nodes: rail
/// r of machine m is node m x rails + r.
void add_machines(Topology& topology, std::uint32_t machines, std::uint32_t rails);

/// `planes` copies of a network whose machines have one adapter each; they meet in the machines alone. One
/// plane is `network` itself.
Topology in_planes(Topology network, std::uint32_t planes);

/// Above these a Topology does not fit an ordinary machine's memory.
inline constexpr std::uint64_t kMostEnds = 1u << 22;
inline constexpr std::uint64_t kMostSwitchPorts = 100'000'000;

/// @throws BadValue (`key`) beyond the limits above
void check_size(std::uint64_t ends, std::uint64_t switches, std::uint64_t radix, const std::string& key);

}  // namespace weft
