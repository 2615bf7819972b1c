// What a run looks like on a terminal: tables in the field's shape, and a progress line.
#pragma once

#include <chrono>
#include <string>

#include "scenarios/run.h"
#include "sim/recorder.h"

namespace weft {

/// A table with aligned columns and units in its head.
std::string terminal_table(const Table& table);

/// A line on stderr that is rewritten in place; silent unless stderr is a terminal, and for the first second.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const RunStatus& status);
  void clear();

 private:
  bool enabled_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace weft
