// What a scenario says must come out, held against what did.
#pragma once

#include "scenarios/loader.h"
#include "sim/recorder.h"

namespace weft {

/// Refuses an expectation that would be met whatever happens, or never: one that says nothing, or a verdict
/// there is not.
/// @throws ConfigError located
void check_wording(const Prepared& prepared);

/// Adds the table `expectations` and returns how many are not met. One that names a table, row or column the
/// results do not have is not met, and says so.
std::size_t check_expectations(const Prepared& prepared, Recorder& recorder);

}  // namespace weft
