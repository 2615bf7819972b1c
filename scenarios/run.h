// Runs a prepared scenario and says how it ended.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "scenarios/loader.h"
#include "sim/recorder.h"

namespace weft {

/// How a run ended.
enum class Verdict : std::uint8_t {
  finished,     // all traffic arrived
  duration,     // the asked simulated time is over
  deadlocked,   // a circle of full buffers
  stalled,      // nothing can move, but in no circle: a receiver or link that does not act
  incomplete,   // messages were lost
  interrupted,  // the user stopped it
};
std::string_view to_text(Verdict verdict);

struct RunStatus {
  Ticks now = 0;
  double share_done = 0;  // 0 to 1, as far as it can be told
  std::uint64_t data_hops = 0;
};

struct RunHooks {
  std::function<void(const RunStatus&)> progress;  // some ten times a second of wall time
  const std::atomic<bool>* interrupt = nullptr;    // looked at that often
};

struct RunResult {
  Verdict verdict = Verdict::finished;
  std::string verdict_text;  // one line: the verdict and why
  bool partial = false;
  std::size_t expectations_failed = 0;
  Ticks simulated = 0;
  std::uint64_t fingerprint = 0;
  double run_seconds = 0;  // wall time of the run loop alone
  World::Counts counts;
};

/// Fills `recorder` with every table and value of the run. @throws ConfigError for traffic that does not fit
/// the fabric
RunResult run_scenario(const Prepared& prepared, Recorder& recorder, const RunHooks& hooks);

}  // namespace weft
