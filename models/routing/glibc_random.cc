#include "models/routing/glibc_random.h"

namespace weft {

GlibcRandom::GlibcRandom(std::uint32_t seed) {
  // Park and Miller's minimal standard generator fills the state; then ten rounds of it are thrown away.
  std::uint64_t x = seed == 0 ? 1 : seed;
  for (std::uint32_t& value : last_) {
    value = static_cast<std::uint32_t>(x);
    x = x * 16807 % 2'147'483'647;
  }
  for (std::size_t i = 0; i < 10 * kLag; ++i) next();
}

std::uint32_t GlibcRandom::next() {
  last_[at_] += last_[(at_ + kLag - kShortLag) % kLag];
  const std::uint32_t value = last_[at_] >> 1;
  at_ = (at_ + 1) % kLag;
  return value;
}

}  // namespace weft
