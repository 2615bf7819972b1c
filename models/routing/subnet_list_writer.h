// The fabric in the form of OpenSM's opensm-subnet.lst, which ibdmchk -s and ibdiagnet read: a line for every
// cabled port, naming both ends.
//
//   { CA Ports:01 SystemGUID:... NodeGUID:... PortGUID:... VenID:0002C9 DevID:101B Rev:00000000 {h0} LID:0001
//   PN:01 } { SW ... } PHY=4x LOG=ACT SPD=50
//
// Unlike OpenSM's, no adapter is marked as the subnet manager's (CA-SM), and revisions, which a Topology does
// not hold, are 0. Speeds beyond HDR, which OpenSM 3.3.23 writes as `??`, are written in Gb/s a lane as well.
#pragma once

#include <string>

#include "models/topology/topology.h"

namespace weft {

/// Nodes in OpenSM's order, their ports by number. Descriptions are cut at 64 bytes, as NodeDescription (IBA
/// 14.2.5.2) is, and braces in them become parentheses: ibdmchk finds its fields by them.
std::string write_subnet_list(const Topology& topology);

}  // namespace weft
