// A slow simulator of the packet engine's rules that shares nothing with it but the description of the
// fabric: an ordered map of events, a CREDIT event per packet, a deque per (output, lane, input), and at
// every instant an attempt at every output. Left out: adapter costs, credit update policies, read speedup,
// output queues, mishaps, and rates at which a byte takes no whole number of picoseconds.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/fabric_random.h"

namespace weft::test {

class Naive {
 public:
  struct Result {
    std::map<std::uint64_t, Ticks> delivered, sent;  // by tag
    std::map<std::pair<NodeIndex, unsigned>, Ticks> xmit_wait;
  };

  Naive(const Rig& rig, const RandomFabric& fabric)
      : rig_(rig), posts_(fabric.posts), vls_(rig.settings.data_vls) {
    for (NodeIndex n = 0; n < rig.topology.nodes.size(); ++n)
      for (unsigned p = 1; p <= rig.topology.nodes[n].ports.size(); ++p) build_output(n, p);
    for (NodeIndex n = 0; n < rig.topology.nodes.size(); ++n)
      if (is_host(n)) host_node_[rig.topology.nodes[n].host] = n;
    for (std::size_t i = 0; i < posts_.size(); ++i) at(posts_[i].at, Step::post, [this, i] { post(i); });
  }

  Result run() {
    while (!events_.empty()) {
      const Ticks time = std::get<0>(events_.begin()->first);
      for (auto& [key, out] : outputs_)
        if (out.waiting() > 0 && out.busy <= now_) result_.xmit_wait[key] += time - now_;
      now_ = time;
      while (!events_.empty() && std::get<0>(events_.begin()->first) == now_) {
        const auto action = events_.begin()->second;
        events_.erase(events_.begin());
        action();
      }
      for (const auto& [node, vl] : to_stage_) stage(node, vl);
      to_stage_.clear();
      for (auto& [key, out] : outputs_)
        if (out.waiting() > 0 && out.busy <= now_) arbitrate(key, out);
    }
    return result_;
  }

 private:
  enum class Step { post, head, credit, free };
  struct Packet {
    bool ack = false, last = false;
    std::size_t post = 0;
    unsigned sl = 0;
    NodeIndex to = 0;
    std::uint64_t wire = 0;
    Ticks tail = 0;
    // The link and lane whose buffer it is in; none at its source.
    bool from_link = false;
    std::pair<NodeIndex, unsigned> link{};
    unsigned vl = 0;
    std::uint64_t blocks() const { return (wire + 63) / 64; }
  };
  struct Lane {
    std::uint64_t credit = 0;
    std::map<unsigned, std::deque<Packet>> queues;  // by input; empty ones are erased
    unsigned next = 0;                              // round robin: first input to consider
    int candidate = -1;
  };
  struct Table {
    int at = -1;
    std::int64_t left = 0;
  };
  struct Output {
    NodeIndex peer = 0;
    unsigned peer_port = 0, inputs = 0;
    Ticks per_byte = 0, propagation = 0, pipeline = 0, credit_delay = 0, busy = 0;
    std::vector<Lane> lanes;
    Table high, low;
    std::uint64_t high_bytes = 0;
    std::size_t waiting() const {
      std::size_t n = 0;
      for (const Lane& l : lanes)
        for (const auto& [input, queue] : l.queues) n += queue.size();
      return n;
    }
  };
  struct QueuePair {
    std::deque<std::size_t> messages;
    std::uint64_t staged = 0;  // payload of the first
  };
  struct Send {
    std::deque<std::tuple<std::uint32_t, unsigned, std::uint32_t>> ring;  // queue pairs in turn
    std::uint64_t staged = 0;
  };

  bool is_host(NodeIndex n) const { return rig_.topology.nodes[n].kind == NodeKind::hca; }

  void build_output(NodeIndex n, unsigned p) {
    const Port& port = rig_.topology.nodes[n].port(p);
    if (port.cable == kNone) return;
    const LinkSpec& link = rig_.topology.cables[port.cable].link;
    Output out;
    out.peer = port.peer_node;
    out.peer_port = port.peer_port;
    out.inputs =
        is_host(n) ? 2 : static_cast<unsigned>(std::max<std::size_t>(2, rig_.topology.nodes[n].ports.size()));
    const Ratio bits = data_rate(link).bits_per_second;
    out.per_byte = static_cast<Ticks>(8'000'000'000'000 / (bits.num / bits.den));
    out.propagation = link.length->micrometres * 5 / 1000;  // 5 ns a metre
    const SwitchProfile& sw = rig_.devices.switches.at("sw");
    const HcaProfile& hca = rig_.devices.hcas.at("hca");
    out.pipeline = is_host(out.peer) ? 0 : sw.port_to_port.count();
    out.credit_delay = out.propagation + (is_host(out.peer) ? hca : HcaProfile{}).credit_processing.count() +
                       (is_host(out.peer) ? SwitchProfile{} : sw).credit_processing.count();
    out.lanes.resize(vls_);
    for (Lane& lane : out.lanes)
      lane.credit = std::min<std::uint64_t>(2048, (is_host(out.peer) ? hca.buffer : sw.buffer).count / 64);
    outputs_[{n, p}] = std::move(out);
  }

  void at(Ticks time, Step step, std::function<void()> action) {
    events_[{time, step, serial_++}] = std::move(action);
  }

  void post(std::size_t index) {
    const Message& m = posts_[index].message;
    const NodeIndex node = host_node_.at(m.source);
    const auto qp = std::tuple(m.destination, unsigned{m.sl}, m.flow);
    QueuePair& pair = pairs_[{node, qp}];
    pair.messages.push_back(index);
    Send& send = sends_[{node, m.sl % vls_}];
    if (std::find(send.ring.begin(), send.ring.end(), qp) == send.ring.end()) send.ring.push_back(qp);
    to_stage_.insert({node, m.sl % vls_});
  }

  /// Moves packets to the wire's queue, a queue pair at a time, while less than 4 KiB wait there.
  void stage(NodeIndex node, unsigned vl) {
    Send& send = sends_[{node, vl}];
    while (!send.ring.empty() && (send.staged == 0 || send.staged < 4096)) {
      const auto qp = send.ring.front();
      send.ring.pop_front();
      QueuePair& pair = pairs_[{node, qp}];
      const Message& m = posts_[pair.messages.front()].message;
      const std::uint64_t payload = std::min<std::uint64_t>(rig_.settings.mtu, m.bytes - pair.staged);
      Packet packet;
      packet.post = pair.messages.front();
      packet.sl = m.sl;
      packet.to = host_node_.at(m.destination);
      packet.wire = 26 + (payload + 3) / 4 * 4;
      packet.tail = now_;
      pair.staged += payload;
      packet.last = pair.staged == m.bytes;
      if (packet.last) {
        pair.messages.pop_front();
        pair.staged = 0;
      }
      if (!pair.messages.empty()) send.ring.push_back(qp);
      send.staged += packet.wire;
      outputs_.at({node, 1}).lanes[vl].queues[1].push_back(packet);
    }
  }

  void arrive(NodeIndex node, unsigned input, const Packet& packet) {
    if (!is_host(node)) {
      const Lid lid = rig_.topology.nodes[packet.to].port(1).lid;
      const unsigned port = rig_.routes.lft[node][lid];
      outputs_.at({node, port}).lanes[packet.sl % vls_].queues[input - 1].push_back(packet);
      return;
    }
    give_credit(packet, packet.tail);
    if (packet.ack) {
      at(packet.tail, Step::free, [this, packet] { result_.sent[posts_[packet.post].message.tag] = now_; });
      return;
    }
    if (!packet.last) return;
    at(packet.tail, Step::free,
       [this, packet] { result_.delivered[posts_[packet.post].message.tag] = now_; });
    Packet ack;
    ack.ack = true;
    ack.post = packet.post;
    ack.sl = packet.sl;
    ack.to = host_node_.at(posts_[packet.post].message.source);
    ack.wire = 30;
    ack.tail = packet.tail;
    at(packet.tail, Step::head, [this, node, ack] {
      outputs_.at({node, 1}).lanes[ack.sl % vls_].queues[0].push_back(ack);
    });
  }

  void give_credit(const Packet& packet, Ticks freed) {
    if (!packet.from_link) return;
    const auto link = packet.link;
    const unsigned vl = packet.vl;
    const std::uint64_t blocks = packet.blocks();
    at(freed + outputs_.at(link).credit_delay, Step::credit,
       [this, link, vl, blocks] { outputs_.at(link).lanes[vl].credit += blocks; });
  }

  void arbitrate(const std::pair<NodeIndex, unsigned>& key, Output& out) {
    std::map<unsigned, std::uint64_t> able;  // lane -> wire bytes of the packet that can start
    for (unsigned vl = 0; vl < vls_; ++vl) {
      Lane& lane = out.lanes[vl];
      if (lane.queues.empty()) continue;
      if (lane.candidate < 0) {
        auto chosen = lane.queues.lower_bound(lane.next);
        if (chosen == lane.queues.end()) chosen = lane.queues.begin();
        lane.candidate = static_cast<int>(chosen->first);
      }
      const Packet& packet = lane.queues.at(static_cast<unsigned>(lane.candidate)).front();
      if (packet.blocks() <= lane.credit) able[vl] = packet.wire;
    }
    if (able.empty()) return;
    const unsigned vl = vls_ == 1 ? 0 : choose(out, able);
    Lane& lane = out.lanes[vl];
    const auto input = static_cast<unsigned>(lane.candidate);
    Packet packet = lane.queues[input].front();
    lane.queues[input].pop_front();
    if (lane.queues[input].empty()) lane.queues.erase(input);
    lane.candidate = -1;
    lane.next = (input + 1) % out.inputs;
    lane.credit -= packet.blocks();
    const Ticks tail_out = std::max(now_ + static_cast<Ticks>(packet.wire) * out.per_byte, packet.tail);
    out.busy = tail_out;
    at(tail_out, Step::free, [] {});
    give_credit(packet, tail_out);
    const bool request = !packet.from_link && !packet.ack;
    const Ticks delay = out.propagation + out.pipeline;
    packet.tail = tail_out + delay;
    packet.from_link = true;
    packet.link = key;
    packet.vl = vl;
    const NodeIndex peer = out.peer;
    const unsigned peer_port = out.peer_port;
    at(now_ + delay, Step::head, [this, peer, peer_port, packet] { arrive(peer, peer_port, packet); });
    if (request) {
      sends_[{key.first, vl}].staged -= packet.wire;
      stage(key.first, vl);
    }
  }

  int serve(const std::vector<VlWeight>& entries, Table& table,
            const std::map<unsigned, std::uint64_t>& able) {
    const auto n = static_cast<int>(entries.size());
    const auto can = [&](int i) { return entries[i].weight > 0 && able.contains(entries[i].vl); };
    if (!(table.at >= 0 && table.left > 0 && can(table.at))) {
      int found = -1;
      for (int step = 1; step <= n && found < 0; ++step)
        if (const int i = (table.at + step) % n; can(i)) found = i;
      if (found < 0) return -1;
      table.at = found;
      table.left = entries[found].weight;
    }
    table.left -= static_cast<std::int64_t>((able.at(entries[table.at].vl) + 63) / 64);
    return entries[table.at].vl;
  }

  unsigned choose(Output& out, const std::map<unsigned, std::uint64_t>& able) {
    VlArbTables tables = rig_.settings.arbitration;
    if (tables.high.empty() && tables.low.empty())
      for (unsigned vl = 0; vl < vls_; ++vl) tables.low.push_back({static_cast<std::uint8_t>(vl), 1});
    bool low_has_one = false;
    for (const VlWeight& e : tables.low) low_has_one = low_has_one || (e.weight > 0 && able.contains(e.vl));
    const bool spent =
        tables.high_limit != 255 && out.high_bytes > 0 && out.high_bytes >= 4096ull * tables.high_limit;
    if (!(spent && low_has_one))
      if (const int vl = serve(tables.high, out.high, able); vl >= 0) {
        out.high_bytes += able.at(static_cast<unsigned>(vl));
        return static_cast<unsigned>(vl);
      }
    out.high_bytes = 0;
    const int vl = serve(tables.low, out.low, able);
    return vl >= 0 ? static_cast<unsigned>(vl) : able.begin()->first;
  }

  const Rig& rig_;
  std::vector<RandomFabric::Post> posts_;
  unsigned vls_;
  Ticks now_ = 0;
  std::uint64_t serial_ = 0;
  std::map<std::tuple<Ticks, Step, std::uint64_t>, std::function<void()>> events_;
  std::map<std::pair<NodeIndex, unsigned>, Output> outputs_;
  std::map<std::uint32_t, NodeIndex> host_node_;
  std::map<std::pair<NodeIndex, std::tuple<std::uint32_t, unsigned, std::uint32_t>>, QueuePair> pairs_;
  std::map<std::pair<NodeIndex, unsigned>, Send> sends_;
  std::set<std::pair<NodeIndex, unsigned>> to_stage_;
  Result result_;
};

}  // namespace weft::test
