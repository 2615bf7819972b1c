// The networks that cables make of a fabric: parts whose ends reach each other. Most fabrics are one; rail
// planes are several, and so is a fabric that lost too many cables.
#pragma once

#include <cstdint>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

/// By node: a number for each network of switches; kNone for other nodes.
std::vector<std::uint32_t> networks_of_switches(const Topology& topology);

/// Numbers the networks that cables make of the endpoints: switches pass packets on, adapters do not. By
/// place in Topology::endpoints(), equal numbers for ends of one network. Empty: all are in one.
std::vector<std::uint32_t> networks_of(const Topology& topology);

/// One of the planes of a generated fabric, by itself: names, GUIDs and LIDs as they are in the whole.
struct Plane {
  Topology network;
  std::vector<NodeIndex> node;  // by node of `network`: that node in the whole fabric
};

/// The planes of `topology`, which has more than one.
std::vector<Plane> planes_of(const Topology& topology);

}  // namespace weft
