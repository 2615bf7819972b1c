// Runs the built program and sees all a user would.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// How a program ended and what it said.
struct Outcome {
  int status = -1;  // its exit status; 128 + the signal that ended it, as shells say it
  std::string out, err;
};

struct RunOptions {
  std::string folder = ".";        // where it runs
  std::string out_to = {};         // its standard output goes to this file instead of Outcome::out
  bool closed_reader = false;      // its standard output is a pipe nobody reads
  std::optional<int> signal = {};  // sent as soon as `when` holds
  std::function<bool()> when = [] { return true; };
  std::chrono::seconds patience{120};  // then it is killed and the status is -1
};

/// @param command the program and its arguments; "weft" is the one under test
Outcome run_program(std::vector<std::string> command, const RunOptions& options = {});

/// `weft ARGUMENTS...`
Outcome run_weft(std::vector<std::string> arguments, const RunOptions& options = {});

std::string read_file(const std::string& path);

}  // namespace weft
