// Who holds which buffer and who waits for which credit, per VL. Asked when no data packet has moved for a
// while.
//
// A vertex is the input buffer at the far end of a directed link, on one VL. A full buffer empties when any
// packet in it leaves; such a packet waits at an output, whose link leads to the next buffer. A buffer may
// still move when some path of waits from it ends at something that will act: an output with credit on its
// way, a receiver that only pauses. A packet for a group leaves when all its copies have: it waits for each
// of them. What cannot move and waits in a circle is a deadlock; what cannot move and ends somewhere else has
// a culprit.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/fabric/world.h"

namespace weft {
namespace {

struct Vertex {
  bool stuck_end = false;  // waits for something that will never act
  bool may_move = false;
  std::string end;                       // what a stuck end waits for
  std::vector<std::uint32_t> waits_for;  // lanes (indices) its packets wait to enter
  // By hold: lanes that copies of one packet wait to enter, all of them.
  std::map<std::uint32_t, std::vector<std::uint32_t>> copies_wait_for;

  /// Whether something in it can leave when `open` says so of the lanes it waits for.
  template <class Open>
  bool can_leave(Open open) const {
    return std::ranges::any_of(waits_for, open) ||
           std::ranges::any_of(copies_wait_for,
                               [&](const auto& hold) { return std::ranges::all_of(hold.second, open); });
  }
  /// A lane it waits for, for which `open` does not hold; kNone when there is none.
  template <class Open>
  std::uint32_t obstacle(Open open) const {
    const auto shut = [&](std::uint32_t lane) { return !open(lane); };
    if (const auto found = std::ranges::find_if(waits_for, shut); found != waits_for.end()) return *found;
    for (const auto& [hold, lanes] : copies_wait_for)
      if (const auto found = std::ranges::find_if(lanes, shut); found != lanes.end()) return *found;
    return kNone;
  }
};

}  // namespace

/// Calls visit(index) for each packet waiting on lane `vl` of `port`.
template <class Visit>
void World::for_each_waiting(std::uint32_t port, unsigned vl, Visit visit) const {
  const LaneRow& row = lane(port, vl);
  if (row.solo != kNone) visit(row.solo);
  const Voq* queues = voqs(port, vl);
  const unsigned inputs = ports_[port].is(PortRow::fifo) ? 1u : nodes_[node_of_port_[port]].inputs;
  for (unsigned input = 0; input < inputs; ++input) {
    if ((row.inputs[input >> 6] >> (input & 63) & 1) == 0) continue;
    for (std::uint32_t p = queues[input].head;; p = packets_[p].next) {
      visit(p);
      if (p == queues[input].tail) break;
    }
  }
}

World::WaitReport World::wait_report() const { return wait_report(kNeverTicks - 1); }

/// Of the lanes that are blocked by time `by`; those foreseen for later may be served yet.
World::WaitReport World::wait_report(Ticks by) const {
  WaitReport report;
  // A blocked lane l (output port, VL) waits for the buffer at the far end of l: vertex l. Its edges lead to
  // the lanes that the packets in that buffer wait to enter.
  std::vector<Vertex> vertices(lanes_.size());
  std::vector<bool> blocked(lanes_.size());
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    const PortRow& out = ports_[p];
    for (unsigned vl = 0; vl < lane_stride_; ++vl) {
      if ((out.waiting >> vl & 1) == 0) continue;
      const std::size_t at = std::size_t{p} * lane_stride_ + vl;
      const bool out_of_credit = lane(p, vl).blocked_since <= by && lane(p, vl).unblocked_at == kNeverTicks;
      blocked[at] = out.is(PortRow::down) || out_of_credit;
      if (blocked[at]) ++report.blocked_outputs;
      for_each_waiting(p, vl, [&](std::uint32_t index) {
        ++report.waiting_packets;
        const Packet& packet = packets_[index];
        if (packet.in_link == kNone) return;
        Vertex& buffer = vertices[lane_held(packet)];
        auto& edges =
            packet.has(Packet::multicast) ? buffer.copies_wait_for[packet.in_link] : buffer.waits_for;
        if (std::find(edges.begin(), edges.end(), at) == edges.end())
          edges.push_back(static_cast<std::uint32_t>(at));
      });
    }
  }
  for (std::size_t at = 0; at < vertices.size(); ++at) {
    const auto p = static_cast<std::uint32_t>(at / lane_stride_);
    Vertex& v = vertices[at];
    if (ports_[p].is(PortRow::down)) {
      v.stuck_end = true;
      v.end = "the link is down";
    } else if (ports_[p].is(PortRow::to_hca)) {
      const std::uint32_t h = hca_of_port_[peer_[p]];
      const bool held = h != kNone && hcas_[h].held_packets > 0;
      v.stuck_end = held;
      v.may_move = !held;
      if (held)
        v.end =
            fmt::format("the receiver {} is stalled", topology_.display_name(port_ref(hca_rows_[h].port)));
    } else {
      const bool nothing_waits = v.waits_for.empty() && v.copies_wait_for.empty();
      v.may_move = nothing_waits ||  // credit or packets are on their way
                   v.can_leave([&](std::uint32_t next) { return !blocked[next]; });
    }
  }
  for (bool changed = true; changed;) {  // whatever waits for something that may move may move
    changed = false;
    for (Vertex& v : vertices) {
      if (v.may_move || v.stuck_end) continue;
      v.may_move = v.can_leave([&](std::uint32_t next) { return !blocked[next] || vertices[next].may_move; });
      changed = changed || v.may_move;
    }
  }
  report.can_move = true;
  const auto wait_of = [&](std::uint32_t at) {
    const std::uint32_t p = at / lane_stride_;
    WaitReport::Wait wait;
    wait.output = port_ref(p);
    wait.vl = static_cast<std::uint8_t>(at % lane_stride_);
    wait.why = vertices[at].stuck_end ? vertices[at].end
                                      : fmt::format("no credit for the buffer of {}",
                                                    topology_.display_name(port_ref(peer_[p])));
    return wait;
  };
  // Walk from a blocked lane along what cannot move until an end or a lane seen before.
  std::vector<std::uint8_t> state(vertices.size());  // 0 new, 1 on the path, 2 done
  for (std::size_t start = 0; start < vertices.size(); ++start) {
    if (!blocked[start] || vertices[start].may_move) continue;
    report.can_move = false;
    std::vector<std::uint32_t> path;
    std::uint32_t at = static_cast<std::uint32_t>(start);
    while (state[at] == 0) {
      state[at] = 1;
      path.push_back(at);
      const Vertex& v = vertices[at];
      if (v.stuck_end) {
        report.culprits.push_back(wait_of(at));
        break;
      }
      const std::uint32_t next =
          v.obstacle([&](std::uint32_t n) { return !blocked[n] || vertices[n].may_move; });
      if (next == kNone) break;
      at = next;
    }
    if (!report.deadlock && state[at] == 1 && !vertices[at].stuck_end) {
      const auto first = std::find(path.begin(), path.end(), at);
      if (first != path.end()) {
        report.deadlock = true;
        for (auto i = first; i != path.end(); ++i) report.cycle.push_back(wait_of(*i));
        for (auto i = first; i != path.end(); ++i)
          add_route(report, *i, *std::next(first, (i - first + 1) % (path.end() - first)));
      }
    }
    for (const std::uint32_t done : path) state[done] = 2;
  }
  for (std::uint32_t h = 0; h < hcas_.size(); ++h) {  // one whose sender had nothing more blocks no output
    const std::uint32_t link = peer_[hca_rows_[h].port];
    if (hcas_[h].held_packets == 0 || link == kNone) continue;
    report.can_move = false;
    for (unsigned vl = 0; vl < lane_stride_; ++vl)
      if (hcas_[h].held_blocks[vl] > 0 && state[std::size_t{link} * lane_stride_ + vl] == 0)
        report.culprits.push_back(wait_of(link * lane_stride_ + vl));
  }
  return report;
}

/// Names one message whose packet holds buffer `from` while it waits for lane `to`.
void World::add_route(WaitReport& report, std::uint32_t from, std::uint32_t to) const {
  std::uint32_t found = kNone;
  for_each_waiting(to / lane_stride_, to % lane_stride_, [&](std::uint32_t index) {
    if (lane_held(packets_[index]) == from && found == kNone) found = index;
  });
  if (found == kNone) return;
  const Packet& packet = packets_[found];
  const std::uint32_t number = packet.op() == Opcode::rc_ack ? packet.message : messages_[packet.message].qp;
  const Qp& qp = qps_[number];
  std::string source = topology_.display_name(port_ref(hca_rows_[qp.source].port));
  std::string destination = qp.multicast
                                ? fmt::format("group 0x{:x}", qp.dlid)
                                : topology_.display_name(port_ref(hca_rows_[responders_[number].hca].port));
  if (packet.op() == Opcode::rc_ack) std::swap(source, destination);
  report.routes.push_back(fmt::format("{} -> {}: came by {}, waits for {}", source, destination,
                                      topology_.display_name(port_ref(from / lane_stride_)),
                                      topology_.display_name(port_ref(to / lane_stride_))));
}

bool World::nothing_can_move() const {
  const WaitReport report = wait_report(now_);
  return report.blocked_outputs > 0 && !report.can_move;
}

}  // namespace weft
