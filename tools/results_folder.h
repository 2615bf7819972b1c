// The files of a run: summary.json, a CSV a table, the resolved scenario, provenance.
#pragma once

#include <string>

#include "scenarios/loader.h"
#include "scenarios/run.h"
#include "sim/recorder.h"

namespace weft {

/// The summary as one JSON object.
std::string summary_json(const Prepared& prepared, const RunResult& result, const Recorder& recorder);

/// Creates `folder` unless it is there. @throws BadValue naming it and why
void create_folder(const std::string& folder);

/// Writes everything below `folder`, creating it; a file that cannot be written does not keep the others from
/// being.
/// @throws BadValue naming the first such file and why
void write_results(const std::string& folder, Prepared& prepared, const RunResult& result,
                   const Recorder& recorder);

}  // namespace weft
