// Where a message's time went: nine parts that sum to its latency to the picosecond.
//
// A message's time is its source's timeline until its last packet departs, each instant charged to what its
// head waited for, plus that packet's flight. In a wait the time its lane's head stood without credit, once
// its turn had come, is `credit`, the rest `arbitration`. It costs O(1) a packet: each (link, VL) has a stall
// clock S, the total of that time; a packet queued from r to g waited S(g) - S(r) for credit and (g - r)
// minus that for its turn.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/fabric/packet.h"

namespace weft {

enum class Part : std::uint8_t {
  host,           // software: post and completion
  pcie,           // doorbell, fetch of payload, placement
  serialisation,  // bytes / rate, at the source and once on the last link
  propagation,    // cables
  pipeline,       // switch port-to-port, HCA and FEC latency
  arbitration,    // waiting for the wire, a turn, or a read port
  credit,         // waiting for the next buffer
  congestion,     // injection gate: static rate and congestion control
  retry,          // discarded attempts
};
inline constexpr std::size_t kParts = 9;

inline constexpr std::array<std::string_view, kParts> kPartNames = {
    "host",        "pcie",   "serialisation",      "propagation", "pipeline",
    "arbitration", "credit", "congestion_control", "retry"};

struct Parts {
  std::array<Ticks, kParts> ticks{};
  Ticks& operator[](Part part) { return ticks[static_cast<std::size_t>(part)]; }
  Ticks operator[](Part part) const { return ticks[static_cast<std::size_t>(part)]; }
  Ticks total() const {
    Ticks sum = 0;
    for (const Ticks t : ticks) sum += t;
    return sum;
  }
};

}  // namespace weft
