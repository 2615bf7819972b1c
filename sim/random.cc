#include "sim/random.h"

#include <bit>

#include "sim/fingerprint.h"
#include "sim/int128.h"

namespace weft {

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) {
  Chain chain;
  chain.add(seed);
  for (const char c : name) chain.add(static_cast<unsigned char>(c));
  std::uint64_t z = chain.value();
  for (std::uint64_t& word : state_) {  // splitmix64
    z += 0x9e3779b97f4a7c15;
    std::uint64_t x = z;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    word = x ^ x >> 31;
  }
}

std::uint64_t RandomStream::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  Uint128 product = static_cast<Uint128>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Uint128>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace weft
