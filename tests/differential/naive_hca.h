// The naive simulator's receiving end: sequence, placement, completion and ACK.
#pragma once

#include "tests/differential/naive_send.h"

namespace weft::test {

class NaiveHcas : public NaiveSenders {
 public:
  std::map<std::uint64_t, Ticks> delivered, sent;  // by tag
  std::map<std::uint64_t, Parts> parts;
  std::map<NodeIndex, std::uint64_t> out_of_sequence;

  NaiveHcas(const Rig& rig, const RandomFabric& fabric, NaiveClock& clock, NaiveFabric& wires)
      : NaiveSenders(rig, fabric, clock, wires), stalls_(fabric.stalls) {
    wires.on_arrival = [this](NodeIndex node, const NaivePacket& packet) {
      arrive(rig_.topology.nodes[node].host, packet);
    };
  }

 private:
  void arrive(std::uint32_t h, const NaivePacket& packet) {
    const Ticks processed = packet.tail + hca_.receive_pipeline.count();
    const Ticks visible = hca_.write_latency.count() + hca_.completion.count();
    if (packet.ack) {
      wires_.give_credit(packet, packet.tail);
      auto& open = messages_[packet.post].qp->to_complete;
      for (; !open.empty() && open.front().first <= packet.psn; open.pop_front())
        clock_.at(processed + visible, NaiveClock::Step::other,
                  [this, tag = messages_[open.front().second].is.tag] { sent[tag] = clock_.now(); });
      return;
    }
    QueuePair& qp = *messages_[packet.post].qp;
    if (packet.psn != qp.expected) {  // one before it was lost
      ++out_of_sequence[adapters_[h].node];
      return wires_.give_credit(packet, packet.tail);
    }
    ++qp.expected;
    Adapter& adapter = adapters_[h];
    Ticks start = std::max(processed, adapter.placed);
    while (const auto* stall = stall_at(h, start)) start = stall->until;
    if (start == kNeverTicks) {
      adapter.placed = kNeverTicks;  // nor is anything behind it
      return;
    }
    // Placements of an adapter end at different instants.
    const Ticks placed = std::max(start + pcie_.time_for(packet.payload).count(), adapter.placed + 1);
    adapter.placed = placed;
    wires_.give_credit(packet, placed);
    const Message& m = messages_[packet.post].is;
    if (packet.last) {
      Parts& total = parts[m.tag] = messages_[packet.post].parts;
      for (std::size_t p = 0; p < kParts; ++p) total.ticks[p] += packet.flight.ticks[p];
      total[Part::pipeline] += hca_.receive_pipeline.count();
      total[Part::pcie] += placed - processed + hca_.write_latency.count();
      total[Part::host] += hca_.completion.count();
      clock_.at(placed + visible, NaiveClock::Step::other,
                [this, tag = m.tag] { delivered[tag] = clock_.now(); });
    }
    if (packet.wants_ack) acknowledge(adapter, packet, placed);
  }

  const RandomFabric::Stall* stall_at(std::uint32_t h, Ticks time) const {
    for (const auto& stall : stalls_)
      if (stall.endpoint == h && time >= stall.from && time < stall.until) return &stall;
    return nullptr;
  }

  void acknowledge(const Adapter& adapter, const NaivePacket& request, Ticks at) {
    const Message& m = messages_[request.post].is;
    NaivePacket ack;
    ack.ack = true;
    ack.psn = request.psn;
    ack.post = request.post;
    ack.sl = request.sl;
    ack.to = adapters_[m.source].node;
    ack.wire = 30;
    ack.tail = at;
    clock_.at(at, NaiveClock::Step::other, [this, node = adapter.node, vl = vl_of(m), ack] {
      wires_.enqueue({node, 1}, vl, 0, ack);
    });
  }

  std::vector<RandomFabric::Stall> stalls_;
};

}  // namespace weft::test
