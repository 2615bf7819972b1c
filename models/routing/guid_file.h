// Files that name nodes by GUID, one a line: what OpenSM takes as root, compute-node and I/O-node lists.
//
//   0x0002c90300002000   # spine00
//
// Blank lines and what follows a `#` or the GUID are passed over. A GUID may be of a node or, for adapters,
// of a port.
#pragma once

#include <string_view>
#include <vector>

#include "models/routing/routes.h"
#include "sim/text_file.h"

namespace weft {

struct NamedGuid {
  Guid guid = 0;
  NodeIndex node = kNone;  // the node that has it, itself or on a port
  std::uint8_t port = 0;   // the port that has it; 0: the node itself
};

/// A line of a file that says something of each GUID: what follows it, and where that stands.
struct GuidLine {
  NamedGuid named;
  std::string_view rest;  // into the file; without leading blanks and the comment
  std::size_t line = 0, column = 0;
};

/// In the order of the file, each GUID once. @throws ConfigError located there: a line that starts with no
/// GUID, one that no node of `topology` has, a file that names none
std::vector<NamedGuid> read_guid_file(const TextFile& file, const Topology& topology);
/// The same with what the lines say further. @throws ConfigError likewise
std::vector<GuidLine> read_guid_lines(const TextFile& file, const Topology& topology);

}  // namespace weft
