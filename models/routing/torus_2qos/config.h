// torus-2QoS.conf: what OpenSM is told of a torus or mesh that it is to find in a fabric.
//
//   torus 4 5m 1            # three radices; t or m behind one: a ring or a line of switches there
//   xp_link 0x2000 0x2001   # from a switch, the seed, to its neighbour towards higher x; xm_link: lower x
//   x_dateline -1           # the place the ring wraps at, counted from the seed
//   next_seed               # another seed, for the case that a switch of the ones before has failed
//
// and portgroup_max_ports, port_order and max_changes. Words behind those a keyword takes are passed over.
// Source: torus-2QoS.conf(5) of OpenSM 3.3.23. Read more strictly: what OpenSM takes for a zero, and one key
// twice for one seed, are errors. max_changes is about OpenSM's log and has no effect.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/topology/topology.h"
#include "sim/text_file.h"

namespace weft {

/// Directions along the three dimensions: 0 and 1 towards lower and higher x, 2 and 3 along y, 4 and 5
/// along z.
inline constexpr unsigned kTorusDimensions = 3;
inline constexpr unsigned kTorusDirections = 2 * kTorusDimensions;
constexpr unsigned direction_of(unsigned dimension, bool up) { return 2 * dimension + (up ? 1u : 0u); }

/// A switch with a known place, and neighbours of it that say which way the dimensions go.
struct TorusSeed {
  Guid from = 0;
  std::array<std::optional<Guid>, kTorusDirections> neighbour;
  std::array<int, kTorusDimensions> dateline{};  // the seed stands at minus this
};

struct TorusConfig {
  static constexpr unsigned kUsualGroupPorts = 16;

  std::array<std::uint32_t, kTorusDimensions> size{1, 1, 1};
  std::array<bool, kTorusDimensions> mesh{};  // a line, whose ends no cable joins. Size 2 is one always
  std::vector<TorusSeed> seeds;               // the first of which no switch is missing counts
  /// Most cables between two switches, and most LIDs on one: its own and those of its adapters.
  std::uint32_t group_ports = kUsualGroupPorts;
  /// Ports of a switch whose adapters have their turn before all others, in this order.
  std::vector<std::uint8_t> port_order;
};

/// @throws ConfigError located in the file: what cannot be read, a dateline beyond its ring, a seed that
///         leaves a dimension out, begins at two switches, or names only one way of a ring of four, in which
///         OpenSM's search for squares goes astray
TorusConfig read_torus_config(const TextFile& file);

/// The text of such a file: what OpenSM must be told to route the same torus.
/// @throws BadValue ("to") without a seed
std::string write_torus_config(const TorusConfig& config);

}  // namespace weft
