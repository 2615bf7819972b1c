// Port counters under their IB names (IBA vol. 1 §16.1.3 PortCounters, §16.1.4 PortXmitWait).
#include "models/fabric/world.h"

namespace weft {

void World::for_each_port(const std::function<void(const PortCounters&)>& visit) const {
  struct Amount {
    std::uint64_t bytes = 0, packets = 0;
  };
  std::vector<Amount> on_wire;  // by link
  if (live_packets_ > 0) on_wire.resize(ports_.size());
  for (const Packet& packet : packets_)
    if (packet.bytes != 0 && packet.in_link != kNone && !packet.has(Packet::queued)) {
      on_wire[packet.in_link].bytes += packet.bytes;
      ++on_wire[packet.in_link].packets;
    }
  const auto sent = [this](std::uint32_t port) {
    Amount all;
    for (unsigned vl = 0; vl < lane_stride_; ++vl) {
      all.bytes += lane(port, vl).xmit_bytes;
      all.packets += lane(port, vl).xmit_packets;
    }
    return all;
  };
  PortCounters c;
  c.vl_xmit_bytes.resize(lane_stride_);
  c.vl_xmit_packets.resize(lane_stride_);
  c.vl_credit_wait.resize(lane_stride_);
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const PortRow& out = ports_[p];
    c.port = port_ref(p);
    c.xmit_wait = out.xmit_wait;
    if (out.waiting != 0 && !out.is(PortRow::down))  // the wait that is running
      c.xmit_wait += std::max<Ticks>(0, now_ - std::max(out.busy, out.waiting_since));
    c.xmit_discards = discards_[p];
    c.rcv_errors = rcv_errors_[p];
    c.link_downed = downed_[p];
    c.out_of_sequence = hca_of_port_[p] == kNone ? 0 : hcas_[hca_of_port_[p]].out_of_sequence;
    const Amount mine = sent(p);
    c.xmit_bytes = mine.bytes;
    c.xmit_packets = mine.packets;
    for (unsigned vl = 0; vl < lane_stride_; ++vl) {
      const LaneRow& row = lane(p, vl);
      c.vl_xmit_bytes[vl] = row.xmit_bytes;
      c.vl_xmit_packets[vl] = row.xmit_packets;
      c.vl_credit_wait[vl] = row.stall_at(now_);
    }
    // Received = what the peer sent, less what is still on the wire: it follows, so it is kept nowhere.
    Amount received;
    if (const std::uint32_t peer = peer_[p]; peer != kNone) {
      received = sent(peer);
      if (!on_wire.empty()) {
        received.bytes -= on_wire[peer].bytes;
        received.packets -= on_wire[peer].packets;
      }
    }
    c.rcv_bytes = received.bytes;
    c.rcv_packets = received.packets;
    visit(c);
  }
}

std::vector<World::PortCounters> World::port_counters() const {
  std::vector<PortCounters> all;
  all.reserve(ports_.size());
  for_each_port([&](const PortCounters& port) { all.push_back(port); });
  return all;
}

}  // namespace weft
