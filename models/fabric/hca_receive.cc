// The adapter's receive side: wire -> PCIe -> completion, and the ACK that tells the sender.
#include <algorithm>

#include <fmt/format.h>

#include "models/fabric/host_event.h"
#include "models/fabric/world.h"
#include "sim/error.h"

namespace weft {
namespace {

/// a <= b in the 24-bit circle of packet sequence numbers.
bool psn_not_after(std::uint32_t a, std::uint32_t b) { return ((b - a) & kPsnMask) < (1u << 23); }

}  // namespace

void World::receive(std::uint32_t h, std::uint32_t index) {
  if (packets_[index].has(Packet::multicast)) return receive_copy(h, index);
  const Packet packet = packets_[index];
  const bool is_ack = packet.op() == Opcode::rc_ack;
  Responder& responder = responders_[is_ack ? packet.message : messages_[packet.message].responder];
  if (h != (is_ack ? qps_[packet.message].source : responder.hca)) {  // a table sent it to the wrong adapter
    if (h != kNone) ++rcv_errors_[hca_rows_[h].port];
    return drop(index);
  }
  if (is_ack) {
    receive_ack(h, packet);
  } else {
    if (packet.psn != responder.expected) {  // something before it was lost
      ++hcas_[h].out_of_sequence;
      return drop(index);
    }
    responder.expected = (responder.expected + 1) & kPsnMask;
    receive_data(h, packet, packet.message);
  }
  ++counts_.delivered;
  counts_.delivered_bytes += packet.bytes;
  free_packet(index);
}

/// A packet of the message in `slot` goes to memory.
void World::receive_data(std::uint32_t h, const Packet& packet, std::uint32_t slot) {
  HcaRow& hca = hca_rows_[h];
  const HcaTiming& timing = hca_timings_[hca.timing];
  MessageRow& row = messages_[slot];
  const std::uint64_t payload = packet.has(Packet::last) ? row.bytes - row.arrived : settings_.mtu;
  row.arrived += payload;
  const Ticks processed = packet.tail + timing.receive_pipeline;
  Ticks start = std::max(processed, hca.write_free);
  if (hca.has_stalls)
    for (const auto& [from, until] : hcas_[h].stalls)
      if (start >= from && start < until) start = until;
  if (start == kNeverTicks) {  // its memory takes nothing any more: the buffer stays full
    hca.write_free = kNeverTicks;
    hcas_[h].held_blocks[packet.vl] += credit_blocks(packet.bytes);
    ++hcas_[h].held_packets;
    return;
  }
  const Ticks placed =
      std::max(start + timing.pcie.time_for(payload).count(), hca.write_free + 1);  // in order
  hca.write_free = placed;
  return_credit(packet, placed);
  if (packet.has(Packet::last)) {
    Parts& parts = row.parts;
    parts[Part::serialisation] += packet.tail - now_;  // its head came now
    parts[Part::propagation] += packet.propagation;
    parts[Part::pipeline] += packet.pipeline + timing.receive_pipeline;
    parts[Part::arbitration] += packet.arbitration_wait;
    parts[Part::credit] += packet.credit_wait;
    parts[Part::pcie] += placed - processed + timing.write_latency;
    parts[Part::host] += timing.completion;
    row.delivered = placed + timing.write_latency + timing.completion;
    if (parts.total() != row.delivered - row.posted)
      invariant_failed("the parts of a message's time sum to its latency",
                       fmt::format("message {} of endpoint {}, t={}: parts {} ps, latency {} ps", row.number,
                                   row.message.source, now_, parts.total(), row.delivered - row.posted));
    queue_.push(host_event(row.delivered, hca.port, HostEvent::delivered, slot));
  }
  if (packet.has(Packet::ack_request)) send_ack(h, row.responder, packet.psn, placed);
}

void World::send_ack(std::uint32_t h, std::uint32_t qp, std::uint32_t psn, Ticks ready) {
  const std::uint32_t index = new_packet();
  Packet& ack = packets_[index];
  ack.opcode = static_cast<std::uint8_t>(Opcode::rc_ack);
  ack.message = qp;
  ack.dlid = responders_[qp].slid;
  ack.in_link = kNone;
  ack.in_port = kResponses;
  ack.vl = responders_[qp].ack_vl;
  ack.sl = responders_[qp].sl;
  ack.psn = psn & kPsnMask;
  ack.bytes = header::rc_ack;
  ack.flags = Packet::at_source;
  ack.tail = ready;
  ack.next = h;
  ++counts_.injected;
  counts_.injected_bytes += ack.bytes;
  queue_.push(make_event(ready, Phase::heads, hca_rows_[h].port, index));
}

void World::receive_ack(std::uint32_t h, const Packet& packet) {
  const HcaRow& hca = hca_rows_[h];
  const HcaTiming& timing = hca_timings_[hca.timing];
  return_credit(packet, packet.tail);
  const Ticks seen = packet.tail + timing.receive_pipeline + timing.write_latency + timing.completion;
  Qp& qp = qps_[packet.message];
  while (qp.oldest != kNone) {
    const MessageRow& row = messages_[qp.oldest];
    if (row.staged < row.bytes || row.packets_staged == 0 || !psn_not_after(row.last_psn, packet.psn)) break;
    queue_.push(host_event(seen, hca.port, HostEvent::sent, qp.oldest));
    qp.oldest = row.next;
    if (qp.oldest == kNone) qp.newest = kNone;
  }
}

void World::on_delivered(std::uint32_t slot) {
  const MessageRow& row = messages_[slot];
  Chain& chain = host_chains_[row.message.destination];
  chain.add(std::uint64_t{row.message.source} << 32 | (row.number & 0xffff'ffff));
  chain.add(static_cast<std::uint64_t>(now_));
  for (const Ticks t : row.parts.ticks) chain.add(static_cast<std::uint64_t>(t));
  ++counts_.messages_delivered;
  messages_[slot].told = true;
  const Delivery delivery{row.message, row.posted, row.delivered, row.number, row.parts};
  close_end(slot);
  if (user_ != nullptr) user_->on_delivered(delivery);
}

void World::on_sent(std::uint32_t slot) {
  const Message message = messages_[slot].message;
  close_end(slot);
  if (user_ != nullptr) user_->on_sent(message);
}

/// One of a message's two ends has its completion; the row is free when both have.
void World::close_end(std::uint32_t slot) {
  if (--messages_[slot].open_ends > 0) return;
  messages_[slot].next = free_messages_;
  free_messages_ = slot;
}

}  // namespace weft
