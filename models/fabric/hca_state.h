// The adapter's state: queue pairs, the staging of packets over PCIe, the receive side. Touched per message
// and per packet at the fabric's ends, never at a switch.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/fabric/message.h"
#include "models/fabric/packet.h"
#include "models/topology/topology.h"
#include "sim/units.h"

namespace weft {

inline constexpr std::uint32_t kPsnMask = (1u << 24) - 1;
inline constexpr std::uint8_t kResponses = 0, kRequests = 1;  // the two inputs of an adapter's wire

/// Constants of an adapter in ticks, from its HcaProfile; adapters of one profile share a row.
struct HcaTiming {
  Ticks post = 0, doorbell = 0, fetch_latency = 0, send_pipeline = 0, receive_pipeline = 0, write_latency = 0,
        completion = 0;
  PicosecondsPerByte pcie;
  Ticks qp_gap = 0, card_gap = 0;  // least time between messages
  std::uint64_t inline_limit = 0;
  std::uint32_t prefetch = 0;  // bytes
  std::uint32_t quantum = 1;   // packets
  std::uint32_t ack_every = 0;
  friend bool operator==(const HcaTiming&, const HcaTiming&) = default;
};

/// A message on its way, from post to the sender's completion. By who touches it how often: the sender for
/// each packet, the receiver for each packet, both for each message.
struct alignas(64) MessageRow {
  std::uint64_t bytes = 0, staged = 0;  // of payload
  Ticks cursor = 0;                     // everything before is charged to a part
  Ticks stall_mark = 0;                 // the lane's stall clock at `cursor`
  Ticks gate_stall_mark = 0;            // its QP's Gate::stall then; see gate_mark
  std::uint32_t qp = 0;
  std::uint32_t next = 0;  // behind it in its QP; free: the next free row
  std::uint32_t last_psn = 0;
  std::uint32_t packets_staged = 0, packets_granted = 0;
  bool has_static_rate = false;

  alignas(64) Parts parts;

  std::uint64_t arrived = 0;                     // payload bytes; posted to a group: copies on their way
  std::uint32_t responder = 0;                   // = qp
  std::uint8_t open_ends = 0;                    // 2 while neither end has its completion
  bool told = false;                             // its delivery has been reported
  Ticks posted = 0, started = 0, delivered = 0;  // started: the adapter took it up
  std::uint64_t number = 0;                      // of its source

  Message message;
  std::array<Ticks, 2> gate_mark{};  // its QP's Gate::clock at `cursor`
};
static_assert(sizeof(MessageRow) == 256);

/// Requester's state of one RC connection. Its responder is the Responder of the same number.
struct alignas(64) Qp {
  std::uint32_t source = 0;  // hca
  std::uint32_t dlid = 0;
  std::uint32_t flow = 0;
  std::uint8_t sl = 0, vl = 0;
  bool active = false;  // in a send lane's ring or behind the gate
  Part gate_part = Part::congestion;
  std::uint32_t psn = 0;                              // next to send
  std::uint32_t since_ack = 0;                        // packets since the last ack request
  std::uint32_t sending = 0, newest = 0, oldest = 0;  // messages; kNone
  std::uint32_t next = 0;                             // ring
  std::uint32_t turn = 0;                             // packets sent in this turn
  Ticks not_before = 0;                               // the injection gate
  std::uint32_t gate = kNone;                         // its Gate, once it has stood before it
  std::uint8_t asked_sl = 0;  // Message::sl of its messages; `sl` is what packets carry
  bool multicast = false;     // sends UD to a group; its responder's `hca` names that
};
static_assert(sizeof(Qp) == 64);

/// How long a QP has stood before its injection gate, by what held it back: `pipeline` (its message rate) or
/// `congestion` (static rate, congestion control).
struct Gate {
  Ticks since = kNeverTicks;     // it stands there since then, if it does
  std::array<Ticks, 2> clock{};  // total time, the running wait aside
  // Of that, while the lane stood without credit: total, and the lane's stall clock when the running wait
  // began.
  Ticks stall = 0, stall_since = 0;

  static std::size_t held_by(Part part) { return part == Part::congestion ? 1 : 0; }
  /// The clocks at time t, not before the running wait of `qp` began.
  std::array<Ticks, 2> clock_at(const Qp& qp, Ticks t) const {
    std::array<Ticks, 2> now = clock;
    if (since < t) now[held_by(qp.gate_part)] += (t < qp.not_before ? t : qp.not_before) - since;
    return now;
  }
  /// `stall` when the lane's stall clock shows `lane_stall`.
  Ticks stall_at(Ticks lane_stall) const {
    return stall + (since != kNeverTicks ? lane_stall - stall_since : 0);
  }
};

/// The other end of a connection.
struct Responder {
  std::uint32_t hca = 0;
  std::uint32_t slid = 0;      // where ACKs go
  std::uint32_t expected = 0;  // next PSN
  std::uint8_t ack_vl = 0, sl = 0;
};
static_assert(sizeof(Responder) == 16);

/// The QPs of one adapter that have something to send on one VL, in turn, and what is staged for the wire.
struct SendLane {
  std::uint32_t first, last;  // ring of QPs; kNone
  std::uint32_t staged = 0;   // wire bytes fetched or being fetched, not yet on the wire
  Ticks last_ready = -1;      // of the packet that last came out of the PCIe pipe, or will
};

/// What a packet touches of its adapter.
struct alignas(64) HcaRow {
  std::uint32_t port = 0;    // its port = its outgoing link
  std::uint32_t timing = 0;  // HcaTiming
  Ticks cpu_free = 0, fetch_free = 0, card_free = 0, write_free = 0;
  Ticks gate_armed = kNeverTicks;
  bool has_stalls = false;
};
static_assert(sizeof(HcaRow) == 64);

/// The rest of an adapter.
struct HcaState {
  std::uint64_t posted = 0;                                // messages
  std::vector<std::pair<Ticks, std::uint32_t>> doorbells;  // (time, message), in order, from next_doorbell on
  std::size_t next_doorbell = 0;
  std::vector<std::pair<Ticks, std::uint32_t>> gated;  // min-heap of (time, qp)
  std::vector<std::pair<Ticks, Ticks>> stalls;         // [from, until), sorted
  std::vector<std::uint32_t> held_blocks;              // by VL: in its buffer for good (a stalled receiver)
  std::uint64_t held_packets = 0;
  std::uint64_t out_of_sequence = 0;  // packets dropped because one before them was lost
};

}  // namespace weft
