// A Topology in the words of ibnetdiscover: other tools read it (ibsim and OpenSM run on it), and so does
// Weft.
#pragma once

#include <string>
#include <string_view>

#include "models/topology/topology.h"

namespace weft {

/// The dump `ibnetdiscover -g` would print, without its date. Reading it back gives the same nodes, cables,
/// addresses and machines; profiles, cable kinds and lengths, levels and the tree's shape have no place in
/// the format. Nodes need GUIDs (Topology::assign_guids); one without is written by its name, as ibsim
/// allows.
std::string write_ibnetdiscover(const Topology& topology);

/// What a reader of the same language may want otherwise.
struct DumpStyle {
  std::string head = "#\n# Topology file: written by Weft\n#\n";
  bool adapters_first = false;                                  // else in node order
  std::string (*speed)(const LinkSpec& link) = nullptr;         // speed_text
  std::string (*description)(std::string_view text) = nullptr;  // as it is, in one line
};
std::string write_dump(const Topology& topology, const DumpStyle& style);

}  // namespace weft
