// ARBITRATE: an output picks one packet and starts it on the wire. Touches that output, the credit of the
// link the packet came by, and the future, so that the order of an instant's arbitrations does not matter.
//
// A failed attempt costs as much as a good one. So an output does not try when its wire becomes free but
// when, as far as can be foreseen, a packet can start: see plan().
#include <algorithm>
#include <bit>

#include "models/fabric/look_ahead.h"
#include "models/fabric/world.h"

namespace weft {
namespace {

constexpr unsigned kNoLane = kMaxDataVls + 1;

}  // namespace

inline std::uint32_t World::head_of(std::uint32_t port, unsigned vl, unsigned input) const {
  const LaneRow& row = lane(port, vl);
  if (row.solo != kNone && row.solo_in == input) return row.solo;
  return voqs(port, vl)[input].head;
}

std::uint32_t World::candidate_packet(std::uint32_t port, unsigned vl) const {
  return head_of(port, vl, lane(port, vl).candidate);
}

/// Something waits at `port`, whose wire is taken: arms the arbitration that starts the next packet. That is
/// when the wire is free, or when there is credit, if that is later. Only one waiting lane is looked at more
/// closely; its candidate, as it stands, is foreseen as blocked from `busy` on, which a packet that is to be
/// served sooner (enqueue) or sooner credit (wake_starved) takes back.
void World::plan(std::uint32_t port) {
  PortRow& out = ports_[port];
  const auto vl = static_cast<unsigned>(std::countr_zero(out.waiting));
  LaneRow& row = lane(port, vl);
  if (row.credit.admits(largest_blocks_) || !std::has_single_bit(out.waiting) ||
      (out.flags & (PortRow::few_reads | PortRow::down)) != 0)
    return try_at(port, out.busy);
  if (!row.blocked()) {
    unsigned input = row.candidate;  // kept since another lane had its turn, if it was chosen
    if (input == LaneRow::kNoCandidate) input = next_in_turn(row, out.is(PortRow::fifo));
    const std::uint32_t need =
        row.small == 0 ? largest_blocks_ : credit_blocks(packets_[head_of(port, vl, input)].bytes);
    const Ticks enough = row.credit.time_for(need, spill_);
    if (enough <= out.busy) return try_at(port, out.busy);
    row.block(input, need, out.busy, enough);
  }
  if (row.unblocked_at != kNeverTicks) try_at(port, std::max(out.busy, row.unblocked_at));
}

/// Whether input `input` of `node` has a read port free; if not, `next` is lowered to when it has.
inline bool World::can_read(const NodeRow& node, unsigned input, Ticks& next) const {
  const Ticks* ends = reads_.data() + reads_of_port_[node.first_port + input];
  const Ticks free = *std::min_element(ends, ends + node.read_speedup);
  if (free > now_) next = std::min(next, free);
  return free <= now_;
}

/// The input lane `vl` of `port` serves next, kNoCandidate when no input can be read.
inline unsigned World::choose_input(std::uint32_t port, const LaneRow& row, Ticks& next) const {
  const PortRow& out = ports_[port];
  if (!out.is(PortRow::few_reads)) return next_in_turn(row, out.is(PortRow::fifo));
  std::array<std::uint64_t, 4> inputs = waiting_inputs(row);
  unsigned input = next_input(inputs, row.round_robin);
  const NodeRow& node = nodes_[node_of_port_[port]];
  Ticks soonest = kNeverTicks;
  while (input != LaneRow::kNoCandidate && !can_read(node, input, soonest)) {
    inputs[input >> 6] &= ~(std::uint64_t{1} << (input & 63));
    input = next_input(inputs, input);
  }
  if (input == LaneRow::kNoCandidate) next = std::min(next, soonest);
  return input;
}

/// Whether lane `vl` of `port` has a packet that can start now. If not, `next` is lowered to when it may.
inline bool World::can_start(std::uint32_t port, unsigned vl, Ticks& next) {
  LaneRow& row = lane(port, vl);
  if (row.candidate == LaneRow::kNoCandidate) {
    const unsigned input = choose_input(port, row, next);
    if (input == LaneRow::kNoCandidate) return false;
    row.candidate = static_cast<std::uint8_t>(input);
  } else if (ports_[port].is(PortRow::few_reads) &&
             !can_read(nodes_[node_of_port_[port]], row.candidate, next)) {
    return false;
  }
  if (!row.credit.admits(largest_blocks_)) {
    row.credit.collect(now_, spill_);
    const std::uint32_t need =
        row.small == 0 ? largest_blocks_ : credit_blocks(packets_[candidate_packet(port, vl)].bytes);
    if (!row.credit.admits(need)) {
      row.block(row.candidate, need, now_, row.credit.time_for(need, spill_));
      next = std::min(next, row.unblocked_at);
      return false;
    }
  }
  if (row.blocked()) {
    row.stall = row.stall_at(now_);
    row.unblock();
  }
  return true;
}

/// The buffer space `packet` takes at the end of the link it came by is free from `freed` on.
void World::return_credit(const Packet& packet, Ticks freed) {
  const std::uint32_t link = packet.in_link;
  const unsigned vl = packet.vl;
  std::uint32_t blocks = credit_blocks(packet.bytes);
  const LinkTiming& timing = timings_[packet.timing];
  if (!pending_blocks_.empty()) {
    const std::size_t at = std::size_t{link} * lane_stride_ + vl;
    pending_freed_[at] = std::max(pending_freed_[at], freed);
    pending_blocks_[at] = static_cast<std::uint16_t>(pending_blocks_[at] + blocks);
    if (pending_blocks_[at] < timing.update_threshold) return;
    blocks = pending_blocks_[at];
    freed = pending_freed_[at];
    pending_blocks_[at] = 0;
    pending_freed_[at] = 0;
  }
  if (timing.update_period > 0)
    freed = (freed + timing.update_period - 1) / timing.update_period * timing.update_period;
  CreditState& credit = lane(link, vl).credit;
  const Ticks usable = freed + timing.credit_delay;
  if (timing.update_bytes != 0 && !(timing.update_period > 0 && credit.has(usable, spill_)))
    told_.push_back(peer_[link]);
  credit.put(usable, blocks, now_, spill_);
  if (credit.starved) wake_starved(link, vl);
}

/// Credit is on its way to a lane whose candidate is short of it, or will be when the wire is free.
void World::wake_starved(std::uint32_t link, unsigned vl) {
  const PortRow& out = ports_[link];
  LaneRow& row = lane(link, vl);
  if (row.unblocked_at <= now_) return;  // its wake is due
  row.unblocked_at = row.credit.time_for(row.need, spill_);
  if (row.unblocked_at == kNeverTicks) return;
  if (row.unblocked_at <= row.blocked_since) {  // it comes before the wire is free: nothing will be short
    return forget_candidate(link, row);
  }
  try_at(link, std::max(row.unblocked_at, out.busy));
}

/// Takes the candidate of lane `vl` out of its queue.
inline std::uint32_t World::take_candidate(std::uint32_t port, PortRow& out, LaneRow& row, unsigned vl) {
  const unsigned input = row.candidate;
  std::uint32_t index = row.solo;
  if (index != kNone && row.solo_in == input) {
    row.solo = kNone;
  } else {
    Voq& queue = voqs(port, vl)[input];
    index = queue.head;
    if (index == queue.tail)
      row.inputs[input >> 6] &= ~(std::uint64_t{1} << (input & 63));
    else
      queue.head = packets_[index].next;
  }
  row.candidate = LaneRow::kNoCandidate;
  const bool fifo = out.is(PortRow::fifo);
  row.round_robin = fifo ? std::uint8_t{0} : static_cast<std::uint8_t>(input + 1);
  const std::uint64_t others = fifo ? 0 : row.inputs[1] | row.inputs[2] | row.inputs[3];
  if (row.solo == kNone && (row.inputs[0] | others) == 0) {
    out.waiting &= static_cast<std::uint16_t>(~(1u << vl));
    row.small = 0;
  }
  return index;
}

/// Takes the wire for `packet` from now on; returns when its last bit leaves. The tail cannot leave before it
/// is here.
inline Ticks World::occupy(PortRow& out, const Packet& packet, const LinkTiming& timing) {
  const Ticks idle_from = std::max(out.busy, out.waiting_since);
  if (now_ > idle_from) out.xmit_wait += now_ - idle_from;
  std::uint32_t update_bytes = 0;
  if (now_ == out.busy) {
    update_bytes = out.updates * timing.update_bytes;
  } else {
    out.busy = now_;
    out.fraction = 0;
  }
  out.updates = 0;
  timing.extend(out.busy, out.fraction, packet.bytes);
  if (packet.tail > out.busy) {
    out.busy = packet.tail;
    out.fraction = 0;
  }
  const Ticks tail_out = out.busy;
  if (update_bytes != 0) timing.extend(out.busy, out.fraction, update_bytes);
  return tail_out;
}

/// Starts the candidate of lane `vl` on the wire, now.
inline void World::grant(std::uint32_t port, unsigned vl) {
  PortRow& out = ports_[port];
  LaneRow& row = lane(port, vl);
  const unsigned input = row.candidate;
  const std::uint32_t index = take_candidate(port, out, row, vl);
  Packet& packet = packets_[index];
  packet.credit_wait += row.stall;
  packet.arbitration_wait += now_ - row.stall;

  const LinkTiming& timing = timings_[out.timing];
  const Ticks tail_out = occupy(out, packet, timing);
  const std::uint32_t blocks = credit_blocks(packet.bytes);
  if (row.small != 0 && blocks < largest_blocks_) row.take_small();
  row.credit.consume(blocks);
  row.xmit_bytes += packet.bytes;
  ++row.xmit_packets;
  ++(packet.op() == Opcode::rc_ack ? counts_.ack_hops : counts_.data_hops);
  if (out.is(PortRow::few_reads)) {
    const NodeRow& node = nodes_[node_of_port_[port]];
    Ticks* ends = reads_.data() + reads_of_port_[node.first_port + input];
    *std::min_element(ends, ends + node.read_speedup) = tail_out;
  }
  const bool from_source = packet.has(Packet::at_source);
  if (from_source)
    depart(out.hca, vl, packet, row.stall, tail_out);
  else if (packet.has(Packet::multicast))
    leave_hold(packet, tail_out);
  else
    return_credit(packet, tail_out);

  packet.flags &= static_cast<std::uint8_t>(~(Packet::at_source | Packet::to_hca | Packet::queued));
  if (out.is(PortRow::to_hca)) packet.flags |= Packet::to_hca;
  packet.next = out.far;
  packet.in_link = port;
  packet.in_port = out.far_port;
  packet.timing = out.timing;
  packet.vl = static_cast<std::uint8_t>(vl);
  packet.epoch = out.epoch;
  packet.propagation += static_cast<std::uint32_t>(timing.propagation);
  packet.pipeline += static_cast<std::uint32_t>(timing.pipeline);
  const Ticks delay = timing.propagation + timing.pipeline;
  packet.tail = tail_out + delay;
  queue_.push(make_event(now_ + delay, Phase::heads, port, index));

  if (from_source && packet.op() != Opcode::rc_ack) stage(out.hca, vl);
  if (out.waiting != 0) plan(port);
}

/// The lane of `port` that may start a packet now and whose turn it is; kNoLane when there is none.
unsigned World::choose_lane(std::uint32_t port, Ticks& next) {
  std::uint32_t eligible = 0;
  std::array<std::uint16_t, 16> bytes{};
  for (std::uint32_t lanes = ports_[port].waiting; lanes != 0; lanes &= lanes - 1) {
    const auto vl = static_cast<unsigned>(std::countr_zero(lanes));
    if (!can_start(port, vl, next)) continue;
    eligible |= 1u << vl;
    bytes[vl] = packets_[candidate_packet(port, vl)].bytes;
  }
  if (eligible == 0) return kNoLane;
  return arbiters_[port].choose(tables_[tables_of_port_[port]], eligible, bytes.data());
}

void World::arbitrate(std::uint32_t port) {
  PortRow& out = ports_[port];
  out.armed = kIdle;
  if (out.waiting == 0) return;
  if (out.busy > now_) return try_at(port, out.busy);
  Ticks next = kNeverTicks;
  const unsigned vl = lane_stride_ > 1 ? choose_lane(port, next) : can_start(port, 0, next) ? 0u : kNoLane;
  if (vl != kNoLane) return grant(port, vl);
  if (next != kNeverTicks) try_at(port, next);
}

void World::on_arbitrations(const EventQueue::Batch& batch) {
  if (ordered_) {  // see arbitrate_ready
    for (const Event& event : batch) ready_.push_back(event.entity());
    return;
  }
  for (std::size_t i = 0; i < batch.size; ++i) {
    look_ahead(batch, i);
    if (ports_[batch[i].entity()].armed == now_) arbitrate(batch[i].entity());
  }
}

void World::arbitrate_ready() {
  if (ordered_) {
    // Outputs of a switch compete for its inputs' read ports, or add to the credit that one input has yet to
    // tell. They are served in an order that turns with time, so that none is first for ever and none depends
    // on how the events were stored or the nodes numbered.
    std::sort(ready_.begin(), ready_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const auto rank = [this](std::uint32_t port) {
        const NodeIndex n = node_of_port_[port];
        const std::uint64_t turn = mix64(static_cast<std::uint64_t>(now_));
        return std::pair(n, (port - nodes_[n].first_port + turn % nodes_[n].ports) % nodes_[n].ports);
      };
      return rank(a) < rank(b);
    });
  }
  for (std::size_t i = 0; i < ready_.size(); ++i)
    if (ports_[ready_[i]].armed == now_) arbitrate(ready_[i]);
  ready_.clear();
}

/// The instant is over: its flow-control packets may slip in from the next one on. Not sooner, or a port
/// would see them that happens to arbitrate after the one that freed the buffer.
void World::slip_in_updates() {
  for (const std::uint32_t port : told_)
    if (ports_[port].updates < UINT16_MAX) ++ports_[port].updates;
  told_.clear();
}

}  // namespace weft
