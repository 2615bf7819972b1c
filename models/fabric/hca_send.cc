// The adapter's send side: post -> doorbell -> a turn among queue pairs -> fetch over PCIe -> wire.
//
// Staging: while less than `prefetch` bytes of a VL are fetched but not on the wire, the QP whose turn it is
// has its next packet fetched. What is staged goes to the wire in that order. The injection gate holds a QP
// back before staging, so that it never stands in the way of another.
#include <algorithm>

#include <fmt/format.h>

#include "models/fabric/host_event.h"
#include "models/fabric/world.h"
#include "sim/error.h"

namespace weft {
/// The service level of packets from one end to another. Each direction of a connection has its own: an
/// engine that needs lanes is free of deadlock when every packet keeps to that of its path, ACKs included.
std::uint8_t World::sl_of(std::uint8_t asked, PortRef from, PortRef to) const {
  if (asked != Message::kPathSl) return asked;
  return path_sls_.sl(home_of(topology_, from), topology_.nodes[to.node].port(to.port).lid);
}

std::uint32_t World::qp_for(const Message& message) {
  const bool multicast = message.group != Message::kNoGroup;
  const std::uint32_t to_whom = multicast ? kGroupBit | message.group : message.destination;
  const std::uint32_t hash = QpIndex::hash(message.source, to_whom, message.flow, message.sl);
  const std::uint32_t found = qp_index_.find(hash, [&](std::uint32_t number) {
    const Qp& qp = qps_[number];
    return qp.source == message.source && responders_[number].hca == to_whom && qp.flow == message.flow &&
           qp.asked_sl == message.sl;
  });
  if (found != QpIndex::kAbsent) return found;
  const PortRef from = port_ref(hca_rows_[message.source].port);
  const PortRef to = multicast ? from : port_ref(hca_rows_[message.destination].port);
  Responder responder;
  responder.hca = to_whom;
  responder.slid = topology_.nodes[from.node].port(from.port).lid;
  responder.sl = sl_of(message.sl, to, from);
  responder.ack_vl = settings_.sl2vl.vl(to.node, 0, to.port, responder.sl);
  Qp qp;
  qp.source = message.source;
  qp.multicast = multicast;
  qp.dlid = multicast ? multicast_[message.group].mlid : topology_.nodes[to.node].port(to.port).lid;
  qp.flow = message.flow;
  qp.asked_sl = message.sl;
  qp.sl = !multicast ? sl_of(message.sl, from, to) : message.sl == Message::kPathSl ? 0 : message.sl;
  qp.vl = settings_.sl2vl.vl(from.node, 0, from.port, qp.sl);
  qp.sending = qp.newest = qp.oldest = kNone;
  if (qp.vl >= lane_stride_ || responder.ack_vl >= lane_stride_)
    throw BadValue("", fmt::format("service level {} is mapped to no data VL at {}",
                                   qp.vl >= lane_stride_ ? qp.sl : responder.sl,
                                   topology_.display_name(qp.vl >= lane_stride_ ? from : to)));
  qps_.push_back(qp);
  responders_.push_back(responder);
  const auto number = static_cast<std::uint32_t>(qps_.size() - 1);
  qp_index_.add(hash, number);
  return number;
}

void World::post(const Message& message) {
  const bool multicast = message.group != Message::kNoGroup;
  if (multicast ? message.source >= hcas_.size() || message.group >= multicast_.size() ||
                      !multicast_[message.group].is_member[message.source] || message.bytes > settings_.mtu
                : message.source == message.destination || message.source >= hcas_.size() ||
                      message.destination >= hcas_.size())
    invariant_failed("a message goes from one endpoint to another, or in one packet to its group",
                     fmt::format("t={} {} -> {}, group {}, {} B", now_, message.source, message.destination,
                                 message.group, message.bytes));
  const std::uint32_t qp = qp_for(message);
  const std::uint32_t slot = new_message();
  HcaState& queues = hcas_[message.source];
  HcaRow& hca = hca_rows_[message.source];
  const HcaTiming& timing = hca_timings_[hca.timing];
  hca.cpu_free = std::max(hca.cpu_free, now_) + timing.post;
  const Ticks seen = hca.cpu_free + timing.doorbell;
  MessageRow& row = messages_[slot];
  row.message = message;
  row.bytes = message.bytes;
  row.has_static_rate = message.static_rate.num != 0;
  row.number = queues.posted++;
  row.qp = row.responder = qp;
  row.next = kNone;
  row.open_ends = 2;
  row.posted = now_;
  row.parts[Part::host] = hca.cpu_free - now_;
  row.parts[Part::pcie] = timing.doorbell;
  row.cursor = seen;
  row.told = multicast;  // what arrives of it are deliveries of their own
  counts_.messages_posted += multicast ? multicast_[message.group].members - 1 : 1;
  const bool first = queues.doorbells.size() == queues.next_doorbell || queues.doorbells.back().first != seen;
  queues.doorbells.emplace_back(seen, slot);
  if (first) queue_.push(host_event(seen, hca.port, HostEvent::doorbell, 0));
}

std::uint32_t World::new_message() {
  const std::uint32_t slot = free_messages_;
  if (slot != kNone) {
    free_messages_ = messages_[slot].next;
    messages_[slot] = MessageRow{};
    return slot;
  }
  if (messages_.size() > kHostDetail)
    invariant_failed("less than 2^28 messages are under way", fmt::format("t={}", now_));
  messages_.emplace_back();
  return static_cast<std::uint32_t>(messages_.size() - 1);
}

void World::on_doorbell(std::uint32_t h) {
  keep_watch();
  std::uint32_t touched = 0;
  while (hcas_[h].next_doorbell < hcas_[h].doorbells.size()) {
    HcaState& hca = hcas_[h];
    const auto [at, slot] = hca.doorbells[hca.next_doorbell];
    if (at > now_) break;
    ++hca.next_doorbell;
    MessageRow& row = messages_[slot];
    Qp& qp = qps_[row.qp];
    row.stall_mark = lane(hca_rows_[h].port, qp.vl).stall_at(now_);
    mark_gate(row, now_, row.stall_mark);
    if (qp.oldest == kNone)
      qp.oldest = slot;
    else
      messages_[qp.newest].next = slot;
    qp.newest = slot;
    if (qp.sending == kNone) qp.sending = slot;
    if (!qp.active) activate(row.qp);
    touched |= 1u << qp.vl;
  }
  HcaState& hca = hcas_[h];
  if (hca.next_doorbell * 2 >= hca.doorbells.size()) {  // half are taken: make room
    hca.doorbells.erase(hca.doorbells.begin(),
                        hca.doorbells.begin() + static_cast<std::ptrdiff_t>(hca.next_doorbell));
    hca.next_doorbell = 0;
  }
  for (unsigned vl = 0; vl < lane_stride_; ++vl)
    if (touched >> vl & 1) stage(h, vl);
}

/// Puts a QP that has something to send in line, or behind the injection gate.
void World::activate(std::uint32_t index) {
  Qp& qp = qps_[index];
  qp.active = true;
  qp.turn = 0;
  if (qp.not_before > now_) {
    HcaRow& hca = hca_rows_[qp.source];
    auto& gated = hcas_[qp.source].gated;
    if (qp.gate == kNone) {
      qp.gate = static_cast<std::uint32_t>(gates_.size());
      gates_.emplace_back();
    }
    Gate& gate = gates_[qp.gate];
    if (gate.since == kNeverTicks) {
      gate.since = now_;
      gate.stall_since = lane(hca.port, qp.vl).stall_at(now_);
    }
    gated.emplace_back(qp.not_before, index);
    std::push_heap(gated.begin(), gated.end(), std::greater<>());
    if (qp.not_before < hca.gate_armed) {  // one timer an adapter, re-armed lazily
      hca.gate_armed = qp.not_before;
      queue_.push(host_event(qp.not_before, hca.port, HostEvent::gate, 0));
    }
    return;
  }
  if (qp.gate != kNone && gates_[qp.gate].since != kNeverTicks) {  // the gate has opened
    Gate& gate = gates_[qp.gate];
    gate.clock = gate.clock_at(qp, now_);
    gate.stall = gate.stall_at(lane(hca_rows_[qp.source].port, qp.vl).stall_at(now_));
    gate.since = kNeverTicks;
  }
  SendLane& send = send_lanes_[qp.source * lane_stride_ + qp.vl];
  qp.next = kNone;
  if (send.last == kNone)
    send.first = index;
  else
    qps_[send.last].next = index;
  send.last = index;
}

/// Everything of `row` up to `at` is charged; the lane's stall clock shows `stall` then.
void World::mark_gate(MessageRow& row, Ticks at, Ticks stall) const {
  const Qp& qp = qps_[row.qp];
  if (qp.gate == kNone) return;  // the marks are zero, as the clocks are
  row.gate_mark = gates_[qp.gate].clock_at(qp, at);
  row.gate_stall_mark = gates_[qp.gate].stall_at(stall);
}

void World::on_gate(std::uint32_t h) {
  keep_watch();
  HcaRow& hca = hca_rows_[h];
  auto& gated = hcas_[h].gated;
  if (hca.gate_armed == now_) hca.gate_armed = kNeverTicks;
  std::uint32_t touched = 0;
  while (!gated.empty() && gated.front().first <= now_) {
    const std::uint32_t index = gated.front().second;
    std::pop_heap(gated.begin(), gated.end(), std::greater<>());
    gated.pop_back();
    activate(index);
    touched |= 1u << qps_[index].vl;
  }
  if (!gated.empty() && gated.front().first < hca.gate_armed) {
    hca.gate_armed = gated.front().first;
    queue_.push(host_event(hca.gate_armed, hca.port, HostEvent::gate, 0));
  }
  for (unsigned vl = 0; vl < lane_stride_; ++vl)
    if (touched >> vl & 1) stage(h, vl);
}

/// Fetches packets for lane `vl` until enough are on their way to the wire.
void World::stage(std::uint32_t h, unsigned vl) {
  SendLane& lane = send_lanes_[h * lane_stride_ + vl];
  const HcaTiming& timing = hca_timings_[hca_rows_[h].timing];
  while (lane.first != kNone && (lane.staged == 0 || lane.staged < timing.prefetch)) {
    const std::uint32_t index = lane.first;
    const auto leave = [&] {
      lane.first = qps_[index].next;
      if (lane.first == kNone) lane.last = kNone;
    };
    if (qps_[index].not_before > now_) {
      leave();
      activate(index);
      continue;
    }
    stage_packet(index);
    Qp& qp = qps_[index];
    if (qp.sending == kNone) {
      leave();
      qp.active = false;
    } else if (++qp.turn >= timing.quantum || qp.not_before > now_) {
      leave();
      activate(index);
    }
  }
}

void World::stage_packet(std::uint32_t index) {
  const std::uint32_t p = new_packet();
  Packet& packet = packets_[p];
  Qp& qp = qps_[index];
  const std::uint32_t slot = qp.sending;
  MessageRow& row = messages_[slot];
  HcaRow& hca = hca_rows_[qp.source];
  const HcaTiming& timing = hca_timings_[hca.timing];
  SendLane& send = send_lanes_[qp.source * lane_stride_ + qp.vl];
  const LaneRow& wire = lane(hca.port, qp.vl);

  // Charge the time since the message's last packet left, or since its doorbell, to what kept it.
  if (row.packets_staged == row.packets_granted && now_ > row.cursor) {
    const Ticks stall = wire.stall_at(now_);
    Ticks waited = now_ - row.cursor;
    Ticks credit = stall - row.stall_mark;
    if (qp.gate != kNone) {  // what it stood before the gate is the gate's, credit or not
      const Gate& gate = gates_[qp.gate];
      const std::array<Ticks, 2> gated = gate.clock_at(qp, now_);
      const Ticks paced = gated[0] - row.gate_mark[0], congested = gated[1] - row.gate_mark[1];
      row.parts[Part::pipeline] += paced;
      row.parts[Part::congestion] += congested;
      waited -= paced + congested;
      credit -= gate.stall_at(stall) - row.gate_stall_mark;
    }
    row.parts[Part::credit] += credit;
    row.parts[Part::arbitration] += waited - credit;
    row.cursor = now_;
    row.stall_mark = stall;
    mark_gate(row, now_, stall);
  }

  Ticks issue = now_;
  if (row.packets_staged == 0) {
    issue = std::max(issue, hca.card_free);
    hca.card_free = issue + timing.card_gap;
    row.started = issue;
  }
  const auto payload =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(settings_.mtu, row.bytes - row.staged));
  Ticks fetched = issue;
  if (row.bytes > timing.inline_limit) {
    hca.fetch_free =
        std::max(issue + timing.fetch_latency, hca.fetch_free) + timing.pcie.time_for(payload).count();
    fetched = hca.fetch_free;
  }
  Ticks ready = fetched + timing.send_pipeline;
  if (send.last_ready >= std::max(ready, now_))
    ready = send.last_ready + 1;  // what is staged keeps its order

  packet.message = slot;
  packet.dlid = qp.dlid;
  packet.in_link = kNone;
  packet.in_port = kRequests;
  packet.vl = qp.vl;
  packet.sl = qp.sl;
  packet.psn = qp.psn & kPsnMask;
  packet.bytes = static_cast<std::uint16_t>(qp.multicast ? ud_multicast_wire_bytes(payload)
                                                         : rc_send_wire_bytes(payload));
  packet.flags = Packet::at_source;
  if (qp.multicast) {
    packet.opcode = static_cast<std::uint8_t>(Opcode::ud_send);
    packet.flags |= Packet::multicast;
    row.arrived = 1;
  }
  packet.tail = ready;
  // What the wait for `ready` is made of, until the packet departs and these count its flight.
  packet.propagation = static_cast<std::uint32_t>(std::min<Ticks>(fetched - issue, UINT32_MAX));
  packet.pipeline = static_cast<std::uint32_t>(timing.send_pipeline);

  row.staged += payload;
  ++row.packets_staged;
  ++qp.since_ack;
  qp.psn = (qp.psn + 1) & kPsnMask;
  if (row.staged == row.bytes) {
    packet.flags |= qp.multicast ? Packet::last : Packet::last | Packet::ack_request;
    row.last_psn = packet.psn;
    qp.sending = row.next;
    if (timing.qp_gap > 0 && row.started + timing.qp_gap > qp.not_before) {
      qp.not_before = row.started + timing.qp_gap;
      qp.gate_part = Part::pipeline;
    }
  } else if (timing.ack_every > 0 && qp.since_ack >= timing.ack_every) {
    packet.flags |= Packet::ack_request;
  }
  if (packet.has(Packet::ack_request)) qp.since_ack = 0;
  if (row.has_static_rate) {
    const Ticks gap = row.message.static_rate.time_for(packet.bytes).count();
    const Ticks from = std::max(qp.not_before, now_);
    qp.not_before = gap < kHorizon - from ? from + gap : kHorizon;
    qp.gate_part = Part::congestion;
  }
  send.staged += packet.bytes;
  ++counts_.injected;
  counts_.injected_bytes += packet.bytes;
  if (ready <= now_) return enqueue(hca.port, qp.vl, p);
  send.last_ready = ready;
  packet.next = qp.source;
  queue_.push(make_event(ready, Phase::heads, hca.port, p));
}

/// A packet leaves its adapter now; its last bit leaves at `tail_out`. Charges its message's timeline up to
/// here.
void World::depart(std::uint32_t h, unsigned vl, Packet& packet, Ticks stall, Ticks tail_out) {
  if (packet.op() != Opcode::rc_ack) {
    send_lanes_[h * lane_stride_ + vl].staged -= packet.bytes;
    MessageRow& row = messages_[packet.message];
    Parts& parts = row.parts;
    const bool waited_for_it = packet.tail >= row.cursor;
    if (waited_for_it) {
      Ticks span = packet.tail - row.cursor;
      const Ticks pipeline = std::min<Ticks>(span, packet.pipeline);
      span -= pipeline;
      // A fetch too long for its 32 bits is all there is to see.
      const Ticks fetch = packet.propagation == UINT32_MAX ? span : std::min<Ticks>(span, packet.propagation);
      parts[Part::pipeline] += pipeline;
      parts[Part::pcie] += fetch;
      parts[Part::arbitration] += span - fetch;  // the adapter's message rate
      row.cursor = packet.tail;
    }
    const Ticks waited = now_ - row.cursor;
    const Ticks credit = std::min(waited, waited_for_it ? packet.credit_wait : stall - row.stall_mark);
    parts[Part::credit] += credit;
    parts[Part::arbitration] += waited - credit;
    row.cursor = now_;
    row.stall_mark = stall;
    ++row.packets_granted;
    if (!packet.has(Packet::last)) {
      parts[Part::serialisation] += tail_out - now_;
      row.cursor = tail_out;
    }
    mark_gate(row, row.cursor, stall);
    if (packet.has(Packet::multicast)) complete_unacknowledged(h, packet.message, tail_out);
  }
  packet.credit_wait = packet.arbitration_wait = 0;
  packet.propagation = packet.pipeline = 0;
}

}  // namespace weft
