// A measurement in a process of its own, so that its memory is that of this measurement alone.
#pragma once

#include "tools/bench_measure.h"

namespace weft {

/// As measure_bench. @throws std::runtime_error, naming the case, also when the process fails or is ended
BenchResult measure_apart(const BenchCase& bench, const std::function<void(std::uint32_t turn)>& progress);

}  // namespace weft
