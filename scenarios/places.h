// Nodes and links as a user names them: in `events:`, in `fabric.qos`, on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

/// The names of all nodes, to suggest from.
std::vector<std::string_view> node_names(const Topology& topology);

/// A node by a unique name, by GUID, or as results call it ("name (0x...)"); a machine's name stands for its
/// first adapter, as in traffic. @throws BadValue(key) with a suggestion
NodeIndex node_at(const Topology& topology, const std::string& name, const std::string& key);

/// The cable with such an end: "leaf0[3]". @throws BadValue(key)
std::uint32_t cable_at(const Topology& topology, const std::string& where, const std::string& key);

}  // namespace weft
