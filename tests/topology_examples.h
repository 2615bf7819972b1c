// The topologies of the table's examples: the smallest of each kind, for tests that take every kind.
#pragma once

#include <string>

#include "tests/built_topology.h"
#include "tests/temp_folder.h"

namespace weft::test {

/// Where the examples that read a file find it.
inline BuildContext example_context() {
  static const TempFolder folder;
  folder.write("fabric.ibnetdiscover",
               "Switch\t4 \"S-1a\"\t\t# \"sw\" base port 0 lid 1 lmc 0\n"
               "[1]\t\"H-2a\"[1](2b) \t\t# \"n1 HCA-1\" lid 2 4xHDR\n"
               "[2]\t\"H-3a\"[1](3b) \t\t# \"n2 HCA-1\" lid 3 4xHDR\n"
               "Ca\t1 \"H-2a\"\t\t# \"n1 HCA-1\"\n"
               "[1](2b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"sw\" lid 1 4xHDR\n"
               "Ca\t1 \"H-3a\"\t\t# \"n2 HCA-1\"\n"
               "[1](3b) \t\"S-1a\"[2]\t\t# lid 3 lmc 0 \"sw\" lid 1 4xHDR\n");
  BuildContext context = two_profiles();
  context.base_folder = folder.path();
  return context;
}

inline Topology example_topology(const Choice<TopologyBuilder>& row) {
  return built_topology(std::string(row.example), example_context());
}

}  // namespace weft::test
