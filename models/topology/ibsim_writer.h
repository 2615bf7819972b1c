// A Topology as a net that ibsim 0.10 simulates: OpenSM and the diagnostics then run on it.
//
// ibsim reads the words of ibnetdiscover, with these exceptions, which this form minds:
// - it knows generations up to HDR: faster links are written as HDR (an unknown one it would make SDR). FDR10
// it
//   takes, and shows as QDR;
// - a `=` in a line is an option to it, `@` and `#` name aliases, and it takes 63 characters of a
// description;
// - tools attach to the first node of the file: adapters come first, so that OpenSM sits on a host;
// - it numbers an adapter's ports itself, GUID + port number, and knows no rate but generation x width.
// What of these happened is said in the file's first lines.
#pragma once

#include <string>

#include "models/topology/topology.h"

namespace weft {

/// Nodes need GUIDs (Topology::assign_guids). LIDs are written where there are any; OpenSM keeps them if it
/// can.
std::string write_ibsim(const Topology& topology);

}  // namespace weft
