// The layers that lash spreads its ways over, so that the ways of one layer can never wait for each other in
// a circle.
//
// Pair by pair both ways go into the first layer that stays without a circle, a new one when there is none
// (Skeie, Lysne and Theiss, "Layered shortest path (LASH) routing in irregular system area networks", IPDPS
// 2002). Then pairs drawn at random move from the fullest layer to the emptiest until these differ by less
// than 6 ways, as OpenSM 3.3.23 does it, with the random numbers it draws in its first routing of a fabric.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/glibc_random.h"
#include "models/routing/lash/acyclic_layer.h"
#include "models/routing/lash/ways.h"

namespace weft {

class LashLanes {
 public:
  /// Time and memory grow with the square of the switches. `ways` must outlive the lanes.
  /// @param available layers, at least 1
  /// @throws Refusal when they do not suffice
  LashLanes(const LashWays& ways, unsigned available);

  unsigned lanes() const { return static_cast<unsigned>(layers_.size()); }
  /// Ways in each layer.
  const std::vector<std::uint32_t>& fill() const { return fill_; }
  /// The layer of the ways between two switches; 0 when they are the same or have no ways.
  unsigned lane(std::uint32_t a, std::uint32_t b) const {
    const std::uint8_t lane = lane_of_[index(a, b)];
    return lane == kNoLane ? 0 : lane;
  }

 private:
  struct Pair {
    std::uint32_t a, b;
  };
  static constexpr std::uint8_t kNoLane = 255;

  std::size_t index(std::uint32_t a, std::uint32_t b) const { return std::size_t{a} * ways_.switches() + b; }
  void set_lane(Pair pair, unsigned lane);
  bool add(Pair pair, AcyclicLayer& layer);
  void assign(Pair pair, unsigned available);
  void balance();
  Pair draw(unsigned lane);
  void forget_tried(unsigned lane);

  const LashWays& ways_;
  std::vector<AcyclicLayer> layers_;
  std::vector<std::uint32_t> fill_;    // by layer
  std::vector<std::uint8_t> lane_of_;  // by index(a, b) and index(b, a)
  // While balancing.
  GlibcRandom random_;
  std::vector<std::uint8_t> tried_;          // by index: a move was tried in vain
  std::vector<std::vector<Pair>> tried_in_;  // by layer: those pairs
  std::vector<std::uint32_t> path_, back_path_;
};

}  // namespace weft
