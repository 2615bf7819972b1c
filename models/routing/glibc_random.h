// The numbers that the C library's rand() gives a program that never called srand(): OpenSM's lash draws from
// them, so its lanes can be had again only with the same ones. For simulation itself see sim/random.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace weft {

/// glibc's default generator (random_r.c, TYPE_3): x_n = x_(n-3) + x_(n-31) mod 2^32, of which the lowest bit
/// is thrown away.
class GlibcRandom {
 public:
  explicit GlibcRandom(std::uint32_t seed = 1);

  /// In [0, 2^31).
  std::uint32_t next();
  std::uint32_t below(std::uint32_t bound) { return next() % bound; }

 private:
  static constexpr std::size_t kLag = 31, kShortLag = 3;
  std::array<std::uint32_t, kLag> last_{};
  std::size_t at_ = kShortLag;  // of x_(n-31), the oldest
};

}  // namespace weft
