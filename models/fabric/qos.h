// The VL arbitration tables (IBA vol. 1 §7.6.9): which lane an output serves next.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/routing/sl2vl.h"
#include "sim/schema.h"

namespace weft {

/// One line of a VL arbitration table. Weight in units of 64 bytes; 0 = skipped.
struct VlWeight {
  std::uint8_t vl = 0;
  std::uint8_t weight = 0;
  friend bool operator==(VlWeight, VlWeight) = default;
};

/// The tables one output works by.
struct VlArbTables {
  std::vector<VlWeight> high, low;
  std::uint8_t high_limit = 0;      // in 4 KiB; 255 = unlimited (IBA §7.6.9.2)
  bool ignores_high_limit = false;  // Quantum-2 firmware: VL_HIGH_LIMIT not effective
};

/// Parses OpenSM's form "0:64,1:128". @throws BadValue(key) with the offending entry
std::vector<VlWeight> parse_vl_weights(const std::string& text, unsigned data_vls, const std::string& key);

/// Chooses among virtual lanes for one output.
struct VlArbiter {
  static constexpr std::uint8_t kNotStarted = 255;
  std::uint8_t high_at = kNotStarted, low_at = kNotStarted;
  std::int16_t high_left = 0, low_left = 0;  // 64-byte units left of the current entry; <= 0: move on
  std::uint32_t high_bytes = 0;              // of high priority since the last low packet

  /// The lane to serve among those in `eligible` (bit v = lane v has a packet that can start; never 0), whose
  /// candidates are bytes[v] long on the wire. Precedence: VL15, high table while its limit allows, low
  /// table; a lane in no table is served last, lowest number first. An entry may be overrun by one packet;
  /// the limit counts wire bytes.
  unsigned choose(const VlArbTables& tables, std::uint32_t eligible, const std::uint16_t* bytes);
};

}  // namespace weft
