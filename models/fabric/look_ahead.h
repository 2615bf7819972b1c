// Asks for the cache lines that the next few events will need, in four steps that depend on each other.
//
// On a large fabric nearly every row an event touches is out of the caches; one after the other the misses of
// a hop would cost more than its instructions, side by side they overlap. What is read here may be out of
// date by the time the event comes: it is a guess and decides nothing.
#pragma once

#include "models/fabric/world.h"

namespace weft {

/// One step for one event: 0 for its own row, then what that row names, and so on.
template <int kStep>
inline void World::ask_for(const Event& event) const {
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

  if (event.phase() == Phase::heads) {
    const Packet& packet = packets_[event.detail()];
    if constexpr (kStep == 0) return prefetch(&packet);
    if (packet.has(Packet::at_source)) return;
    const bool to_hca = packet.has(Packet::to_hca);
    const bool data_end = to_hca && packet.next != kNone && packet.op() != Opcode::rc_ack;
    if constexpr (kStep == 1) {
      upstream(packet);
      if (!to_hca) {
        prefetch(nodes_[packet.next].lft + packet.dlid / LftBlock::kLids);
      } else if (data_end) {
        prefetch(&hca_rows_[packet.next]);
        prefetch(&messages_[packet.message].arrived);
      }
    }
    if constexpr (kStep == 2) {
      starved(packet);
      if (!to_hca) {
        const NodeRow& node = nodes_[packet.next];
        const std::uint8_t entry = LftRow::entry(node.lft, lft_pool_, packet.dlid);
        if (entry - 1u < node.ports) output(node.first_port + entry - 1);
      } else if (data_end) {
        prefetch(&responders_[messages_[packet.message].responder]);
      }
    }
  } else if (event.phase() == Phase::arbitrate) {
    const std::uint32_t port = event.entity();
    if constexpr (kStep == 0) return output(port);
    const std::uint32_t hca = ports_[port].hca;
    const LaneRow& row = lane(port, 0);
    const bool solo = row.solo != kNone;  // else the packet is a step further away, behind its queue
    const auto queue = [&] {
      const bool chosen = row.candidate != LaneRow::kNoCandidate;
      const unsigned input = chosen ? row.candidate : next_in_turn(row, ports_[port].is(PortRow::fifo));
      return &voqs(port, 0)[input];
    };
    if constexpr (kStep == 1) {
      if (hca != kNone) {
        prefetch(&hca_rows_[hca]);
        prefetch(&send_lanes_[std::size_t{hca} * lane_stride_]);
      }
      if (solo) return prefetch(&packets_[row.solo]);
      return prefetch(queue());
    }
    std::uint32_t index = row.solo;
    if (!solo) {
      const std::uint32_t head = queue()->head;
      index = head < packets_.size() ? head : kNone;
    }
    if (index == kNone) return;
    const Packet& packet = packets_[index];
    if constexpr (kStep == 2) {
      if (!solo) return prefetch(&packet);
      if (hca == kNone) return upstream(packet);
      if (packet.op() == Opcode::rc_ack) return;
      prefetch(&messages_[packet.message]);
      prefetch(&messages_[packet.message].parts);
      const std::uint32_t qp = send_lanes_[std::size_t{hca} * lane_stride_].first;
      if (qp != kNone) prefetch(&qps_[qp]);
    }
    if constexpr (kStep == 3) {
      if (hca != kNone || packet.in_link == kNone) return;
      return solo ? starved(packet) : upstream(packet);
    }
  }
}

/// While the i-th event of `batch` is handled: steps for those 16, 11, 7 and 3 places behind it, far enough
/// apart for one step's lines to arrive before the next step reads them.
inline void World::look_ahead(const EventQueue::Batch& batch, std::size_t i) const {
  if (!prefetching_) return;
  if (i == 0 && batch.opening) look_at_first(batch);
  if (i + 16 < batch.visible) ask_for<0>(batch[i + 16]);
  if (i + 11 < batch.visible) ask_for<1>(batch[i + 11]);
  if (i + 7 < batch.visible) ask_for<2>(batch[i + 7]);
  if (i + 3 < batch.visible) ask_for<3>(batch[i + 3]);
}

/// The first events of a bucket have nobody before them: all their steps, side by side.
inline void World::look_at_first(const EventQueue::Batch& batch) const {
  const auto first = [&](std::size_t n) { return n < batch.visible ? n : batch.visible; };
  for (std::size_t k = 0; k < first(16); ++k) ask_for<0>(batch[k]);
  for (std::size_t k = 0; k < first(11); ++k) ask_for<1>(batch[k]);
  for (std::size_t k = 0; k < first(7); ++k) ask_for<2>(batch[k]);
  for (std::size_t k = 0; k < first(3); ++k) ask_for<3>(batch[k]);
}

}  // namespace weft
