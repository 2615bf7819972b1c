// The naive simulator's wires and switches: a deque per (output, lane, input), a CREDIT event per packet, and
// at every instant an attempt at every output. Waits are integrated: between two instants every packet in a
// queue, every lane and every port has the time added to what it is waiting for.
#pragma once

#include "tests/differential/naive_link.h"
#include "tests/differential/naive_vl_tables.h"

namespace weft::test {

class NaiveFabric {
 public:
  struct Lane {
    std::uint64_t credit = 0;
    std::map<unsigned, std::deque<NaivePacket>> queues;  // by input; empty ones are erased
    unsigned next = 0;                                   // round robin: first input to consider
    int candidate = -1;
    bool short_of_credit = false;  // its turn has come, on a free wire, and its candidate does not fit
    std::uint64_t gathered = 0;    // blocks freed at the far end and not told yet
    Ticks gathered_by = 0;
    std::set<Ticks> told_at;  // under an update timer
    Ticks credit_wait = 0;
    std::uint64_t xmit_bytes = 0, xmit_packets = 0;
    bool stalled() const {
      return short_of_credit && queues.at(static_cast<unsigned>(candidate)).front().blocks() > credit;
    }
  };
  struct Output {
    bool down = false;
    unsigned downed = 0;  // times
    NodeIndex peer = 0;
    unsigned peer_port = 0;
    NaiveLink link;
    Ticks exact = 0, busy = 0;  // the wire is taken until exact / link.den; busy is that in whole ps
    Ticks updates = 0;          // flow-control packets to slip in
    std::size_t waiting = 0;    // packets
    std::vector<Lane> lanes;
    NaiveVlTables tables;
    std::vector<Ticks> reads;  // of the input of the same number: ends of those under way
    Ticks xmit_wait = 0;
    std::uint64_t rcv_bytes = 0, rcv_packets = 0, rcv_errors = 0;
    bool free_at(Ticks now) const { return !down && busy <= now; }
  };

  /// A head has come to an adapter.
  std::function<void(NodeIndex, const NaivePacket&)> on_arrival;
  /// A packet starts from its adapter; its last byte leaves at the time given.
  std::function<void(NodeIndex, unsigned vl, const NaivePacket&, Ticks)> on_departure;

  NaiveFabric(const Rig& rig, const RandomFabric& fabric, NaiveClock& clock)
      : rig_(rig),
        switch_(rig.devices.switches.at("sw")),
        clock_(clock),
        vls_(rig.settings.data_vls),
        outputs_(rig.topology.nodes.size()),
        cabled_(outputs_.size()) {
    for (NodeIndex n = 0; n < outputs_.size(); ++n)
      for (const Port& port : rig.topology.nodes[n].ports) {
        Output& out = outputs_[n].emplace_back();
        out.lanes.resize(vls_);
        if (port.cable == kNone) continue;
        cabled_[n].push_back(static_cast<unsigned>(outputs_[n].size()));
        out.peer = port.peer_node;
        out.peer_port = port.peer_port;
        out.link = naive_link(rig, n, out.peer, rig.topology.cables[port.cable].link);
        const Bytes buffer =
            naive_is_host(rig, out.peer) ? rig.devices.hcas.at("hca").buffer : switch_.buffer;
        for (Lane& lane : out.lanes) lane.credit = std::min<std::uint64_t>(2048, buffer.count / 64);
      }
    for (const auto& change : fabric.changes)
      clock.at(change.at, NaiveClock::Step::link, [this, change] {
        const Cable& cable = rig_.topology.cables[change.cable];
        change_link(cable.a, cable.b, change);
        change_link(cable.b, cable.a, change);
      });
  }

  const std::vector<std::vector<Output>>& outputs() const { return outputs_; }
  Output& output(NaivePort port) { return outputs_[port.first][port.second - 1]; }

  /// Nothing changes for `span` ticks from now on.
  void integrate(Ticks span) {
    for (NodeIndex n = 0; n < outputs_.size(); ++n)
      for (const unsigned port : cabled_[n]) {
        Output& out = output({n, port});
        if (out.waiting == 0) continue;
        if (out.free_at(clock_.now())) out.xmit_wait += span;
        for (Lane& lane : out.lanes) {
          if (lane.queues.empty()) continue;
          const bool stalled = lane.stalled();
          if (stalled) lane.credit_wait += span;
          for (auto& [input, queue] : lane.queues)
            for (NaivePacket& packet : queue)
              packet.flight[stalled ? Part::credit : Part::arbitration] += span;
        }
      }
  }

  void enqueue(NaivePort port, unsigned vl, unsigned input, NaivePacket packet) {
    packet.came = clock_.now();
    packet.input = input;
    ++output(port).waiting;
    auto& queues = output(port).lanes[vl].queues;
    if (!is_fifo(port.first)) return queues[input].push_back(packet);
    auto& queue = queues[0];  // in order of arrival, of one instant by input
    const auto later = [&](const NaivePacket& p) {
      return std::pair(p.came, p.input) > std::pair(packet.came, packet.input);
    };
    queue.insert(std::find_if(queue.begin(), queue.end(), later), packet);
  }

  /// The buffer space of `packet` will be free at `freed`.
  void give_credit(const NaivePacket& packet, Ticks freed) {
    if (!packet.link) return;
    Output& out = output(*packet.link);
    Lane& lane = out.lanes[packet.vl];
    lane.gathered += packet.blocks();
    lane.gathered_by = std::max(lane.gathered_by, freed);
    if (lane.gathered < out.link.update_threshold) return;
    const std::uint64_t blocks = std::exchange(lane.gathered, 0);
    Ticks told = std::exchange(lane.gathered_by, 0);
    if (const Ticks period = out.link.update_period; period > 0) told = (told + period - 1) / period * period;
    told += out.link.credit_delay;
    if (out.link.update_period == 0 || lane.told_at.insert(told).second)
      updates_.push_back({out.peer, out.peer_port});
    const NaivePort link = *packet.link;
    const unsigned vl = packet.vl;
    clock_.at(told, NaiveClock::Step::other,
              [this, link, vl, blocks] { output(link).lanes[vl].credit += blocks; });
  }

  /// The end of an instant: every output that is free starts a packet if it can.
  void arbitrate() {
    const std::uint64_t turn = mix64(static_cast<std::uint64_t>(clock_.now()));
    for (NodeIndex n = 0; n < outputs_.size(); ++n) {
      // In a switch the port that is first moves on with time.
      const std::size_t first = outputs_[n].size() - turn % outputs_[n].size() + 1;
      std::vector<unsigned>& ports = cabled_[n];
      std::rotate(ports.begin(), std::min_element(ports.begin(), ports.end()), ports.end());
      std::rotate(ports.begin(), std::lower_bound(ports.begin(), ports.end(), first), ports.end());
      for (const unsigned port : ports) {
        Output& out = output({n, port});
        if (out.waiting > 0 && out.free_at(clock_.now())) attempt({n, port}, out);
      }
    }
    for (const NaivePort& port : updates_) ++output(port).updates;
    updates_.clear();
  }

 private:
  void change_link(PortRef from, PortRef to, const RandomFabric::LinkChange& change) {
    using Change = RandomFabric::LinkChange;
    Output& out = output({from.node, from.port});
    if (change.kind == Change::down && !out.down) {
      out.down = true;
      ++out.downed;
    }
    if (change.kind == Change::up && out.down) {
      out.down = false;
      out.busy = std::max(out.busy, clock_.now());
    }
    if (change.kind == Change::rate) out.link = naive_link(rig_, from.node, to.node, change.link);
    // A change counts from a packet boundary.
    if (change.kind != Change::down) out.exact = std::max(out.busy, clock_.now()) * out.link.den;
  }

  bool is_fifo(NodeIndex n) const {
    return !naive_is_host(rig_, n) && switch_.queueing == Queueing::output_fifo;
  }

  /// Whether one more packet can be read from an input of a switch.
  bool can_read(NodeIndex n, unsigned input) {
    const std::uint32_t limit = switch_.read_speedup;
    if (naive_is_host(rig_, n) || limit == 0) return true;
    auto& reads = outputs_[n][input].reads;
    std::erase_if(reads, [&](Ticks end) { return end <= clock_.now(); });
    return reads.size() < limit;
  }

  void attempt(NaivePort port, Output& out) {
    std::map<unsigned, std::uint64_t> able;  // lane -> wire bytes of the packet that can start
    for (unsigned vl = 0; vl < vls_; ++vl) {
      Lane& lane = out.lanes[vl];
      if (lane.queues.empty()) continue;
      if (lane.candidate < 0) {
        std::vector<unsigned> turns;
        for (const auto& [input, queue] : lane.queues)
          if (can_read(port.first, input)) turns.push_back(input);
        if (turns.empty()) continue;
        const auto chosen = std::lower_bound(turns.begin(), turns.end(), lane.next);
        lane.candidate = static_cast<int>(chosen == turns.end() ? turns.front() : *chosen);
      }
      const auto input = static_cast<unsigned>(lane.candidate);
      if (!can_read(port.first, input)) continue;
      const NaivePacket& packet = lane.queues.at(input).front();
      if (packet.blocks() <= lane.credit)
        able[vl] = packet.wire;
      else
        lane.short_of_credit = true;
    }
    if (able.empty()) return;
    const bool ignores_limit = !naive_is_host(rig_, port.first) && switch_.ignores_vl_high_limit;
    start(port, out, vls_ == 1 ? 0 : out.tables.choose(rig_.settings.arbitration, vls_, ignores_limit, able));
  }

  void start(NaivePort port, Output& out, unsigned vl) {
    const Ticks now = clock_.now();
    Lane& lane = out.lanes[vl];
    const auto input = static_cast<unsigned>(lane.candidate);
    NaivePacket packet = lane.queues[input].front();
    lane.queues[input].pop_front();
    if (lane.queues[input].empty()) lane.queues.erase(input);
    --out.waiting;
    lane.candidate = -1;
    lane.short_of_credit = false;
    lane.next = input + 1;
    lane.credit -= packet.blocks();
    lane.xmit_bytes += packet.wire;
    ++lane.xmit_packets;

    const NaiveLink& link = out.link;
    const Ticks updates = std::exchange(out.updates, 0);
    const bool at_once = out.busy == now;
    if (!at_once) out.exact = now * link.den;
    out.exact += static_cast<Ticks>(packet.wire) * link.num;
    out.exact = std::max(out.exact, packet.tail * link.den);
    const Ticks tail_out = out.exact / link.den;
    if (at_once) out.exact += updates * link.update_bytes * link.num;
    out.busy = out.exact / link.den;
    clock_.mark(tail_out);
    clock_.mark(out.busy);
    if (packet.link) outputs_[port.first][input].reads.push_back(tail_out);
    give_credit(packet, tail_out);

    const bool from_source = !packet.link;
    if (from_source) packet.flight = {};
    packet.flight[Part::propagation] += link.propagation;
    packet.flight[Part::pipeline] += link.pipeline;
    packet.flight[Part::serialisation] = tail_out - now;  // of the last link, in the end
    packet.tail = tail_out + link.propagation + link.pipeline;
    packet.link = port;
    packet.vl = vl;
    packet.epoch = out.downed;
    const NaivePort far{out.peer, out.peer_port};
    clock_.at(now + link.propagation + link.pipeline, NaiveClock::Step::other,
              [this, far, packet] { arrive(far, packet); });
    if (from_source && !packet.ack) on_departure(port.first, vl, packet, tail_out);
  }

  void arrive(NaivePort at, const NaivePacket& packet) {
    Output& in = output(at);
    in.rcv_bytes += packet.wire;
    ++in.rcv_packets;
    if (packet.epoch != output(*packet.link).downed) {  // it was on the wire when the link went down
      ++in.rcv_errors;
      return give_credit(packet, packet.tail);
    }
    if (naive_is_host(rig_, at.first)) return on_arrival(at.first, packet);
    const Lid lid = rig_.topology.nodes[packet.to].port(1).lid;
    enqueue({at.first, rig_.routes.lft[at.first][lid]}, packet.sl % vls_, at.second - 1, packet);
  }

  const Rig& rig_;
  const SwitchProfile& switch_;
  NaiveClock& clock_;
  unsigned vls_;
  std::vector<std::vector<Output>> outputs_;   // by node and port
  std::vector<std::vector<unsigned>> cabled_;  // ports, by node
  std::vector<NaivePort> updates_;             // ports that owe a flow-control packet as of this instant
};

}  // namespace weft::test
