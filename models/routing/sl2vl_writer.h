// SL2VL tables in the form of OpenSM's opensm-sl2vl.dump, which ibdmchk -d reads.
//
//   Switch 0x0002c90300001000, base LID 2, "leaf00"
//   #in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
//   #--------------------------------------------------------
//   0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7
#pragma once

#include <string>

#include "models/routing/sl2vl.h"

namespace weft {

/// Every switch and every cabled adapter port, in OpenSM's order (by port GUID); of a switch each pair of an
/// input, 0 being its own traffic, and a cabled output.
std::string write_sl2vl(const Topology& topology, const Sl2Vl& sl2vl);

}  // namespace weft
