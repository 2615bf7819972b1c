// What the engines of OpenSM's min-hop family ask of a fabric: which ports of a switch begin an allowed
// shortest way to another. What "allowed" means is the engine's (any way, or up and then down only); which of
// the ports a destination then gets is hop_balance.h's.
#pragma once

#include <cstdint>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

/// Answers for one switch after another.
class HopPorts {
 public:
  HopPorts() = default;
  HopPorts(const HopPorts&) = delete;
  HopPorts& operator=(const HopPorts&) = delete;
  virtual ~HopPorts() = default;

  /// The questions are about `node`, a switch, from now on.
  virtual void start_from(NodeIndex node) = 0;
  /// Its ports that begin a shortest allowed way to the switch `to`, in port order; empty when there is no
  /// way, and for the switch itself. Good until the next call.
  virtual const std::vector<std::uint8_t>& ports_to(NodeIndex to) = 0;
};

}  // namespace weft
