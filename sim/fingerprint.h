// The fingerprint of a run: a hash chained per entity, then summed over entities.
//
// Chaining makes it depend on the order of what one entity saw; summing makes it independent of the order in
// which entities (or threads) were visited. Equal for 1, 2, n threads, Debug and Release, gcc and clang.
#pragma once

#include <cstdint>

namespace weft {

/// Mixes 64 bits (the finaliser of MurmurHash3, public domain algorithm).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccd;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}

/// The chain of one entity.
class Chain {
 public:
  constexpr Chain() = default;
  explicit constexpr Chain(std::uint64_t entity) : value_(mix64(entity + 0x9e3779b97f4a7c15)) {}
  constexpr void add(std::uint64_t word) { value_ = mix64(value_ * 0x2545f4914f6cdd1d + word + 1); }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x6a09e667f3bcc908;
};

/// The sum over entities.
class Fingerprint {
 public:
  constexpr void add(const Chain& chain) { value_ += mix64(chain.value()); }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace weft
