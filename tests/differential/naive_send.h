// The naive simulator's sending end: post, doorbell, turns of the queue pairs, gate, fetch. Between two
// instants every message whose last packet has not left its source has the time added to what it is waiting
// for.
#pragma once

#include "tests/differential/naive_fabric.h"

namespace weft::test {

class NaiveSenders {
 public:
  NaiveSenders(const Rig& rig, const RandomFabric& fabric, NaiveClock& clock, NaiveFabric& wires)
      : rig_(rig),
        hca_(rig.devices.hcas.at("hca")),
        pcie_(picoseconds_per_byte(hca_.pcie_rate)),
        clock_(clock),
        wires_(wires),
        messages_(fabric.posts.size()),
        adapters_(fabric.hosts) {
    for (NodeIndex n = 0; n < rig.topology.nodes.size(); ++n)
      if (naive_is_host(rig, n)) adapters_[rig.topology.nodes[n].host].node = n;
    for (Adapter& adapter : adapters_) adapter.lines.resize(rig.settings.data_vls);
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      messages_[i].is = fabric.posts[i].message;
      clock.at(fabric.posts[i].at, NaiveClock::Step::other, [this, i] { post(i); });
    }
    wires.on_departure = [this](NodeIndex node, unsigned vl, const NaivePacket& packet, Ticks tail_out) {
      depart(rig_.topology.nodes[node].host, vl, packet, tail_out);
    };
  }

  /// Nothing changes for `span` ticks from now on.
  void integrate(Ticks span) {
    for (const std::size_t i : at_source_) messages_[i].parts[waits_for(messages_[i])] += span;
  }

 protected:
  /// A packet between its turn and its start on the wire.
  struct Staged {
    Ticks issue = 0, fetched = 0, ready = 0;
  };
  struct QueuePair {
    std::size_t number = 0;
    std::deque<std::size_t> messages;  // with packets to be staged
    bool in_line = false;              // in the ring or before the gate
    Ticks gate_opens = 0;
    Part gate_is = Part::congestion;
    unsigned turn = 0, unacknowledged = 0;                          // packets
    std::uint64_t psn = 0, expected = 0;                            // of the next packet, at either end
    std::deque<std::pair<std::uint64_t, std::size_t>> to_complete;  // messages by their last PSN
  };
  struct Outgoing {
    Message is;
    QueuePair* qp = nullptr;
    Ticks taken = 0, seen = 0;  // by the software, by the adapter
    std::uint64_t staged_bytes = 0;
    std::deque<Staged> staged;
    Ticks started = 0;
    Ticks wire_until = 0;  // its packet is on the wire till then
    Parts parts;
  };
  struct Line {
    std::deque<QueuePair*> ring;
    std::uint64_t staged = 0;  // wire bytes
    Ticks last_ready = -1;
  };
  struct Adapter {
    NodeIndex node = 0;
    Ticks cpu_free = 0, fetch_free = 0, card_free = 0, placed = 0;
    std::map<std::tuple<std::uint32_t, unsigned, std::uint32_t>, QueuePair> pairs;
    std::vector<QueuePair*> gated;
    std::vector<Line> lines;
  };

  unsigned vl_of(const Message& m) const { return m.sl % rig_.settings.data_vls; }

  const Rig& rig_;
  const HcaProfile& hca_;
  PicosecondsPerByte pcie_;
  NaiveClock& clock_;
  NaiveFabric& wires_;
  std::vector<Outgoing> messages_;  // by post
  std::vector<Adapter> adapters_;

 private:
  Part waits_for(const Outgoing& m) {
    const Ticks now = clock_.now();
    if (now < m.taken) return Part::host;
    if (now < m.seen) return Part::pcie;
    if (now < m.wire_until) return Part::serialisation;
    if (m.staged.empty() && now < m.qp->gate_opens) return m.qp->gate_is;
    if (!m.staged.empty() && now < m.staged.front().ready) {
      const Staged& packet = m.staged.front();
      if (now < packet.issue) return Part::arbitration;
      if (now < packet.fetched) return Part::pcie;
      if (now < packet.fetched + hca_.send_pipeline.count()) return Part::pipeline;
      return Part::arbitration;  // its place behind another
    }
    const NodeIndex node = adapters_[m.is.source].node;
    return wires_.output({node, 1}).lanes[vl_of(m.is)].stalled() ? Part::credit : Part::arbitration;
  }

  void post(std::size_t index) {
    Outgoing& m = messages_[index];
    Adapter& adapter = adapters_[m.is.source];
    const auto pairs = adapter.pairs.size();
    m.qp = &adapter.pairs[{m.is.destination, m.is.sl, m.is.flow}];
    if (adapter.pairs.size() > pairs) m.qp->number = pairs_++;
    adapter.cpu_free = std::max(adapter.cpu_free, clock_.now()) + hca_.post.count();
    m.taken = adapter.cpu_free;
    m.seen = m.taken + hca_.doorbell.count();
    at_source_.insert(index);
    clock_.mark(m.taken);
    to_see_[{m.is.source, m.seen}].push_back(index);
    clock_.at(m.seen, NaiveClock::Step::doorbell, [this, h = m.is.source] { doorbell(h); });
  }

  void doorbell(std::uint32_t h) {
    std::set<unsigned> touched;
    for (const std::size_t index : std::exchange(to_see_[{h, clock_.now()}], {})) {
      Outgoing& m = messages_[index];
      m.qp->messages.push_back(index);
      if (!m.qp->in_line) line_up(h, *m.qp);
      touched.insert(vl_of(m.is));
    }
    for (const unsigned vl : touched) stage(h, vl);
  }

  /// A queue pair with something to send goes into the ring, or before the gate.
  void line_up(std::uint32_t h, QueuePair& qp) {
    qp.in_line = true;
    qp.turn = 0;
    if (qp.gate_opens <= clock_.now()) {
      adapters_[h].lines[vl_of(messages_[qp.messages.front()].is)].ring.push_back(&qp);
      return;
    }
    adapters_[h].gated.push_back(&qp);
    clock_.at(qp.gate_opens, NaiveClock::Step::gate, [this, h] { open_gates(h); });
  }

  void open_gates(std::uint32_t h) {
    auto& gated = adapters_[h].gated;
    const auto open = std::stable_partition(gated.begin(), gated.end(),
                                            [&](const auto* qp) { return qp->gate_opens > clock_.now(); });
    std::vector<QueuePair*> free(open, gated.end());
    gated.erase(open, gated.end());
    std::sort(free.begin(), free.end(), [](const auto* a, const auto* b) { return a->number < b->number; });
    std::set<unsigned> touched;
    for (QueuePair* qp : free) {
      line_up(h, *qp);
      touched.insert(vl_of(messages_[qp->messages.front()].is));
    }
    for (const unsigned vl : touched) stage(h, vl);
  }

  /// Has packets fetched for the wire, in turns of the queue pairs, while less than `prefetch` is staged.
  void stage(std::uint32_t h, unsigned vl) {
    Line& line = adapters_[h].lines[vl];
    while (!line.ring.empty() && (line.staged == 0 || line.staged < hca_.prefetch.count)) {
      QueuePair& qp = *line.ring.front();
      const bool gated = qp.gate_opens > clock_.now();
      if (!gated) {
        stage_packet(h, line, qp);
        ++qp.turn;
      }
      if (qp.messages.empty() || gated || qp.turn >= hca_.qp_quantum || qp.gate_opens > clock_.now()) {
        line.ring.pop_front();
        qp.in_line = false;
        if (!qp.messages.empty()) line_up(h, qp);
      }
    }
  }

  void stage_packet(std::uint32_t h, Line& line, QueuePair& qp) {
    const Ticks now = clock_.now();
    Adapter& adapter = adapters_[h];
    const std::size_t index = qp.messages.front();
    Outgoing& m = messages_[index];
    const bool first = m.staged_bytes == 0;
    const std::uint64_t payload = std::min<std::uint64_t>(rig_.settings.mtu, m.is.bytes - m.staged_bytes);
    Staged staged;
    staged.issue = first ? std::max(now, adapter.card_free) : now;
    if (first) {
      m.started = staged.issue;
      adapter.card_free = staged.issue + gap(hca_.card_message_rate);
    }
    staged.fetched = staged.issue;
    if (m.is.bytes > hca_.inline_limit.count) {
      adapter.fetch_free = std::max(staged.issue + hca_.fetch_latency.count(), adapter.fetch_free) +
                           pcie_.time_for(payload).count();
      staged.fetched = adapter.fetch_free;
    }
    staged.ready = staged.fetched + hca_.send_pipeline.count();
    if (line.last_ready >= now) staged.ready = std::max(staged.ready, line.last_ready + 1);
    m.staged.push_back(staged);
    for (const Ticks corner : {staged.issue, staged.fetched, staged.fetched + hca_.send_pipeline.count()})
      clock_.mark(std::max(now, corner));

    NaivePacket packet;
    packet.post = index;
    packet.sl = m.is.sl;
    packet.to = adapters_[m.is.destination].node;
    packet.payload = payload;
    packet.wire = 26 + (payload + 3) / 4 * 4;
    packet.tail = staged.ready;
    packet.psn = qp.psn++;
    m.staged_bytes += payload;
    packet.last = m.staged_bytes == m.is.bytes;
    ++qp.unacknowledged;
    packet.wants_ack = packet.last || (hca_.ack_every > 0 && qp.unacknowledged >= hca_.ack_every);
    if (packet.wants_ack) qp.unacknowledged = 0;
    if (packet.last) {
      qp.messages.pop_front();
      qp.to_complete.emplace_back(packet.psn, index);
      if (hca_.qp_message_rate > 0) close_gate(qp, m.started + gap(hca_.qp_message_rate), Part::pipeline);
    }
    if (m.is.static_rate.num > 0)
      close_gate(qp, std::max(qp.gate_opens, now) + m.is.static_rate.time_for(packet.wire).count(),
                 Part::congestion);
    line.staged += packet.wire;
    const auto enqueue = [this, node = adapter.node, vl = vl_of(m.is), packet] {
      wires_.enqueue({node, 1}, vl, 1, packet);
    };
    if (staged.ready <= now) return enqueue();
    line.last_ready = staged.ready;
    clock_.at(staged.ready, NaiveClock::Step::other, enqueue);
  }

  static Ticks gap(std::uint64_t per_second) {
    return per_second == 0 ? 0 : static_cast<Ticks>((1'000'000'000'000 + per_second - 1) / per_second);
  }

  static void close_gate(QueuePair& qp, Ticks until, Part why) {
    if (until <= qp.gate_opens) return;
    qp.gate_opens = until;
    qp.gate_is = why;
  }

  void depart(std::uint32_t h, unsigned vl, const NaivePacket& packet, Ticks tail_out) {
    Outgoing& m = messages_[packet.post];
    m.staged.pop_front();
    m.wire_until = tail_out;
    if (packet.last) at_source_.erase(packet.post);
    adapters_[h].lines[vl].staged -= packet.wire;
    stage(h, vl);
  }

  std::set<std::size_t> at_source_;
  std::size_t pairs_ = 0;
  std::map<std::pair<std::uint32_t, Ticks>, std::vector<std::size_t>> to_see_;  // at each doorbell
};

}  // namespace weft::test
