// Quality of service: service levels to virtual lanes, and the VL arbitration tables (IBA vol. 1 §7.6.6,
// §7.6.9).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/topology/topology.h"
#include "sim/schema.h"

namespace weft {

inline constexpr unsigned kMaxDataVls = 15;
inline constexpr std::uint8_t kAnyPort = 255;
inline constexpr std::uint8_t kDropVl = 15;  // SL2VL entry 15: packets of that SL are dropped

/// SL -> VL, for one (input port, output port).
using SlMap = std::array<std::uint8_t, 16>;

/// The SL2VL mapping of the whole fabric: one default, and exceptions by (node, in, out).
class Sl2Vl {
 public:
  explicit Sl2Vl(unsigned data_vls = 1);
  explicit Sl2Vl(const SlMap& everywhere) : default_(everywhere) {}

  /// Sets the map for packets that enter `node` by `in` and leave by `out` (numbered from 1; in = 0 is the
  /// node's own traffic; kAnyPort = every port).
  void set(NodeIndex node, std::uint8_t in, std::uint8_t out, const SlMap& map);

  std::uint8_t vl(NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) const {
    if (exceptions_.empty()) return default_[sl];
    return exception(node, in, out, sl);
  }

 private:
  struct Exception {
    NodeIndex node;
    std::uint8_t in, out;
    SlMap map;
  };
  std::uint8_t exception(NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) const;

  SlMap default_{};
  std::vector<Exception> exceptions_;   // the latest match wins
  std::vector<std::uint32_t> by_node_;  // first exception of a node + 1; 0 = none
};

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
