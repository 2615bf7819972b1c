// The commands of `weft`: one file and one row of the table each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Exit statuses, as README.md lists them.
enum ExitStatus : int {
  kExitOk = 0,
  kExitBadInput = 1,       // a scenario, dump or table that cannot be used
  kExitUsage = 2,          // the command line
  kExitStuck = 3,          // the simulated fabric deadlocked, stalled or lost messages
  kExitExpectation = 4,    // an expectation of the scenario was not met, or a validation failed
  kExitDiffer = 5,         // what was compared is not the same
  kExitInterrupted = 130,  // Ctrl-C: results are partial
};

struct Command {
  std::string_view name;
  std::string_view usage;    // what follows the name
  std::string_view summary;  // one line
  std::string_view options;  // what each option does, one a line
  int (*run)(const std::vector<std::string>& arguments);
  std::span<const Command> (*parts)() = nullptr;  // of a command made of commands; `run` is not used then
};

/// The table, in the order of the help.
std::span<const Command> commands();

/// The commands of `weft fabric`.
std::span<const Command> fabric_commands();

/// A command line that cannot be understood; main prints it with the command's usage.
struct UsageError {
  std::string message;
};

int run_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
int explain_command(const std::vector<std::string>& arguments);
int list_command(const std::vector<std::string>& arguments);
int bench_command(const std::vector<std::string>& arguments);
int version_command(const std::vector<std::string>& arguments);

}  // namespace weft
