// Names for nodes by GUID: the file OpenSM and infiniband-diags take as --node-name-map.
//
//   # IB1
//   0x0008f10400411f56 "ISR 9288 leaf 3"   # what follows the name is passed over
//
// As there, the first name of a GUID holds. Unlike there, a line that gives no name is an error, not nothing.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/topology/topology.h"
#include "sim/text_file.h"

namespace weft {

struct NameMap {
  std::unordered_map<Guid, std::string> names;
  std::vector<std::string> warnings;

  /// The name of a node by its own GUID, else by that of one of its ports; nullptr where it has none.
  const std::string* find(const Node& node) const;
};

/// @throws ConfigError located in `file`
NameMap read_name_map(const TextFile& file);

}  // namespace weft
