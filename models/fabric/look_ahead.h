// Asks for the cache lines that the next few events will need, in four steps that depend on each other.
//
// On a large fabric nearly every row an event touches is out of the caches; one after the other the misses of a
// hop would cost more than its instructions, side by side they overlap. What is read here may be out of date
// by the time the event comes: it is a guess and decides nothing.
#pragma once

#include "models/fabric/world.h"

namespace weft {

/// Steps are taken for the events 16, 11, 7 and 3 places behind the i-th of `batch`: far enough apart for one
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
  const auto output = [this](std::uint32_t port) {
    prefetch(&ports_[port]);
    prefetch(&lane(port, 0));
    prefetch(&lane(port, 0).credit);
  };
  // Credit returns to the link the packet came by: a line, and two more where a sender waits for it.
  const auto upstream = [this](const Packet& packet) { prefetch(&lane(packet.in_link, packet.vl).credit); };
  const auto starved = [this](const Packet& packet) {
    const LaneRow& row = lane(packet.in_link, packet.vl);
    if (row.credit.starved == 0) return;
    prefetch(&row);
    prefetch(&ports_[packet.in_link]);
  };
  const auto next_queue = [this](std::uint32_t port) -> const Voq* {  // of a lane without solo packet
    const LaneRow& row = lane(port, 0);
    const unsigned input =
        row.candidate != LaneRow::kNoCandidate
            ? row.candidate
            : next_input(waiting_inputs(row, ports_[port].is(PortRow::fifo)), row.round_robin);
    return input == LaneRow::kNoCandidate ? nullptr : &voqs(port, 0)[input];
  };
  const auto next_packet = [&](std::uint32_t port) {  // kNone, or anything that once was its number
    const std::uint32_t solo = lane(port, 0).solo;
    if (solo != kNone) return solo;
    const Voq* const queue = next_queue(port);
    return queue == nullptr || queue->head >= packets_.size() ? kNone : queue->head;
  };
  step(
      16, [](const Packet& packet) { prefetch(&packet); }, output);
  step(
      11,
      [&](const Packet& packet) {
        if (packet.has(Packet::at_source)) return;
        upstream(packet);
        if (!packet.has(Packet::to_hca)) {
          prefetch(nodes_[packet.next].lft + packet.dlid / LftBlock::kLids);
        } else if (packet.op() != Opcode::rc_ack) {
          prefetch(&hca_rows_[packet.next]);
          prefetch(&messages_[packet.message].arrived);
        }
      },
      [&](std::uint32_t port) {
        const std::uint32_t hca = ports_[port].hca;
        if (hca != kNone) {
          prefetch(&hca_rows_[hca]);
          prefetch(&send_lanes_[std::size_t{hca} * lane_stride_]);
        }
        const std::uint32_t solo = lane(port, 0).solo;
        if (solo != kNone)
          prefetch(&packets_[solo]);
        else
          prefetch(next_queue(port));
      });
  step(
      7,
      [&](const Packet& packet) {
        if (packet.has(Packet::at_source)) return;
        starved(packet);
        if (packet.has(Packet::to_hca)) {
          if (packet.op() != Opcode::rc_ack) prefetch(&responders_[messages_[packet.message].responder]);
          return;
        }
        const NodeRow& node = nodes_[packet.next];
        const std::uint8_t entry = LftRow::entry(node.lft, lft_pool_, packet.dlid);
        if (entry - 1u < node.ports) output(node.first_port + entry - 1);
      },
      [&](std::uint32_t port) {
        const std::uint32_t index = next_packet(port);
        if (index == kNone) return;
        const Packet& packet = packets_[index];
        prefetch(&packet);
        const std::uint32_t hca = ports_[port].hca;
        if (lane(port, 0).solo == kNone) return;  // not there yet
        if (hca == kNone) {
          upstream(packet);
        } else if (packet.op() != Opcode::rc_ack) {
          prefetch(&messages_[packet.message]);
          prefetch(&messages_[packet.message].parts);
          const std::uint32_t qp = send_lanes_[std::size_t{hca} * lane_stride_].first;
          if (qp != kNone) prefetch(&qps_[qp]);
        }
      });
  step(
      3, [](const Packet&) {},
      [&](std::uint32_t port) {
        const std::uint32_t index = next_packet(port);
        if (index == kNone || ports_[port].hca != kNone) return;
        const Packet& packet = packets_[index];
        if (packet.in_link == kNone) return;
        if (lane(port, 0).solo == kNone)
          upstream(packet);
        else
          starved(packet);
      });
}

}  // namespace weft
