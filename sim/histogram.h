// A log-linear histogram of times or sizes: fixed memory, bounded relative error, exact extremes and sum.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/int128.h"

namespace weft {

/// Non-negative 64-bit values in buckets of relative width 1/64: a quantile is at most 1.6 % above the true
/// one and never below it; minimum, maximum, count and mean are exact.
class Histogram {
 public:
  void add(std::int64_t value, std::uint64_t count = 1);
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  std::int64_t minimum() const { return count_ ? minimum_ : 0; }
  std::int64_t maximum() const { return maximum_; }
  double mean() const { return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0; }
  /// The smallest bucket bound that at least ceil(num/den * count) values do not exceed; 0 when empty. 0 <=
  /// num/den <= 1.
  std::int64_t quantile(std::uint64_t num, std::uint64_t den) const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::int64_t minimum_ = 0, maximum_ = 0;
  Uint128 sum_ = 0;
};

}  // namespace weft
