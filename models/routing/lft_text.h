// The text of forwarding table dumps: OpenSM's opensm-lfts.dump, and what ibroute, dump_lfts and dump_fts
// print.
//
//   Unicast lids [0-44] of switch Lid 2 guid 0x0002c90300001000 ('leaf00'):
//   0x0001 001 # Channel Adapter portguid 0x0002c90200000001: 'node0000 HCA-1'
//   44 lids dumped
//
// is OpenSM's: the range in decimal, and the last line repeats its top. ibroute counts the entries instead:
//
//   Unicast lids [0x0-0x2c] of switch DR path slid 0; dlid 0; 0,1 guid 0x0002c90300001000 (leaf00):
//     Lid  Out   Destination
//          Port     Info
//   0x0001 001 : (Channel Adapter portguid 0x0002c90200000001: 'node0000 HCA-1')
//   44 valid lids dumped
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/topology/topology.h"
#include "sim/text_file.h"

namespace weft {

/// One "LID port" line.
struct LftEntry {
  Lid lid = 0;
  std::uint8_t port = 0;  // 255 = no path
  Guid port_guid = 0;     // owner of the LID as the comment names it; 0 = not said
  std::string_view name;  // its node's description, a piece of the file's text; empty = not said
  std::size_t line = 0;
};

/// One switch's table as it stands in the file.
struct LftTable {
  Guid guid = 0;
  std::string name;
  Lid first = 0, last = 0;  // the range in the heading
  std::size_t line = 0;     // of the heading
  std::vector<LftEntry> entries;
};

/// @throws ConfigError for a line of no known form, a number out of its range, an entry outside its table's
///         range, a table that ends short of its count line, or a file with no table at all
std::vector<LftTable> parse_lfts(const TextFile& file);

/// Where a message about the entry's port points.
Location port_location(const TextFile& file, const LftEntry& entry);

}  // namespace weft
