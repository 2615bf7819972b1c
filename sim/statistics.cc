#include "sim/statistics.h"

#include <cmath>
#include <numeric>

namespace weft {

double student_t(std::size_t degrees) {
  if (degrees <= 1) return 12.7062;
  if (degrees == 2) return 4.30265;
  if (degrees == 3) return 3.18245;
  // Expansion in 1/degrees around the normal quantile (Abramowitz and Stegun 26.7.5).
  const double x = 1.959964, n = static_cast<double>(degrees), x2 = x * x;
  const double first = x * (x2 + 1) / 4;
  const double second = x * ((5 * x2 + 16) * x2 + 3) / 96;
  const double third = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384;
  const double fourth = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160;
  return x + first / n + second / (n * n) + third / (n * n * n) + fourth / (n * n * n * n);
}

Estimate estimate_mean(std::span<const double> samples) {
  if (samples.empty()) return {};
  const auto count = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  if (samples.size() == 1) return {mean, mean, mean};
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const double half = student_t(samples.size() - 1) * std::sqrt(squares / (count - 1) / count);
  return {mean, mean - half, mean + half};
}

}  // namespace weft
