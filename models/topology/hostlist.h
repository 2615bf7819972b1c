// Lists of names as Slurm and other cluster tools write them: host[0000-0015,0020],login.
#pragma once

#include <span>
#include <string>

namespace weft {

/// Names that differ in a number at their end are put together, in order of that number; the rest stands as
/// it is, in order of first appearance. Numbers with leading zeros stay as wide as they are. No name may hold
/// `[`, `]` or `,`. A range has at most 50,000 names: Slurm takes no more than 64 Ki.
std::string hostlist(std::span<const std::string> names);

}  // namespace weft
