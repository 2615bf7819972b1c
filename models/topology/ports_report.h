// The ports report, `ibnetdiscover -p`: one line a port, read to the same Dump as the topology it stands for.
//
//   CA    44  1 0x0002c902000001f1 4x HDR - SW    14  4 0x0002c90300001007 ( 'node0031 HCA-1' - 'leaf07' )
//   SW  2052 37 0x506b4b03005c2740 4x ???                                    'ib-i4l1s01'
//
// kind, LID, port, port GUID, width, speed, and the same of the peer; written from the print statements of
// infiniband-diags (ibnetdiscover.c). It tells less than the topology does, and so:
// - an adapter's own GUID is not in it: the GUID of its first port stands for it. Two lines are of one
// adapter
//   where description and GUID less port number are equal;
// - a node has as many ports as the highest number seen;
// - LMCs, system images and device numbers are not known;
// - a link that only one end's line tells (a report cut by grep) is taken from that line, with a warning.
#pragma once

#include <string_view>

#include "models/topology/ibnetdiscover_dump.h"

namespace weft {

/// True for a line that begins as one of a ports report.
bool is_ports_line(std::string_view line);

/// True when the first line with something to say is one of a ports report.
bool is_ports_report(const TextFile& file);

/// Views in the result point into `file`. @throws ConfigError
Dump read_ports_report(const TextFile& file);

}  // namespace weft
