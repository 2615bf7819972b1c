// One measurement of `weft bench`: a workload on a fabric, by Weft and by the yardstick, turn by turn.
#pragma once

#include <cstdint>
#include <functional>

#include "tools/bench_workload.h"

namespace weft {

struct BenchCase {
  const BenchWorkload* workload = nullptr;
  BenchSize size{};
  std::uint32_t ack_every = 0;
  std::uint32_t runs = 1;  // of each engine
  bool yardstick = true;
};

/// The middle one of some numbers, and the ends.
struct Spread {
  double median = 0, low = 0, high = 0;
};

/// Plain data, so that it can be handed from one process to another. NaN: not known.
struct BenchResult {
  std::uint64_t data_hops = 0, ack_hops = 0, events = 0;
  Spread rate, yardstick_rate;         // data packet-hops per second of the run loop
  Spread ratio;                        // of the two in the same turn
  double instructions = 0;             // of the run loop, per data packet-hop
  std::uint64_t engine_bytes = 0;      // reserved by the engine's rows
  std::int64_t resident_growth = 0;    // bytes, from an empty process to the end of the first run
  std::int64_t loop_growth = 0;        // bytes, of the first run loop
  std::uint64_t peak_resident = 0;     // bytes, before the yardstick takes any
  std::uint64_t allocations = 0;       // calls of operator new in the first run loop
  std::uint64_t late_allocations = 0;  // those after half of its packet-hops
};

/// Builds the fabric and runs `runs` turns; a run loop lasts from the first post to the last event.
/// `progress` is called before each turn with its number, from 1. @throws std::runtime_error when not all
/// messages arrive or the engines do not agree on the number of packet-hops
BenchResult measure_bench(const BenchCase& bench, const std::function<void(std::uint32_t turn)>& progress);

}  // namespace weft
