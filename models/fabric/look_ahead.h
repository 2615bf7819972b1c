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
  const auto step = [&](std::size_t distance, auto take) {
    if (i + distance >= batch.visible) return;
    const Event& event = batch[i + distance];
    if (event.phase() == Phase::heads)
      take(true, event.detail());
    else if (event.phase() == Phase::arbitrate)
      take(false, event.entity());
  };
  step(16, [this](bool head, std::uint32_t index) {
    if (head) return prefetch(&packets_[index]);
    prefetch(&ports_[index]);
    prefetch(&lanes_[std::size_t{index} * lane_stride_]);
    prefetch(&lanes_[std::size_t{index} * lane_stride_].credit);
  });
  step(11, [this](bool head, std::uint32_t index) {
    if (!head) {
      const std::uint32_t hca = ports_[index].hca;
      if (hca != kNone) prefetch(&hcas_[hca]);
      return;
    }
    const Packet& packet = packets_[index];
    if (packet.has(Packet::at_source)) return;
    prefetch(&lane(packet.in_link, packet.vl).credit);
    if (packet.has(Packet::to_hca)) {
      prefetch(&hcas_[packet.next]);
      prefetch(&messages_[packet.message]);
    } else {
      prefetch(nodes_[packet.next].lft + packet.dlid / LftBlock::kLids);
    }
  });
  step(7, [this](bool head, std::uint32_t index) {
    if (!head) {
      const LaneRow& row = lane(index, 0);
      if (row.solo != kNone) prefetch(&packets_[row.solo]);
      return;
    }
    const Packet& packet = packets_[index];
    if (packet.has(Packet::at_source)) return;
    if (packet.has(Packet::to_hca)) return prefetch(&qps_[messages_[packet.message].qp]);
    const NodeRow& node = nodes_[packet.next];
    const std::uint32_t output = node.first_port + LftRow::entry(node.lft, lft_pool_, packet.dlid) - 1;
    if (output >= ports_.size()) return;
    prefetch(&ports_[output]);
    prefetch(&lanes_[std::size_t{output} * lane_stride_]);
    prefetch(&lanes_[std::size_t{output} * lane_stride_].credit);
  });
  step(3, [this](bool head, std::uint32_t index) {
    if (head) return;
    const LaneRow& row = lane(index, 0);
    if (row.solo == kNone || ports_[index].hca != kNone) return;
    const Packet& packet = packets_[row.solo];
    prefetch(&lane(packet.in_link, packet.vl).credit);
  });
}

}  // namespace weft
