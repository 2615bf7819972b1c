// What a command of `weft fabric` found, printed: its tables, then sentences and notes; or one JSON object.
#pragma once

#include <string>

#include "sim/recorder.h"

namespace weft {

struct FabricReport {
  Recorder recorder;  // its values are for JSON, its warnings the notes
  std::string text;   // whole lines, for people

  void print(bool json) const;
};

}  // namespace weft
