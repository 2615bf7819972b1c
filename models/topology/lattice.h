// Switches on a lattice of several dimensions, as torus and HyperX have them: switch n stands where the
// mixed-radix digits of n say, first dimension fastest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

class Lattice {
 public:
  /// `size`: switches along each dimension, 1 to 8 of them.
  /// @throws BadValue ("size"); ("size[1]") for one that no machine could simulate
  explicit Lattice(std::vector<std::uint32_t> size);

  const std::vector<std::uint32_t>& size() const { return size_; }
  std::size_t dimensions() const { return size_.size(); }
  std::uint32_t switches() const { return switches_; }
  /// Coordinate of switch `n` along dimension `d`.
  std::uint32_t at(std::uint32_t n, std::size_t d) const { return n / stride_[d] % size_[d]; }
  /// The switch at coordinate `x` of dimension `d`, where the others are those of `n`.
  std::uint32_t moved(std::uint32_t n, std::size_t d, std::uint32_t x) const {
    return n - at(n, d) * stride_[d] + x * stride_[d];
  }
  /// sw1-0-2, each coordinate with as many digits as its dimension needs.
  std::string name(std::uint32_t n) const;

 private:
  std::vector<std::uint32_t> size_, stride_;
  std::uint32_t switches_ = 1;
};

/// `values` by dimension: given one for each, one for all, or none (`otherwise`). @throws BadValue (`key`)
template <class T>
std::vector<T> by_dimension(const std::vector<T>& values, const Lattice& lattice, T otherwise,
                            const std::string& key) {
  if (values.empty()) return std::vector<T>(lattice.dimensions(), otherwise);
  if (values.size() == 1) return std::vector<T>(lattice.dimensions(), values[0]);
  if (values.size() != lattice.dimensions())
    throw BadValue(key, fmt::format("{} values for {} dimensions; give one for each, or one for all",
                                    values.size(), lattice.dimensions()));
  return values;
}

}  // namespace weft
