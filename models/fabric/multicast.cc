// A packet for a group is copied by the switches it passes: one copy for every port of the group's table but
// the one it came by. Each copy waits for its own output, with the same rights as any packet; the input
// buffer holds the packet once, until the last copy has left. Ends receive it by UD: no ACK, nothing is
// resent.
#include "models/fabric/multicast.h"

#include <algorithm>

#include "models/fabric/host_event.h"
#include "models/fabric/world.h"

namespace weft {

void World::build_multicast(const Routes& routes) {
  for (const MulticastGroup& group : routes.multicast.groups()) {
    MulticastRow& row = multicast_.emplace_back();
    row.mlid = group.mlid;
    for (NodeIndex n = 0; n < nodes_.size(); ++n) {
      row.first.push_back(static_cast<std::uint32_t>(row.ports.size()));
      if (topology_.nodes[n].kind != NodeKind::switch_) continue;
      for (const std::uint8_t port : routes.multicast.ports(n, group.mlid)) row.ports.push_back(port);
    }
    row.first.push_back(static_cast<std::uint32_t>(row.ports.size()));
    row.is_member.resize(hcas_.size());
    for (const PortRef member : group.members) row.is_member[hca_of_port_[port_index(member)]] = true;
    row.members = static_cast<std::uint32_t>(std::ranges::count(row.is_member, true));
  }
}

std::uint32_t World::new_hold(const Packet& packet, std::size_t copies) {
  std::uint32_t index = free_holds_;
  if (index == kNone) {
    index = static_cast<std::uint32_t>(holds_.size());
    holds_.emplace_back();
  } else {
    free_holds_ = holds_[index].next;
  }
  holds_[index] = {packet, static_cast<std::uint32_t>(copies), kNone};
  holds_[index].packet.tail = 0;  // from here on: when the last copy that has left was gone
  return index;
}

/// Queues a copy of the packet, which has come to a switch, at each output of its group.
void World::replicate(std::uint32_t index) {
  const Packet packet = packets_[index];
  const NodeRow& node = nodes_[packet.next];
  copies_.clear();
  for (const std::uint8_t port : multicast_[messages_[packet.message].message.group].ports_of(packet.next)) {
    const std::uint32_t output = node.first_port + port - 1u;
    if (port == packet.in_port + 1 || !ports_[output].is(PortRow::cabled)) continue;
    const std::uint8_t vl =
        settings_.sl2vl.vl(packet.next, static_cast<std::uint8_t>(packet.in_port + 1), port, packet.sl);
    if (vl < lane_stride_)
      copies_.emplace_back(output, vl);
    else
      ++discards_[output];
  }
  if (copies_.empty()) {  // a switch that is not on the tree, or a lane that drops it everywhere
    ++rcv_errors_[node.first_port + packet.in_port];
    return drop(index);
  }
  const std::uint32_t hold = new_hold(packet, copies_.size());
  messages_[packet.message].arrived += copies_.size() - 1;
  counts_.copied += copies_.size() - 1;
  counts_.copied_bytes += (copies_.size() - 1) * packet.bytes;
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const std::uint32_t copy = i == 0 ? index : new_packet();
    packets_[copy] = packet;
    packets_[copy].in_link = hold;
    enqueue(copies_[i].first, copies_[i].second, copy);
  }
}

/// A copy leaves its switch, its last bit at `tail_out`.
void World::leave_hold(const Packet& packet, Ticks tail_out) {
  MulticastHold& hold = holds_[packet.in_link];
  hold.packet.tail = std::max(hold.packet.tail, tail_out);
  if (--hold.copies > 0) return;
  return_credit(hold.packet, hold.packet.tail);
  hold.next = free_holds_;
  free_holds_ = packet.in_link;
}

/// The lane whose far buffer a packet takes space of, or flies to; kNone while it is at its source.
std::uint32_t World::lane_held(const Packet& packet) const {
  if (packet.in_link == kNone) return kNone;
  const bool copy = packet.has(Packet::multicast) && packet.has(Packet::queued);
  const Packet& came = copy ? holds_[packet.in_link].packet : packet;
  return came.in_link * lane_stride_ + came.vl;
}

/// UD: the sender is done with a message when its packet has left.
void World::complete_unacknowledged(std::uint32_t h, std::uint32_t slot, Ticks tail_out) {
  Qp& qp = qps_[messages_[slot].qp];
  qp.oldest = messages_[slot].next;
  if (qp.oldest == kNone) qp.newest = kNone;
  const HcaTiming& timing = hca_timings_[hca_rows_[h].timing];
  queue_.push(host_event(tail_out + timing.write_latency + timing.completion, hca_rows_[h].port,
                         HostEvent::sent, slot));
}

/// A copy has come to an adapter: a delivery of its own, with the message's time until it left its source.
void World::receive_copy(std::uint32_t h, std::uint32_t index) {
  const Packet packet = packets_[index];
  const std::uint32_t group = messages_[packet.message].message.group;
  if (h == kNone || !multicast_[group].is_member[h]) {
    if (h != kNone) ++rcv_errors_[hca_rows_[h].port];
    return drop(index);
  }
  const std::uint32_t slot = new_message();
  MessageRow& row = messages_[slot];
  row = messages_[packet.message];
  row.message.destination = h;
  row.arrived = 0;
  row.open_ends = 1;
  row.told = false;
  receive_data(h, packet, slot);
  ++counts_.delivered;
  counts_.delivered_bytes += packet.bytes;
  free_packet(index);
  end_copy(packet.message);
}

/// One copy less of a message to a group is on its way.
void World::end_copy(std::uint32_t slot) {
  if (--messages_[slot].arrived == 0) close_end(slot);
}

}  // namespace weft
