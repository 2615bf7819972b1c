// Asks for the cache lines that the next few events will need, in three steps that depend on each other.
//
// On a large fabric nearly every row an event touches is out of the caches; one after the other the misses of a
// hop would cost more than its instructions, side by side they overlap. What is read here may be out of date
// by the time the event comes: it is a guess and decides nothing.
#pragma once

#include "models/fabric/world.h"

namespace weft {

/// Steps are taken for the events 16, 11 and 7 places behind the i-th of `batch`: far enough apart for one
/// step's lines to arrive before the next step reads them.
inline void World::look_ahead(const EventQueue::Batch& batch, std::size_t i) const {
  if (!prefetching_) return;
  const auto step = [&](std::size_t distance, auto&& head, auto&& arbitration) {
    if (i + distance >= batch.visible) return;
    const Event& event = batch[i + distance];
    if (event.phase() == Phase::heads)
      head(packets_[event.detail()]);
    else if (event.phase() == Phase::arbitrate)
      arbitration(event.entity());
  };
  const auto prefetch_output = [this](std::uint32_t port) {
    prefetch(&ports_[port]);
    prefetch(&lane(port, 0));
    prefetch(&lane(port, 0).credit);
  };
  step(
      16, [](const Packet& packet) { prefetch(&packet); }, prefetch_output);
  step(
      11,
      [this](const Packet& packet) {
        if (packet.has(Packet::at_source)) return;
        prefetch(&lane(packet.in_link, packet.vl).credit);
        if (!packet.has(Packet::to_hca)) {
          prefetch(nodes_[packet.next].lft + packet.dlid / LftBlock::kLids);
        } else if (packet.op() != Opcode::rc_ack) {
          prefetch(&hca_rows_[packet.next]);
          prefetch(&messages_[packet.message].arrived);
        }
      },
      [this](std::uint32_t port) {
        const std::uint32_t hca = ports_[port].hca;
        if (hca != kNone) {
          prefetch(&hca_rows_[hca]);
          prefetch(&send_lanes_[std::size_t{hca} * lane_stride_]);
        }
        const std::uint32_t solo = lane(port, 0).solo;
        if (solo != kNone) prefetch(&packets_[solo]);
      });
  step(
      7,
      [this, &prefetch_output](const Packet& packet) {
        if (packet.has(Packet::at_source)) return;
        if (packet.has(Packet::to_hca)) {
          if (packet.op() != Opcode::rc_ack) prefetch(&responders_[messages_[packet.message].responder]);
          return;
        }
        const NodeRow& node = nodes_[packet.next];
        const std::uint8_t entry = LftRow::entry(node.lft, lft_pool_, packet.dlid);
        if (entry - 1u < node.ports) prefetch_output(node.first_port + entry - 1);
      },
      [this](std::uint32_t port) {
        const std::uint32_t solo = lane(port, 0).solo;
        if (solo == kNone) return;
        const Packet& packet = packets_[solo];
        const std::uint32_t hca = ports_[port].hca;
        if (hca == kNone) {
          prefetch(&lane(packet.in_link, packet.vl).credit);
        } else if (packet.op() != Opcode::rc_ack) {
          prefetch(&messages_[packet.message]);
          prefetch(&messages_[packet.message].parts);
          const std::uint32_t qp = send_lanes_[std::size_t{hca} * lane_stride_].first;
          if (qp != kNone) prefetch(&qps_[qp]);
        }
      });
}

}  // namespace weft
