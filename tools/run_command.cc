// weft run: simulate a scenario, print what came out, write its files.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <limits>

#include <fmt/format.h>

#include "scenarios/run.h"
#include "sim/error.h"
#include "tools/command.h"
#include "tools/options.h"
#include "tools/results_folder.h"
#include "tools/terminal.h"

namespace weft {
namespace po = boost::program_options;
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // set in a signal handler

void on_signal(int number) {
  interrupted = true;
  std::signal(number, SIG_DFL);  // a second one ends at once
}

/// Installs the handlers for the lifetime of a run.
class SignalGuard {
 public:
  SignalGuard() {
    interrupted = false;
    old_int_ = std::signal(SIGINT, on_signal);
    old_term_ = std::signal(SIGTERM, on_signal);
  }
  ~SignalGuard() {
    std::signal(SIGINT, old_int_);
    std::signal(SIGTERM, old_term_);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  void (*old_int_)(int);
  void (*old_term_)(int);
};

int exit_status(const RunResult& result) {
  switch (result.verdict) {
    case Verdict::interrupted:
      return kExitInterrupted;
    case Verdict::deadlocked:
    case Verdict::stalled:
    case Verdict::incomplete:
      break;
    case Verdict::finished:
    case Verdict::duration:
      return result.expectations_failed == 0 ? kExitOk : kExitExpectation;
  }
  return kExitStuck;
}

std::string report(const Prepared& prepared, const RunResult& result, const Recorder& recorder) {
  const Topology& t = prepared.topology;
  std::string out =
      fmt::format("{}: {} endpoints, {} switches, {} cables; routing {}; seed {}\n\n",
                  printable(prepared.scenario.name), t.endpoints().size(), t.count(NodeKind::switch_),
                  t.cables.size(), prepared.routes.engine, prepared.scenario.run.seed);
  for (const Table& table : recorder.tables())
    if (table.on_terminal && !table.rows.empty()) out += terminal_table(table) + "\n";
  for (const std::string& warning : recorder.warnings()) out += fmt::format("note: {}\n", printable(warning));
  const double hops = static_cast<double>(result.counts.data_hops);
  out += fmt::format("{}\n{} simulated in {:.3f} s, {:.2f} M data packet-hops/s, fingerprint {:016x}\n",
                     result.verdict_text, to_text(Time{result.simulated}), result.run_seconds,
                     result.run_seconds > 0 ? hops / result.run_seconds / 1e6 : 0, result.fingerprint);
  if (result.expectations_failed > 0)
    out += fmt::format("{} expectations NOT met\n", result.expectations_failed);
  return out;
}

/// Prints at once. A reader who has gone away (`| head`) is no error; any other failure is left for main to
/// report.
void show(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 && errno == EPIPE) std::clearerr(stdout);
}

}  // namespace

int run_command(const std::vector<std::string>& arguments) {
  po::options_description options;
  options.add_options()("scenario", po::value<std::string>())(
      "set", po::value<std::vector<std::string>>()->composing())("out", po::value<std::string>())(
      "seed", po::value<std::string>())("json", po::bool_switch())("quiet,q", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"scenario"});
  if (!map.count("scenario")) throw UsageError{"which scenario?"};
  const bool json = map["json"].as<bool>();
  const bool quiet = map["quiet"].as<bool>();
  LoadOptions load;
  if (map.count("set")) load.sets = map["set"].as<std::vector<std::string>>();
  if (map.count("seed"))
    load.seed =
        whole_number("--seed", map["seed"].as<std::string>(), 0, std::numeric_limits<std::uint64_t>::max());
  const bool writes = map.count("out") > 0;
  const std::string folder = writes ? map["out"].as<std::string>() : std::string();
  if (writes && folder.empty()) throw UsageError{"--out names no folder"};

  Prepared prepared = load_scenario(map["scenario"].as<std::string>(), load);
  build_fabric(prepared);
  if (writes) {
    std::signal(SIGPIPE, SIG_IGN);  // a reader of the table who goes away must not cost the files
    try {
      create_folder(folder);
    } catch (const BadValue& error) {  // said before a long run, not only after it
      fmt::print(stderr, "weft: warning: {}; the results will only be printed\n", error.what());
    }
  }
  Recorder recorder;
  RunResult result;
  {
    const SignalGuard guard;
    ProgressLine progress(quiet || json);
    result = run_scenario(prepared, recorder,
                          {[&](const RunStatus& status) { progress.show(status); }, &interrupted});
  }
  // Shown before anything is written: a full disk loses nothing that was computed.
  show(json    ? summary_json(prepared, result, recorder)
       : quiet ? result.verdict_text + "\n"
               : report(prepared, result, recorder));
  if (!writes) return exit_status(result);
  try {
    write_results(folder, prepared, result, recorder);
  } catch (const BadValue&) {
    if (quiet && !json) show(report(prepared, result, recorder));
    throw;
  }
  if (!json && !quiet) show(fmt::format("results in {}\n", folder));
  return exit_status(result);
}

}  // namespace weft
