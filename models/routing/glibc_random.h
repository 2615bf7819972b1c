// The numbers glibc's random() gives after srandom(seed), on every platform: OpenSM's --scatter-ports and
// lash draw from them, and its tables and lanes are the same only if these are. For simulation itself see
// sim/random.h.
//
// An additive feedback generator: x[i] = x[i-3] + x[i-31] modulo 2^32, of which the low bit is dropped; the
// first 31 words come from the "minimal standard" multiplier 16807 and the next 310 are thrown away (Knuth,
// TAOCP 2, 3.2.2; the glibc manual names the family).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

class GlibcRandom {
 public:
  /// @param seed 1 is what a program has that never called srandom()
  explicit GlibcRandom(std::uint32_t seed = 1) {
    std::int64_t word = static_cast<std::int32_t>(seed == 0 ? 1 : seed);
    for (std::uint32_t& x : words_) {
      x = static_cast<std::uint32_t>(word);
      word = 16807 * word % 2147483647;
      if (word < 0) word += 2147483647;
    }
    for (std::size_t i = 0; i < 10 * words_.size(); ++i) next();
  }

  /// In [0, 2^31).
  std::uint32_t next() {
    words_[at_] += words_[(at_ + words_.size() - 3) % words_.size()];
    const std::uint32_t x = words_[at_];
    at_ = (at_ + 1) % words_.size();
    return x >> 1;
  }
  std::uint32_t below(std::uint32_t bound) { return next() % bound; }

 private:
  std::array<std::uint32_t, 31> words_{};  // the last 31; words_[at_] is the oldest
  std::size_t at_ = 3;
};

}  // namespace weft
