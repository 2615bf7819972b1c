// weft: the command line.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/program_options.hpp>

#include "sim/error.h"
#include "sim/suggest.h"
#include "tools/command.h"

namespace weft {

std::span<const Command> commands() {
  static constexpr Command kTable[] = {
      {"run", "SCENARIO [--set PATH=VALUE]... [--out DIR] [--seed N] [--json] [-q]", "simulate a scenario",
       "  --set PATH=VALUE  change the scenario: --set fabric.topology.hosts=8, --set 'traffic[0].message=4 "
       "KiB';\n"
       "                    a relative `...file=NAME` starts in this folder\n"
       "  --out DIR         write summary.json, a CSV a table, scenario.resolved.yaml, provenance.json to "
       "DIR\n"
       "  --seed N          the seed of every random stream, 0 to 18446744073709551615\n"
       "  --json            print the summary as one JSON object, and nothing else\n"
       "  -q, --quiet       print the verdict alone\n",
       run_command},
      {"check", "SCENARIO [--set PATH=VALUE]... [--resolved]", "read and check a scenario without running it",
       "  --set PATH=VALUE  change the scenario, as for run\n"
       "  --resolved        print every key with its value and where that comes from\n",
       check_command},
      {"explain", "[PATH] [--schema]", "the scenario language: every key, or those below PATH",
       "  PATH      such as fabric.topology or traffic.permutation\n"
       "  --schema  print a JSON Schema, for editors\n",
       explain_command},
      {"list", "[topologies|engines|patterns|formats|profiles]", "what a scenario can choose from", "",
       list_command},
      {"fabric", "COMMAND FABRIC ...", "look at a fabric and its routes, judge, compare and convert them", "",
       nullptr, fabric_commands},
      {"bench",
       "[--hosts N...] [--workload NAME...] [--bytes N] [--runs N] [--ack-every N] [--no-yardstick] [--json]",
       "speed and memory of the packet engine on this machine",
       "  --hosts N...        sizes of fabric, 2 to 100000; 128, 1024, 8192 and 65536 when left out\n"
       "  --workload NAME...  of permutation, spread, all_to_all and incast; all when left out\n"
       "  --bytes N           bytes each host sends; a size's own when left out\n"
       "  --runs N            runs of each, 1 to 1000; 5 when left out\n"
       "  --ack-every N       ask for an ACK every N packets besides the last of a message\n"
       "  --no-yardstick      without the bare engine that runs turn by turn with Weft\n"
       "  --json              print one JSON object, and nothing else\n",
       bench_command},
      {"version", "", "version and how it was built", "", version_command},
  };
  return kTable;
}

namespace {

void print_help(std::FILE* to) {
  fmt::print(to, "weft simulates InfiniBand fabrics.\n\nusage: weft COMMAND ...\n\n");
  for (const Command& c : commands()) fmt::print(to, "  {:<8} {}\n", c.name, c.summary);
  fmt::print(to, "\n`weft COMMAND --help` says more of each.\n");
  fmt::print(
      to,
      "\nexit status: 0 done, 1 bad input, 2 bad command line, 3 the fabric got stuck or lost messages,\n"
      "             4 an expectation was not met, 5 the compared differ, 130 interrupted (results are "
      "partial)\n");
}

bool is_help(const std::string& argument) { return argument == "--help" || argument == "-h"; }

/// A command under the name it is called by: "fabric show".
struct Called {
  const Command* command;
  std::string name;

  std::string usage() const {
    return fmt::format("usage: weft {}{}{}\n", name, command->usage.empty() ? "" : " ", command->usage);
  }
  void print_help() const {
    fmt::print("weft {}: {}\n\n{}", name, command->summary, usage());
    if (command->parts != nullptr) {
      fmt::print("\n");
      for (const Command& part : command->parts()) fmt::print("  {:<8} {}\n", part.name, part.summary);
      fmt::print("\n`weft {} COMMAND --help` says more of each.\n", name);
    } else if (!command->options.empty()) {
      fmt::print("\n{}", command->options);
    }
  }
  int misused(const std::string& message) const {
    fmt::print(stderr, "weft {}: {}\n{}", name, message, usage());
    return kExitUsage;
  }
};

std::vector<std::string_view> names_of(std::span<const Command> table) {
  std::vector<std::string_view> names;
  for (const Command& c : table) names.push_back(c.name);
  return names;
}

int run(const Called& called, const std::vector<std::string>& arguments) {
  const bool help = std::any_of(arguments.begin(), arguments.end(), is_help);
  if (called.command->parts != nullptr) {
    const auto parts = called.command->parts();
    if (arguments.empty()) return called.misused(fmt::format("what? {}", fmt::join(names_of(parts), ", ")));
    const auto part =
        std::find_if(parts.begin(), parts.end(), [&](const Command& c) { return c.name == arguments[0]; });
    if (part != parts.end())
      return run({&*part, fmt::format("{} {}", called.name, part->name)},
                 {arguments.begin() + 1, arguments.end()});
    if (!help)
      return called.misused(fmt::format("there is no command `{}`{}", printable(arguments[0]),
                                        did_you_mean(arguments[0], names_of(parts))));
  }
  if (help) {
    called.print_help();
    return kExitOk;
  }
  try {
    return called.command->run(arguments);
  } catch (const UsageError& error) {
    return called.misused(error.message);
  } catch (const boost::program_options::error& error) {
    return called.misused(error.what());
  }
}

int dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print_help(stderr);
    return kExitUsage;
  }
  if (arguments[0] == "help" || is_help(arguments[0])) {
    if (arguments.size() == 1) {
      print_help(stdout);
      return kExitOk;
    }
    std::vector<std::string> asked(arguments.begin() + 1, arguments.end());
    asked.emplace_back("--help");
    return dispatch(asked);
  }
  if (arguments[0] == "--version") return version_command({});
  const auto all = commands();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Command& c) { return c.name == arguments[0]; });
  if (found == all.end()) {
    fmt::print(stderr, "weft: there is no command `{}`{}\n", printable(arguments[0]),
               did_you_mean(arguments[0], names_of(all)));
    return kExitUsage;
  }
  return run({&*found, std::string(found->name)}, {arguments.begin() + 1, arguments.end()});
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  try {
    const int status = weft::dispatch({argv + 1, argv + argc});
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    fmt::print(stderr, "weft: error: cannot write to the standard output: {}\n", std::strerror(errno));
  } catch (const std::system_error& error) {  // of fmt::print
    fmt::print(stderr, "weft: error: cannot write to the standard output: {}\n", error.code().message());
  } catch (const weft::ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
  } catch (const weft::BadValue& error) {
    fmt::print(stderr, "weft: error: {}\n", error.what());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "weft: error: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "weft: error: {}\n", error.what());
  }
  return weft::kExitBadInput;
}
