// The hot rows of the packet engine, sized to cache lines.
//
// A directed link is named by its sending port's index. Its PortRow and its LaneRows (one per VL) hold all of
// its state: the wire, the credits, what waits to be sent. Everything the receiving end needs travels in the
// packet.
#pragma once

#include <array>
#include <bit>
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
  std::uint64_t fraction = 0;  // the busy period ends this much after `busy`, in 1/den ps (LinkTiming)
  std::uint16_t waiting = 0;   // bit v: something waits on VL v
  std::uint16_t epoch = 0;     // counts link-down events
  std::uint16_t updates = 0;   // flow-control packets to slip in before the next packet, saturating
  std::uint8_t far_port = 0;   // input at the far node, from 0
  std::uint8_t flags = 0;
  std::uint32_t timing = 0;   // index of its LinkTiming
  std::uint32_t hca = kNone;  // the adapter whose port this is; kNone at a switch
  std::uint32_t far = kNone;  // the node at the far end; the adapter's number where that is one
  std::uint32_t voqs = 0;     // its first VOQ
  enum Flag : std::uint8_t {
    down = 1,
    to_hca = 2,
    cabled = 4,
    fifo = 8,        // one queue per VL, in order of arrival
    few_reads = 16,  // read_speedup limits how many outputs an input feeds at once
  };
  bool is(Flag flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(PortRow) == 64);

/// One VL of a directed link: its queue's heads, its stall clock, its credit.
struct alignas(64) LaneRow {
  static constexpr std::uint8_t kNoCandidate = 255;
  Ticks stall = 0;                        // total time its head stood without credit while the wire was free
  Ticks blocked_since = kNeverTicks;      // the stall that runs, or will run from when the wire is free
  Ticks unblocked_at = kNeverTicks;       // when credit will suffice (or did), if known
  std::array<std::uint64_t, 4> inputs{};  // inputs with packets in the VOQs (the solo packet not counted)
  std::uint32_t solo = 0;                 // a packet that found the lane empty waits here; kNone
  std::uint8_t solo_in = 0;
  std::uint8_t round_robin = 0;           // next input to serve
  std::uint8_t candidate = kNoCandidate;  // input chosen, kept while credit is short
  std::uint8_t small = 0;  // waiting packets that take less than a whole MTU's blocks, see below
  // In an output queue `inputs` is: bit 0 of the first for packets behind the solo one; times, and the last
  // packet of earlier instants in its queue.
  static constexpr std::size_t kFifoLast = 1, kFifoEarlier = 2, kFifoSolo = 3;
  // second line: what a returning credit touches
  alignas(64) CreditState credit;
  std::uint64_t xmit_bytes = 0;
  std::uint64_t xmit_packets : 56 = 0;
  std::uint64_t need : 8 = 0;  // blocks the candidate takes, while it is blocked

  /// While all that waits is of one size, nobody need look at a packet to know what the next one takes. 255
  /// is "many", until none waits.
  void note_small() {
    if (small != 255) ++small;
  }
  void take_small() {
    if (small != 255) --small;
  }

  /// The stall clock at time t, not before the running stall began.
  Ticks stall_at(Ticks t) const {
    if (blocked_since >= t) return stall;
    return stall + (unblocked_at < t ? unblocked_at : t) - blocked_since;
  }
  bool blocked() const { return blocked_since != kNeverTicks; }
  /// Blocked from a time on that is still to come, or just now.
  bool foreseen(Ticks now) const { return blocked() && blocked_since >= now; }
  /// The candidate `input` of `blocks` lacks credit until `until` and the wire is free from `since` on.
  void block(unsigned input, std::uint32_t blocks, Ticks since, Ticks until) {
    candidate = static_cast<std::uint8_t>(input);
    need = static_cast<std::uint8_t>(blocks);
    if (blocked_since == kNeverTicks) blocked_since = since;
    unblocked_at = until;
    credit.starved = 1;
  }
  void unblock() {
    blocked_since = unblocked_at = kNeverTicks;
    credit.starved = 0;
  }
};
static_assert(sizeof(LaneRow) == 128);

/// The next input at or after `from` that has its bit set, going round.
inline unsigned next_input(const std::array<std::uint64_t, 4>& inputs, unsigned from) {
  const unsigned first = from >> 6;
  if (const std::uint64_t here = inputs[first] >> (from & 63); here != 0)
    return from + static_cast<unsigned>(std::countr_zero(here));
  for (unsigned step = 1; step <= 4; ++step) {
    const unsigned word = (first + step) & 3;
    if (inputs[word] != 0) return (word << 6) + static_cast<unsigned>(std::countr_zero(inputs[word]));
  }
  return LaneRow::kNoCandidate;
}

/// Inputs with a packet on this lane, the solo packet's included. Not of an output queue.
inline std::array<std::uint64_t, 4> waiting_inputs(const LaneRow& row) {
  std::array<std::uint64_t, 4> inputs = row.inputs;
  if (row.solo != kNone) inputs[row.solo_in >> 6] |= std::uint64_t{1} << (row.solo_in & 63);
  return inputs;
}

/// The input whose turn it is on a lane where something waits.
inline unsigned next_in_turn(const LaneRow& row, bool fifo) {
  if (fifo) return 0;
  const bool alone = (row.inputs[0] | row.inputs[1] | row.inputs[2] | row.inputs[3]) == 0;
  return alone ? row.solo_in : next_input(waiting_inputs(row), row.round_robin);
}

/// What the engine looks up of a node: where its ports and its forwarding table begin.
struct NodeRow {
  std::uint32_t first_port = 0;        // index of port 1
  const std::uint32_t* lft = nullptr;  // its table: numbers of the blocks of the fabric's pool
  std::uint8_t ports = 0;
  std::uint8_t inputs = 0;  // queues an output keeps per VL: ports, or 2 at an HCA (responses, requests)
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
  /// Moves the end of a busy period on by `bytes`: exact over the whole period, whatever is added in between.
  void extend(Ticks& end, std::uint64_t& fraction, std::uint64_t bytes) const {
    if (den == 1) {
      end += static_cast<Ticks>(bytes * num);
    } else if ((num | den) >> 40 == 0) {  // a packet's bytes and their updates are less than 2^23
      const std::uint64_t sum = bytes * num + fraction;
      end += static_cast<Ticks>(sum / den);
      fraction = sum % den;
    } else {
      const Uint128 sum = static_cast<Uint128>(bytes) * num + fraction;
      end += static_cast<Ticks>(sum / den);
      fraction = static_cast<std::uint64_t>(sum % den);
    }
  }
};

/// Head and tail of one queue of packets.
struct Voq {
  std::uint32_t head, tail;
};

}  // namespace weft
