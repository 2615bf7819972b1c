// The packet as the engine moves it: one 64-byte row, and the header sizes that make its wire length.
#pragma once

#include <cstdint>

namespace weft {

/// Simulated time inside the engine's rows: picoseconds.
using Ticks = std::int64_t;
inline constexpr Ticks kNeverTicks = INT64_MAX;

/// Header and trailer sizes in bytes (IBA vol. 1 ch. 7 and 9; Linux include/rdma/ib_pack.h).
namespace header {
inline constexpr std::uint32_t lrh = 8, grh = 40, bth = 12, deth = 8, reth = 16, aeth = 4, icrc = 4, vcrc = 2;
inline constexpr std::uint32_t rc_send = lrh + bth + icrc + vcrc;        // 26
inline constexpr std::uint32_t rc_ack = lrh + bth + aeth + icrc + vcrc;  // 30
inline constexpr std::uint32_t ud_multicast =
    lrh + grh + bth + deth + icrc + vcrc;  // 74: multicast has a GRH
}  // namespace header

/// Bytes on the wire of an RC SEND packet: the payload is padded to 4 bytes.
constexpr std::uint32_t rc_send_wire_bytes(std::uint32_t payload) {
  return header::rc_send + ((payload + 3) & ~3u);
}

/// Bytes on the wire of a multicast packet: a UD SEND with a GRH (IBA 8.3, 9.8).
constexpr std::uint32_t ud_multicast_wire_bytes(std::uint32_t payload) {
  return header::ud_multicast + ((payload + 3) & ~3u);
}

/// Credit blocks of 64 bytes a packet takes, headers included (IBA 7.9).
constexpr std::uint32_t credit_blocks(std::uint32_t wire_bytes) { return (wire_bytes + 63) / 64; }

enum class Opcode : std::uint8_t { rc_send, rc_ack, ud_send };

struct alignas(64) Packet {
  // Attribution: while queued these hold minus the port's clocks at arrival, see attribution.h.
  Ticks credit_wait = 0;
  Ticks arbitration_wait = 0;
  Ticks tail = 0;  // when its last byte is ready at the output (or, arriving at an HCA, has arrived)
  std::uint32_t message = 0;  // slot of its message; of its QP for an ACK
  std::uint32_t dlid = 0;
  std::uint32_t next = 0;  // behind it in its queue; in flight: the node it flies to; free: the next free row
  std::uint32_t in_link = 0;  // directed link it came by; kNone while at its source; of a
                              // multicast packet that is queued at a switch: its MulticastHold
  std::uint32_t timing = 0;   // LinkTiming of in_link
  std::uint32_t propagation = 0, pipeline = 0;  // its flight so far, ps (at the source: see hca_send.cc)
  std::uint32_t psn : 24 = 0;
  std::uint32_t opcode : 8 = 0;
  std::uint16_t bytes = 0;   // on the wire; 0 marks a free row
  std::uint16_t epoch = 0;   // of the link it is on
  std::uint8_t in_port = 0;  // input of the node it is at, from 0
  std::uint8_t vl = 0;       // on in_link
  std::uint8_t sl = 0;
  std::uint8_t flags = 0;

  enum Flag : std::uint8_t {
    to_hca = 1,
    at_source = 2,
    last = 4,
    ack_request = 8,
    fecn = 16,
    becn = 32,
    queued = 64,
    multicast = 128  // dlid is of a group: switches copy it
  };
  Opcode op() const { return static_cast<Opcode>(opcode); }
  bool has(Flag flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(Packet) == 64);

}  // namespace weft
