// HEADS: a packet's head is ready at an output and is queued there. Touches that output's queue and nothing
// else, so that the order of an instant's heads does not matter.
//
// No virtual call, no string, no map; allocation only when the packet pool reaches a new high-water mark.
#include <algorithm>

#include "models/fabric/look_ahead.h"
#include "models/fabric/world.h"

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
  if (packet.in_link != kNone) return_credit(packet, std::max(now_, packet.tail));
  if (packet.has(Packet::multicast)) end_copy(packet.message);
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

void World::on_heads(const EventQueue::Batch& batch) {
  for (std::size_t i = 0; i < batch.size; ++i) {
    look_ahead(batch, i);
    on_head(batch[i].detail());
  }
}

void World::on_head(std::uint32_t index) {
  Packet& packet = packets_[index];
  if (packet.has(Packet::at_source)) return enqueue(hca_rows_[packet.next].port, packet.vl, index);
  if (link_events_seen_ && packet.epoch != ports_[packet.in_link].epoch) {
    ++rcv_errors_[peer_[packet.in_link]];
    return drop(index);
  }
  if (packet.has(Packet::to_hca)) return receive(packet.next, index);
  if (packet.has(Packet::multicast)) return replicate(index);
  const NodeRow& node = nodes_[packet.next];
  const std::uint8_t entry = LftRow::entry(node.lft, lft_pool_, packet.dlid);
  std::uint32_t output = kNone;
  if (entry - 1u < node.ports) {
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

void World::enqueue(std::uint32_t port, unsigned vl, std::uint32_t index) {
  PortRow& out = ports_[port];
  LaneRow& row = lane(port, vl);
  Packet& packet = packets_[index];
  const Ticks stall = row.stall_at(now_);
  packet.credit_wait -= stall;
  packet.arbitration_wait -= now_ - stall;
  packet.flags |= Packet::queued;
  if (credit_blocks(packet.bytes) < largest_blocks_) row.note_small();
  const auto bit = static_cast<std::uint16_t>(1u << vl);
  const bool fifo = out.is(PortRow::fifo);
  if ((out.waiting & bit) == 0) {  // the lane was empty: wait in its row
    row.solo = index;
    row.solo_in = fifo ? std::uint8_t{0} : packet.in_port;
    if (fifo) note_fifo_arrival(row);
    if (out.waiting == 0) out.waiting_since = now_;
    out.waiting |= bit;
    if (out.busy > now_) return plan(port);
    return try_at(port, now_);
  }
  if (fifo) {
    const std::uint32_t first = row.solo;
    enqueue_in_order(row, voqs(port, vl)[0], index);
    if (row.solo != first && row.foreseen(now_)) forget_candidate(port, row);
    return;
  }
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
  if (row.foreseen(now_)) {
    // Where the newcomer is to be served before the candidate that was foreseen, that is void.
    const auto turn = [&](std::uint8_t in) { return static_cast<std::uint8_t>(in - row.round_robin); };
    if (turn(packet.in_port) < turn(row.candidate)) forget_candidate(port, row);
  } else if (out.is(PortRow::few_reads) && row.candidate == LaneRow::kNoCandidate) {
    try_at(port, std::max(now_, out.busy));  // it may be the only one whose input can be read
  }
}

/// What was foreseen of a lane (plan) will not come to pass: its output looks again when its wire is free.
void World::forget_candidate(std::uint32_t port, LaneRow& row) {
  row.candidate = LaneRow::kNoCandidate;
  row.unblock();
  try_at(port, std::max(now_, ports_[port].busy));
}

void World::note_fifo_arrival(LaneRow& row) {
  row.inputs[LaneRow::kFifoSolo] = row.inputs[LaneRow::kFifoLast] = static_cast<std::uint64_t>(now_);
}

/// Queues behind what came earlier; among packets of this very instant the lower input goes first, whichever
/// was handled first.
void World::enqueue_in_order(LaneRow& row, Voq& queue, std::uint32_t index) {
  const auto now = static_cast<std::uint64_t>(now_);
  if (row.solo != kNone && row.inputs[LaneRow::kFifoSolo] == now &&
      packets_[index].in_port < packets_[row.solo].in_port)
    std::swap(index, row.solo);
  Packet& later = packets_[index];
  std::uint64_t& earlier = row.inputs[LaneRow::kFifoEarlier];
  if ((row.inputs[0] & 1) == 0) {
    row.inputs[0] |= 1;
    row.inputs[LaneRow::kFifoLast] = now;
    earlier = kNone;
    queue.head = queue.tail = index;
    later.next = kNone;
    return;
  }
  if (row.inputs[LaneRow::kFifoLast] != now) earlier = queue.tail;
  row.inputs[LaneRow::kFifoLast] = now;
  auto before = static_cast<std::uint32_t>(earlier);
  std::uint32_t after = before == kNone ? queue.head : before == queue.tail ? kNone : packets_[before].next;
  while (after != kNone && packets_[after].in_port < later.in_port) {
    before = after;
    after = packets_[after].next;
  }
  later.next = after;
  (before == kNone ? queue.head : packets_[before].next) = index;
  if (after == kNone) queue.tail = index;
}

}  // namespace weft
