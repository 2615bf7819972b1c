// Port counters under their IB names (IBA vol. 1 §16.1.3 PortCounters, §16.1.4 PortXmitWait).
#include "models/fabric/world.h"

namespace weft {

std::vector<World::PortCounters> World::port_counters() const {
  std::vector<PortCounters> all(ports_.size());
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const PortRow& out = ports_[p];
    PortCounters& c = all[p];
    c.port = port_ref(p);
    c.xmit_wait = out.xmit_wait;
    if (out.waiting != 0 && !out.is(PortRow::down))  // the wait that is running
      c.xmit_wait += std::max<Ticks>(0, now_ - std::max(out.busy, out.waiting_since));
    c.xmit_discards = discards_[p];
    c.rcv_errors = rcv_errors_[p];
    c.link_downed = downed_[p];
    if (hca_of_port_[p] != kNone) c.out_of_sequence = hcas_[hca_of_port_[p]].out_of_sequence;
    for (unsigned vl = 0; vl < lane_stride_; ++vl) {
      const LaneRow& row = lane(p, vl);
      c.xmit_bytes += row.xmit_bytes;
      c.xmit_packets += row.xmit_packets;
      c.vl_xmit_bytes.push_back(row.xmit_bytes);
      c.vl_xmit_packets.push_back(row.xmit_packets);
      c.vl_credit_wait.push_back(row.stall_at(now_));
    }
  }
  // Received = what the peer sent, less what is still on the wire: it follows, so it is kept nowhere.
  for (std::uint32_t p = 0; p < ports_.size(); ++p)
    if (const std::uint32_t peer = peer_[p]; peer != kNone) {
      all[p].rcv_bytes = all[peer].xmit_bytes;
      all[p].rcv_packets = all[peer].xmit_packets;
    }
  for (const Packet& packet : packets_)
    if (packet.bytes != 0 && packet.in_link != kNone && !packet.has(Packet::queued)) {
      all[peer_[packet.in_link]].rcv_bytes -= packet.bytes;
      --all[peer_[packet.in_link]].rcv_packets;
    }
  return all;
}

}  // namespace weft
