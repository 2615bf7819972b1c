// Which adapters sit in one machine: read off their descriptions, as operators do.
#pragma once

#include "models/topology/topology.h"

namespace weft {

/// Fills Topology::hosts and each adapter's host and rail from the node descriptions ("h0017 mlx5_5": machine
/// h0017).
///
/// The first word names the machine. Where that cannot be, since one description is carried by adapters with
/// different system image GUIDs (the factory text "MT4129 ConnectX7   Mellanox Technologies", or "localhost
/// mlx5_0" on many machines), each system image is a machine of its own, "MT4129@e09d730300858468", and a
/// warning says so. Machines are ordered by name, digits as numbers. The rail is the rank of the device word
/// ("mlx5_5", "HCA-6") among all of its style in the fabric, so that a machine that lacks one keeps the rails
/// of the others; adapters without such a word are ranked in their machine by GUID. Aggregation nodes and
/// routers sit in no machine.
void assign_machines(Topology& topology);

/// True when `a` comes before `b`, runs of digits compared as numbers ("h9" before "h10").
bool natural_less(std::string_view a, std::string_view b);

}  // namespace weft
