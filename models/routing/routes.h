// The outcome of routing: for each switch and destination LID an output port set, and the lanes messages use.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/routing/forwarding_tables.h"
#include "models/topology/topology.h"
#include "sim/schema.h"

namespace weft {

/// All that the fabric needs to know of routing.
struct Routes {
  ForwardingTables lft;  // lft[node][lid]; nodes that are not switches have none
  /// Adaptive routing and LAG: an LFT entry beyond the switch's ports, ports + 1 + g, means "any port of
  /// groups[node][g]". Empty = plain LFTs.
  std::vector<std::vector<std::vector<std::uint8_t>>> groups;  // [node][group] -> ports
  std::string engine;                                          // engine that really ran
  std::vector<std::string> warnings;
};

class RoutingEngine : public Configurable {
 public:
  /// @param base_folder where relative file names start
  /// @throws BadValue / ConfigError when the engine refuses this fabric, with the reason
  virtual Routes build(const Topology& topology, const std::string& base_folder) const = 0;
};

/// The table: minhop, dmodk, file.
std::span<const Choice<RoutingEngine>> routing_engines();

}  // namespace weft
