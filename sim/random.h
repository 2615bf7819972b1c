// Random streams: named, independent, and the same on every platform and compiler.
//
// std:: distributions differ between libraries; these samplers are integer arithmetic only. A stream is made
// from the run's seed and a name ("traffic[0]"), so adding a consumer never shifts the numbers of another.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace weft {

/// xoshiro256** (Blackman & Vigna 2018, public domain algorithm), seeded through splitmix64.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  std::uint64_t next();

  /// Uniform in [0, bound), bound >= 1; unbiased (Lemire 2019).
  std::uint64_t below(std::uint64_t bound);

  /// Uniform in [low, high].
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  /// True with probability num/den.
  bool chance(std::uint64_t num, std::uint64_t den) { return below(den) < num; }

  /// Fisher-Yates.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace weft
