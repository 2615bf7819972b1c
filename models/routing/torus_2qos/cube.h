// What may be deduced about a cube of eight neighbouring places in a torus, some of whose switches are known:
// which empty corner to look for next, and how. A rule of OpenSM's search (osm_torus.c of 3.3.23), which its
// tables depend on: switches are routed to in the order they were found, and that spreads paths over parallel
// cables.
//
// A corner is a number whose bit d says whether it lies up along dimension d. Dimensions of size one are not
// there: a cube of two is a square, of one an edge.
#pragma once

#include <cstdint>
#include <vector>

namespace weft {

struct CubeStep {
  enum class By : std::uint8_t {
    square,  // `target` closes the square that `from`, the corner across, and the two between have open
    perpendicular,  // `target` is the neighbour of `from` off the edges that are known there
    line            // `target` is the neighbour of `from` that is left, there being no other dimension
  };
  By by;
  std::uint8_t target, from;
  std::uint8_t begin = 0;  // of a square: the corner between whose neighbours are looked through
  friend bool operator==(const CubeStep&, const CubeStep&) = default;
};

/// The steps to try, in turn, until one finds its switch.
/// @param dimensions bit d: dimension d is there  @param present bit c: the switch of corner c is known
std::vector<CubeStep> cube_steps(unsigned dimensions, unsigned present);

}  // namespace weft
