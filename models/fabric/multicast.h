// Multicast in the packet engine: what a switch knows of a group, and what copies of a packet share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/fabric/packet.h"
#include "models/topology/topology.h"

namespace weft {

inline constexpr std::uint32_t kGroupBit = 0x8000'0000;  // a Responder's hca with it is the number of a group

/// A group: its multicast forwarding tables and who receives.
struct MulticastRow {
  Lid mlid = 0;
  std::vector<std::uint32_t> first;  // by node, one more at the end: where its ports begin in `ports`
  std::vector<std::uint8_t> ports;
  std::vector<bool> is_member;  // by endpoint
  std::uint32_t members = 0;

  std::span<const std::uint8_t> ports_of(NodeIndex node) const {
    return std::span(ports).subspan(first[node], first[node + 1] - first[node]);
  }
};

/// Buffer space that the copies of one packet take together, at the input it came by: it is free when the
/// last of them has left.
struct MulticastHold {
  Packet packet;             // as it came
  std::uint32_t copies = 0;  // that have not left; 0: a free row
  std::uint32_t next = 0;    // free: the next free row
};

}  // namespace weft
