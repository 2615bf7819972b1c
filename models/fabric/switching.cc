// The per-packet path: a head arrives, is queued at its output, the output picks a packet and starts it. No
// virtual call, no string, no map; allocation only when the pool reaches a new high-water mark.
#include <algorithm>
#include <bit>

#include "models/fabric/world.h"
#include "sim/error.h"

namespace weft {

std::uint32_t World::new_packet() {
  ++live_packets_;
  if (free_packets_ == kNone) {
    packets_.emplace_back();
    return static_cast<std::uint32_t>(packets_.size() - 1);
  }
  const std::uint32_t index = free_packets_;
  free_packets_ = packets_[index].next;
  packets_[index] = Packet{};
  return index;
}

void World::free_packet(std::uint32_t packet) {
  --live_packets_;
  packets_[packet].bytes = 0;
  packets_[packet].next = free_packets_;
  free_packets_ = packet;
}

void World::drop(std::uint32_t index) {
  const Packet& packet = packets_[index];
  ++counts_.dropped;
  counts_.dropped_bytes += packet.bytes;
  // The space it held, or never came to hold, is free once its tail would have passed.
  if (packet.in_link != kNone)
    return_credit(packet.in_link, packet.vl, std::max(now_, packet.tail), credit_blocks(packet.bytes));
  free_packet(index);
}

std::uint32_t World::choose_output(const NodeRow& node, std::uint8_t entry, const Packet& packet) const {
  const auto node_index = static_cast<NodeIndex>(&node - nodes_.data());
  const std::size_t group = std::size_t{entry} - node.ports - 1;
  if (node_index >= groups_.size() || group >= groups_[node_index].size()) return kNone;
  // The freest wire; among equals by the packet's content. Only what ARBITRATE wrote is looked at, so that
  // packets that arrive in the same instant do not see each other.
  const std::vector<std::uint8_t>& ports = groups_[node_index][group];
  const std::size_t start = mix64(std::uint64_t{packet.message} << 24 | packet.psn) % ports.size();
  std::uint32_t best = kNone;
  Ticks best_free = kNeverTicks;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::uint32_t port = node.first_port + ports[(start + i) % ports.size()] - 1;
    if (ports_[port].is(PortRow::down)) continue;
    const Ticks free = std::max(ports_[port].busy, now_);
    if (best == kNone || free < best_free) {
      best = port;
      best_free = free;
    }
  }
  return best;
}

// On large fabrics almost every row is a cache miss; what the next events of a batch will touch is asked for
// ahead, in steps that each need the one before: packet; table entry and the credit of the link it came by;
// output.
void World::prefetch_head(std::span<const Event> batch, std::size_t i) const {
  if (i + 12 < batch.size()) prefetch(&packets_[batch[i + 12].detail()]);
  if (i + 8 < batch.size()) {
    const Packet& packet = packets_[batch[i + 8].detail()];
    if ((packet.flags & (Packet::at_source | Packet::to_hca)) == 0)
      prefetch(nodes_[packet.next].lft + packet.dlid / LftBlock::kLids);
  }
  if (i + 4 < batch.size()) {
    const Packet& packet = packets_[batch[i + 4].detail()];
    if ((packet.flags & (Packet::at_source | Packet::to_hca)) != 0) return;
    const NodeRow& node = nodes_[packet.next];
    const std::uint8_t entry = LftRow::entry(node.lft, lft_pool_, packet.dlid);
    if (entry == 0 || entry > node.ports) return;
    const std::uint32_t output = node.first_port + entry - 1;
    prefetch(&ports_[output]);
    prefetch(&lanes_[std::size_t{output} * lane_stride_]);
    // The grant that may follow returns credit to the link the packet came by.
    prefetch(&lanes_[std::size_t{packet.in_link} * lane_stride_ + packet.vl].credit);
  }
}

void World::prefetch_arbitration(std::span<const Event> batch, std::size_t i) const {
  if (i + 8 < batch.size()) {
    const std::uint32_t port = batch[i + 8].entity();
    prefetch(&ports_[port]);
    prefetch(&lanes_[std::size_t{port} * lane_stride_]);
    prefetch(&lanes_[std::size_t{port} * lane_stride_].credit);
  }
  if (i + 4 < batch.size()) {
    const LaneRow& row = lanes_[std::size_t{batch[i + 4].entity()} * lane_stride_];
    if (row.solo != kNone) prefetch(&packets_[row.solo]);
  }
}

void World::on_head(std::uint32_t index) {
  Packet& packet = packets_[index];
  if (packet.has(Packet::at_source)) return enqueue(hcas_[packet.next].port, packet.vl, index);
  if (link_events_seen_ && packet.epoch != ports_[packet.in_link].epoch) {
    ++rcv_errors_[peer_[packet.in_link]];
    return drop(index);
  }
  if (packet.has(Packet::to_hca)) return receive(packet.next, index);
  const NodeRow& node = nodes_[packet.next];
  const std::uint8_t entry = LftRow::entry(node.lft, lft_pool_, packet.dlid);
  std::uint32_t output = kNone;
  if (entry >= 1 && entry <= node.ports) {
    output = node.first_port + entry - 1;
  } else if (entry != kNoPort && entry != 0) {
    output = choose_output(node, entry, packet);
  }
  if (output == kNone || !ports_[output].is(PortRow::cabled)) {  // PortRcvSwitchRelayErrors
    ++rcv_errors_[node.first_port + packet.in_port];
    return drop(index);
  }
  const std::uint8_t vl =
      settings_.sl2vl.vl(packet.next, static_cast<std::uint8_t>(packet.in_port + 1),
                         static_cast<std::uint8_t>(output - node.first_port + 1), packet.sl);
  if (vl >= lane_stride_) {
    ++discards_[output];
    return drop(index);
  }
  enqueue(output, vl, index);
}

Voq* World::voqs(std::uint32_t port, unsigned vl) {
  return voqs_.data() + voq_of_port_[port] + vl * nodes_[node_of_port_[port]].inputs;
}

const Voq* World::voqs(std::uint32_t port, unsigned vl) const {
  return voqs_.data() + voq_of_port_[port] + vl * nodes_[node_of_port_[port]].inputs;
}

void World::enqueue(std::uint32_t port, unsigned vl, std::uint32_t index) {
  PortRow& out = ports_[port];
  LaneRow& row = lane(port, vl);
  Packet& packet = packets_[index];
  const Ticks stall = row.stall_at(now_);
  packet.credit_wait -= stall;
  packet.arbitration_wait -= now_ - stall;
  packet.flags |= Packet::queued;
  const auto bit = static_cast<std::uint16_t>(1u << vl);
  const bool fifo = nodes_[node_of_port_[port]].output_fifo;
  if ((out.waiting & bit) == 0) {  // the lane was empty: wait in its row
    row.solo = index;
    row.solo_in = fifo ? std::uint8_t{0} : packet.in_port;
    if (out.waiting == 0) out.waiting_since = now_;
    out.waiting |= bit;
    try_at(port, std::max(now_, out.busy));
    return;
  }
  if (fifo) return enqueue_in_order(row, voqs(port, vl), index);
  Voq& queue = voqs(port, vl)[packet.in_port];
  packet.next = kNone;
  std::uint64_t& word = row.inputs[packet.in_port >> 6];
  const std::uint64_t input = std::uint64_t{1} << (packet.in_port & 63);
  if ((word & input) != 0) {
    packets_[queue.tail].next = index;
  } else {
    queue.head = index;
    word |= input;
  }
  queue.tail = index;
}

/// Queues behind what came earlier; among packets of this very instant the lower input goes first, whichever
/// was handled first. Queue 0 holds the packets, queue 1's head remembers the last packet of earlier
/// instants.
void World::enqueue_in_order(LaneRow& row, Voq* queues, std::uint32_t index) {
  Packet& packet = packets_[index];
  const auto arrived_now = [&](const Packet& other) { return other.tail - other.serialisation == now_; };
  if (row.solo != kNone && arrived_now(packets_[row.solo]) && packet.in_port < packets_[row.solo].in_port)
    std::swap(index, row.solo);
  Packet& later = packets_[index];
  Voq& queue = queues[0];
  if ((row.inputs[0] & 1) == 0) {
    row.inputs[0] |= 1;
    queue.head = queue.tail = index;
    queues[1].head = kNone;
    later.next = kNone;
    return;
  }
  if (!arrived_now(packets_[queue.tail])) queues[1].head = queue.tail;
  const std::uint32_t before_instant = queues[1].head;
  std::uint32_t before = before_instant;
  std::uint32_t after = before == kNone ? queue.head : packets_[before].next;
  while (after != kNone && packets_[after].in_port < later.in_port) {
    before = after;
    after = packets_[after].next;
  }
  later.next = after;
  (before == kNone ? queue.head : packets_[before].next) = index;
  if (after == kNone) queue.tail = index;
}

/// Sees to it that `port` arbitrates at `at` at the latest.
void World::try_at(std::uint32_t port, Ticks at) {
  PortRow& out = ports_[port];
  if (out.is(PortRow::down) || (out.armed != kIdle && out.armed <= at)) return;
  out.armed = at;
  if (at == now_)
    ready_.push_back(port);
  else
    queue_.push(make_event(at, Phase::arbitrate, port, 0));
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

std::uint32_t World::candidate_packet(std::uint32_t port, unsigned vl) const {
  const LaneRow& row = lane(port, vl);
  if (row.solo != kNone && row.solo_in == row.candidate) return row.solo;
  return voqs(port, vl)[row.candidate].head;
}

/// The next input at or after `from` that has its bit set, going round.
static unsigned next_input(const std::array<std::uint64_t, 4>& inputs, unsigned from) {
  const unsigned first = from >> 6;
  if (const std::uint64_t here = inputs[first] >> (from & 63); here != 0)
    return from + static_cast<unsigned>(std::countr_zero(here));
  for (unsigned step = 1; step <= 4; ++step) {
    const unsigned word = (first + step) & 3;
    if (inputs[word] != 0) return (word << 6) + static_cast<unsigned>(std::countr_zero(inputs[word]));
  }
  return LaneRow::kNoCandidate;
}

/// Whether lane `vl` of `port` has a packet that can start now. If not, `next` is lowered to when it may.
bool World::can_start(std::uint32_t port, unsigned vl, Ticks& next) {
  LaneRow& row = lane(port, vl);
  const NodeRow& node = nodes_[node_of_port_[port]];
  const auto read_free = [&](unsigned input) {  // when the input's next read port is free
    const Ticks* ends = reads_.data() + reads_of_port_[node.first_port + input];
    return *std::min_element(ends, ends + node.read_speedup);
  };
  if (row.candidate == LaneRow::kNoCandidate) {
    std::array<std::uint64_t, 4> inputs = row.inputs;
    if (row.solo != kNone) inputs[row.solo_in >> 6] |= std::uint64_t{1} << (row.solo_in & 63);
    unsigned input = next_input(inputs, row.round_robin);
    if (node.read_speedup != 0) {
      Ticks soonest = kNeverTicks;
      while (input != LaneRow::kNoCandidate) {
        const Ticks free = read_free(input);
        if (free <= now_) break;
        soonest = std::min(soonest, free);
        inputs[input >> 6] &= ~(std::uint64_t{1} << (input & 63));
        input = next_input(inputs, input);
      }
      if (input == LaneRow::kNoCandidate) {
        next = std::min(next, soonest);
        return false;
      }
    }
    row.candidate = static_cast<std::uint8_t>(input);
  } else if (node.read_speedup != 0) {
    if (const Ticks free = read_free(row.candidate); free > now_) {
      next = std::min(next, free);
      return false;
    }
  }
  const std::uint32_t need = credit_blocks(packets_[candidate_packet(port, vl)].bytes);
  if (!row.credit.admits(need)) row.credit.collect(now_, spill_);
  if (!row.credit.admits(need)) {
    if (row.blocked_since == kNeverTicks) row.blocked_since = now_;
    row.unblocked_at = row.credit.time_for(need, spill_);
    row.wants = row.unblocked_at == kNeverTicks;
    next = std::min(next, row.unblocked_at);
    return false;
  }
  if (row.blocked_since != kNeverTicks) {
    row.stall = row.stall_at(now_);
    row.blocked_since = row.unblocked_at = kNeverTicks;
    row.wants = false;
  }
  return true;
}

void World::arbitrate(std::uint32_t port) {
  PortRow& out = ports_[port];
  out.armed = kIdle;
  if (out.waiting == 0) return;
  if (out.busy > now_) return try_at(port, out.busy);
  Ticks next = kNeverTicks;
  if (lane_stride_ == 1) {
    if (can_start(port, 0, next)) return grant(port, 0);
  } else {
    std::uint32_t eligible = 0;
    std::array<std::uint16_t, 16> bytes{};
    for (std::uint32_t lanes = out.waiting; lanes != 0; lanes &= lanes - 1) {
      const auto vl = static_cast<unsigned>(std::countr_zero(lanes));
      if (!can_start(port, vl, next)) continue;
      eligible |= 1u << vl;
      bytes[vl] = packets_[candidate_packet(port, vl)].bytes;
    }
    if (eligible != 0)
      return grant(port, arbiters_[port].choose(tables_[tables_of_port_[port]], eligible, bytes.data()));
  }
  if (next != kNeverTicks) try_at(port, next);
}

/// Starts the candidate of lane `vl` on the wire, now.
void World::grant(std::uint32_t port, unsigned vl) {
  PortRow& out = ports_[port];
  LaneRow& row = lane(port, vl);
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
  const NodeRow& node = nodes_[node_of_port_[port]];
  row.candidate = LaneRow::kNoCandidate;
  row.round_robin = static_cast<std::uint8_t>(input + 1 == node.inputs ? 0 : input + 1);
  if (row.solo == kNone && (row.inputs[0] | row.inputs[1] | row.inputs[2] | row.inputs[3]) == 0)
    out.waiting &= static_cast<std::uint16_t>(~(1u << vl));

  Packet& packet = packets_[index];
  packet.credit_wait += row.stall;
  packet.arbitration_wait += now_ - row.stall;

  // The wire: serialisation anchored at the start of the busy period; the tail cannot leave before it is
  // here.
  const LinkTiming& timing = timings_[out.timing];
  const Ticks idle_from = std::max(out.busy, out.waiting_since);
  if (now_ > idle_from) out.xmit_wait += now_ - idle_from;
  std::uint32_t update_bytes = 0;
  if (now_ == out.busy) {
    update_bytes = out.updates * timing.update_bytes;
  } else {
    out.anchor = now_;
    out.anchored = 0;
  }
  out.updates = 0;
  out.anchored += packet.bytes;
  Ticks tail_out = out.anchor + timing.serialise(out.anchored);
  if (packet.tail > tail_out) {
    tail_out = out.anchor = packet.tail;
    out.anchored = 0;
  }
  out.anchored += update_bytes;
  out.busy = out.anchor + timing.serialise(out.anchored);

  const std::uint32_t blocks = credit_blocks(packet.bytes);
  row.credit.consume(blocks);
  row.xmit_bytes += packet.bytes;
  ++row.xmit_packets;
  ++(packet.op() == Opcode::rc_ack ? counts_.ack_hops : counts_.data_hops);
  if (node.read_speedup != 0) {
    Ticks* ends = reads_.data() + reads_of_port_[node.first_port + input];
    *std::min_element(ends, ends + node.read_speedup) = tail_out;
  }
  if (packet.in_link != kNone) return_credit(packet.in_link, packet.vl, tail_out, blocks);

  const bool from_source = packet.has(Packet::at_source);
  const bool request = from_source && packet.op() != Opcode::rc_ack;
  if (from_source) depart(hca_of_port_[port], vl, packet, row.stall, tail_out);

  packet.flags &= static_cast<std::uint8_t>(~(Packet::at_source | Packet::to_hca | Packet::queued));
  packet.in_link = port;
  packet.in_port = out.far_port;
  packet.vl = static_cast<std::uint8_t>(vl);
  packet.epoch = out.epoch;
  packet.propagation += static_cast<std::uint32_t>(timing.propagation);
  packet.pipeline += static_cast<std::uint32_t>(timing.pipeline);
  packet.serialisation = static_cast<std::uint32_t>(tail_out - now_);
  const Ticks delay = timing.propagation + timing.pipeline;
  packet.tail = tail_out + delay;
  if (out.is(PortRow::to_hca)) {
    packet.flags |= Packet::to_hca;
    packet.next = hca_of_port_[peer_[port]];
  } else {
    packet.next = node_of_port_[peer_[port]];
  }
  queue_.push(make_event(now_ + delay, Phase::heads, port, index));

  if (request) stage(hca_of_port_[port], vl);
  if (out.waiting != 0) try_at(port, out.busy);
}

void World::return_credit(std::uint32_t link, unsigned vl, Ticks freed, std::uint32_t blocks) {
  PortRow& out = ports_[link];
  const LinkTiming& timing = timings_[out.timing];
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
  if (timing.update_period > 0) {
    freed = (freed + timing.update_period - 1) / timing.update_period * timing.update_period;
  }
  LaneRow& row = lane(link, vl);
  const bool shared = timing.update_period > 0 && row.credit.has(freed + timing.credit_delay, spill_);
  if (timing.update_bytes != 0 && !shared) told_.push_back(peer_[link]);
  row.credit.collect(now_, spill_);  // keeps what is on its way short while the sender does not look
  row.credit.put(freed + timing.credit_delay, blocks, spill_);
  if (row.blocked_since == kNeverTicks || row.unblocked_at <= now_) return;  // not short, or its wake is due
  const std::uint32_t need = credit_blocks(packets_[candidate_packet(link, vl)].bytes);
  row.unblocked_at = row.credit.time_for(need, spill_);
  if (row.unblocked_at == kNeverTicks) return;
  row.wants = false;
  try_at(link, std::max(row.unblocked_at, out.busy));
}

/// The instant is over: its flow-control packets may slip in from the next one on. Not sooner, or a port
/// would see them that happens to arbitrate after the one that freed the buffer.
void World::slip_in_updates() {
  for (const std::uint32_t port : told_)
    if (ports_[port].updates < UINT16_MAX) ++ports_[port].updates;
  told_.clear();
}

}  // namespace weft
