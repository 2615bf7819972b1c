// The hot rows of the packet engine, sized to cache lines.
//
// A directed link is named by its sending port's index. Its PortRow and its LaneRows (one per VL) hold all of
// its state: the wire, the credits, what waits to be sent. Everything the receiving end needs travels in the
// packet.
#pragma once

#include <array>
#include <cstdint>

#include "models/fabric/credit.h"
#include "models/fabric/packet.h"
#include "models/fabric/qos.h"

namespace weft {

inline constexpr Ticks kIdle = -1;

/// The wire of one directed link, at its sending port.
struct alignas(64) PortRow {
  Ticks busy = 0;              // the wire is taken until then
  Ticks armed = kIdle;         // time of the pending arbitration; events for other times are stale
  Ticks waiting_since = 0;     // when the first of what waits now came
  Ticks xmit_wait = 0;         // PortXmitWait: data present, nothing sent
  Ticks anchor = 0;            // start of the busy period; busy = anchor + floor(anchored * rate)
  std::uint64_t anchored = 0;  // bytes since then
  std::uint32_t timing = 0;    // index of its LinkTiming
  std::uint16_t waiting = 0;   // bit v: something waits on VL v
  std::uint16_t epoch = 0;     // counts link-down events
  std::uint8_t far_port = 0;   // input at the far node, from 0
  std::uint8_t flags = 0;
  std::uint16_t updates = 0;  // flow-control packets to slip in before the next packet, saturating
  enum Flag : std::uint8_t { down = 1, to_hca = 2, from_hca = 4, cabled = 8 };
  bool is(Flag flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(PortRow) == 64);

/// One VL of a directed link: its queue's heads, its stall clock, its credit.
struct alignas(64) LaneRow {
  static constexpr std::uint8_t kNoCandidate = 255;
  Ticks stall = 0;                        // total time its head stood without credit while the wire was free
  Ticks blocked_since = kNeverTicks;      // running stall, if any
  Ticks unblocked_at = kNeverTicks;       // when credit will suffice (or did), if known
  std::array<std::uint64_t, 4> inputs{};  // inputs with packets in the VOQs (the solo packet not counted)
  std::uint32_t solo = 0;                 // a packet that found the lane empty waits here; kNone
  std::uint8_t solo_in = 0;
  std::uint8_t round_robin = 0;           // next input to serve
  std::uint8_t candidate = kNoCandidate;  // input chosen, kept while credit is short
  bool wants = false;                     // credit on its way does not suffice: the next return arms the port
  // second line
  CreditState credit;
  std::uint64_t xmit_bytes = 0, xmit_packets = 0;

  /// The stall clock at time t, not before the running stall began.
  Ticks stall_at(Ticks t) const {
    if (blocked_since >= t) return stall;
    return stall + (unblocked_at < t ? unblocked_at : t) - blocked_since;
  }
};
static_assert(sizeof(LaneRow) == 128);

/// What the engine looks up of a node: where its ports and its forwarding table begin.
struct NodeRow {
  std::uint32_t first_port = 0;        // index of port 1
  const std::uint32_t* lft = nullptr;  // its table: numbers of the blocks of the fabric's pool
  std::uint8_t ports = 0;
  std::uint8_t inputs = 0;   // queues an output keeps per VL: ports, or 2 at an HCA (responses, requests)
  bool output_fifo = false;  // one queue per output and VL, in order of arrival
  std::uint16_t read_speedup = 0;  // 0 = unlimited
};

/// The timing of one kind of directed link; links with equal timing share a row.
struct LinkTiming {
  std::uint64_t num = 0, den = 1;      // ps per byte
  Ticks propagation = 0;               // cable
  Ticks pipeline = 0;                  // FEC and, into a switch, port-to-port
  Ticks credit_delay = 0;              // from a freed block to its use by the sender
  std::uint32_t update_bytes = 0;      // flow-control packet
  std::uint16_t update_threshold = 0;  // blocks; 0 = each packet
  Ticks update_period = 0;             // > 0: the receiver's update timer
  friend bool operator==(const LinkTiming&, const LinkTiming&) = default;

  Ticks serialise(std::uint64_t bytes) const {
    if (den == 1) return static_cast<Ticks>(bytes * num);
    return static_cast<Ticks>(static_cast<Uint128>(bytes) * num / den);
  }
};

/// Head and tail of one queue of packets.
struct Voq {
  std::uint32_t head, tail;
};

}  // namespace weft
