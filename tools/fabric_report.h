// What a command of `weft fabric` found, printed: its tables, then sentences and notes; or one JSON object.
#pragma once

#include <string>

#include "scenarios/loader.h"
#include "sim/recorder.h"

namespace weft {

struct FabricReport {
  Recorder recorder;  // its values are for JSON, its warnings the notes
  std::string text;   // whole lines, for people

  /// Notes what is odd about the fabric and its routes, if it has any yet.
  void tell_notes(const Prepared& prepared);
  void print(bool json) const;
};

}  // namespace weft
