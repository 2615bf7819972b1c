// A whole dump as it was written: nodes and their port lines, each well formed, none compared with another
// yet.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/topology/ibnetdiscover_lines.h"
#include "sim/error.h"
#include "sim/text_file.h"

namespace weft {

struct DumpPort {
  PortLine said;
  std::size_t line = 0;
  std::size_t indent = 0;  // blanks before the line
};

struct DumpNode {
  NodeLine said;
  std::size_t line = 0;
  Guid guid = 0;  // of the name, else of the guid line
  Guid system_guid = 0;
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  std::map<unsigned, DumpPort> ports;
};

/// Warnings about places in one file; after the first 20 they are only counted.
class DumpWarnings {
 public:
  void add(const TextFile& file, std::size_t line, std::string_view message);
  /// All of them, the last telling how many more there are.
  std::vector<std::string> take(const TextFile& file);

 private:
  std::vector<std::string> kept_;
  std::size_t count_ = 0;
};

struct Dump {
  std::deque<DumpNode> nodes;                               // in file order
  std::unordered_map<std::string_view, std::size_t> by_id;  // the quoted name -> index in nodes
  DumpWarnings warnings;
};

/// Views in the result point into `file`. At least one node. @throws ConfigError
Dump read_dump(const TextFile& file);

}  // namespace weft
