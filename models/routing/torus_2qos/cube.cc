#include "models/routing/torus_2qos/cube.h"

#include <algorithm>
#include <array>
#include <bit>

namespace weft {
namespace {

using By = CubeStep::By;

/// Beside a corner across a square: the search goes through the neighbours of the higher one of the two
/// corners between, not of the lower. Both find the same switch unless there are cables across the torus.
constexpr std::uint8_t kHigher = 8;

/// The corner across the square by which the last corner of a cube is found.
constexpr std::array<std::uint8_t, 8> kAcrossFromLast{3 | kHigher, 4, 4, 0 | kHigher, 1, 0, 0, 4 | kHigher};

/// The corners across the three squares that meet in a corner, in the order they are tried.
constexpr std::array<std::array<std::uint8_t, 3>, 8> kAcross{{{3, 5, 6},
                                                              {2, 4 | kHigher, 7 | kHigher},
                                                              {1, 7 | kHigher, 4 | kHigher},
                                                              {0 | kHigher, 5 | kHigher, 6 | kHigher},
                                                              {7, 1, 2},
                                                              {6, 0, 3},
                                                              {5, 0, 3},
                                                              {4 | kHigher, 1, 2}}};

constexpr unsigned kAlongXy = 3;  // dimensions of a square

CubeStep square(unsigned target, unsigned from, bool higher) {
  const unsigned apart = target ^ from, one = target ^ (apart & (~apart + 1)), other = from ^ target ^ one;
  return {By::square, static_cast<std::uint8_t>(target), static_cast<std::uint8_t>(from),
          static_cast<std::uint8_t>(higher ? std::max(one, other) : std::min(one, other))};
}

class Cube {
 public:
  Cube(unsigned dimensions, unsigned present) : dimensions_(dimensions), present_(present) {}

  bool there(unsigned corner) const { return (present_ >> corner & 1) != 0; }
  bool flat() const { return std::popcount(dimensions_) == 2; }
  bool valid(unsigned corner) const { return (corner & ~dimensions_) == 0; }
  /// Bits of the dimensions along which a corner has a known neighbour.
  unsigned edges(unsigned corner) const {
    unsigned found = 0;
    for (unsigned bit = 1; bit < 8; bit <<= 1)
      if ((dimensions_ & bit) != 0 && there(corner ^ bit)) found |= bit;
    return found;
  }

  /// Off each of `corners` along the one dimension in which it has no neighbour.
  std::vector<CubeStep> perpendiculars() const {
    std::vector<CubeStep> steps;
    const unsigned known = static_cast<unsigned>(std::popcount(dimensions_)) - 1;
    for (unsigned c = 0; c < 8; ++c) {
      if (!there(c) || static_cast<unsigned>(std::popcount(edges(c))) != known) continue;
      steps.push_back({By::perpendicular, static_cast<std::uint8_t>(c ^ (dimensions_ & ~edges(c))),
                       static_cast<std::uint8_t>(c)});
    }
    return steps;
  }

  /// Empty corners of squares whose other three corners are known, in order of their numbers.
  std::vector<CubeStep> squares() const {
    std::vector<CubeStep> steps;
    for (unsigned c = 0; c < 8; ++c) {
      if (!valid(c) || there(c)) continue;
      for (unsigned across = 0; across < 8; ++across) {
        const unsigned between = edges(c) & (c ^ across);
        if (std::popcount(c ^ across) == 2 && between == (c ^ across) && there(across))
          steps.push_back(
              square(c, across, flat() || between == kAlongXy ? false : (c & between) == between));
      }
    }
    return steps;
  }

  /// The three squares that begin with the edges of a corner that knows all its neighbours.
  std::vector<CubeStep> claw(unsigned corner) const {
    std::vector<CubeStep> steps;
    for (const unsigned target : kAcross[corner])
      steps.push_back(square(target & ~kHigher, corner, (target & kHigher) != 0));
    return steps;
  }

 private:
  unsigned dimensions_, present_;
};

std::vector<CubeStep> steps_in_three(const Cube& cube, unsigned present) {
  const unsigned absent = present ^ 0xff;
  const auto first_absent = static_cast<std::uint8_t>(std::countr_zero(absent));
  switch (std::popcount(present)) {
    case 3:
    case 4: {
      for (unsigned c = 0; c < 8; ++c)
        if (cube.there(c) && cube.edges(c) == 7) return cube.claw(c);
      std::vector<CubeStep> steps = cube.perpendiculars();
      if (std::popcount(present) == 3) return steps;
      if (steps.size() != 4) return {};  // no square
      return {steps.rbegin(), steps.rend()};
    }
    case 5: {
      // A whole square and a corner off it. Without the square there are other ways to know five corners.
      std::vector<CubeStep> steps = cube.squares();
      return steps.size() == 2 ? steps : std::vector<CubeStep>{};
    }
    case 6: {
      const unsigned other_absent = std::bit_width(absent) - 1;
      return std::popcount(first_absent ^ other_absent) == 1 ? cube.squares() : std::vector<CubeStep>{};
    }
    case 7:
      return {square(first_absent, kAcrossFromLast[first_absent] & ~kHigher,
                     (kAcrossFromLast[first_absent] & kHigher) != 0)};
    default:
      return {};
  }
}

}  // namespace

std::vector<CubeStep> cube_steps(unsigned dimensions, unsigned present) {
  const Cube cube(dimensions, present);
  const int known = std::popcount(present);
  switch (std::popcount(dimensions)) {
    case 1: {
      if (known != 1) return {};
      const auto from = static_cast<std::uint8_t>(std::countr_zero(present));
      return {{By::line, static_cast<std::uint8_t>(from ^ dimensions), from}};
    }
    case 2:
      return known == 2 ? cube.perpendiculars() : known == 3 ? cube.squares() : std::vector<CubeStep>{};
    case 3:
      return steps_in_three(cube, present);
    default:
      return {};
  }
}

}  // namespace weft
