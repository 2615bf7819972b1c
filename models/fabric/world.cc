// The run loop, the watch, and what can be asked of the whole.
#include "models/fabric/world.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/fabric/host_event.h"
#include "sim/error.h"

namespace weft {

PortRef World::port_ref(std::uint32_t port) const {
  const NodeIndex node = node_of_port_[port];
  return {node, static_cast<std::uint8_t>(port - nodes_[node].first_port + 1)};
}

double World::link_gbps(PortRef port) const {
  const LinkTiming& timing = timings_[ports_[port_index(port)].timing];
  return timing.num == 0 ? 0 : 8000.0 * static_cast<double>(timing.den) / static_cast<double>(timing.num);
}

void World::wake(std::uint32_t endpoint, Ticks at, std::uint32_t tag) {
  queue_.push(host_event(std::max(at, now_), hca_rows_[endpoint].port, HostEvent::wake, tag));
}

void World::sample_every(Ticks period) {
  sample_period_ = period;
  ++housekeeping_;
  queue_.push(make_event(now_ + period, Phase::control, kSampleEntity, 0));
}

/// Has the watch look at the fabric once more; none is pending while nothing is under way.
void World::keep_watch() {
  if (watching_) return;
  watching_ = true;
  ++housekeeping_;
  const Ticks period = std::min(settings_.stall_check, kHorizon >> 21) << patience_;
  queue_.push(make_event(now_ + period, Phase::control, kWatchEntity, 0));
}

void World::watch() {
  --housekeeping_;
  watching_ = false;
  if (counts_.data_hops == last_hops_ && live_packets_ > 0 && link_events_to_come_ == 0 &&
      nothing_can_move()) {
    stuck_ = true;
    return;
  }
  patience_ = counts_.data_hops == last_hops_ ? std::min(patience_ + 1, 20) : 0;
  last_hops_ = counts_.data_hops;
  if (live_packets_ > 0) keep_watch();
}

void World::on_control(const Event& event) {
  if (event.entity() == kSampleEntity) {
    if (user_ != nullptr) user_->on_sample();
    queue_.push(make_event(now_ + sample_period_, Phase::control, kSampleEntity, 0));
  } else if (event.entity() == kWatchEntity) {
    watch();
  } else {
    on_link_event(event.detail());
  }
}

void World::on_host(const Event& event) {
  const std::uint32_t hca = hca_of_port_[event.entity()];
  const std::uint32_t detail = event.detail() & kHostDetail;
  switch (static_cast<HostEvent>(event.detail() >> kHostKindShift)) {
    case HostEvent::doorbell:
      return on_doorbell(hca);
    case HostEvent::gate:
      return on_gate(hca);
    case HostEvent::delivered:
      return on_delivered(detail);
    case HostEvent::sent:
      return on_sent(detail);
    case HostEvent::wake:
      if (user_ != nullptr) user_->on_wake(hca, detail);
      return;
  }
  invariant_failed("a host event has a known kind", fmt::format("t={} key={:x}", event.time, event.key));
}

void World::dispatch(const EventQueue::Batch& batch, Phase phase) {
  counts_.events += batch.size;
  switch (phase) {
    case Phase::control:
      for (const Event& event : batch) on_control(event);
      return;
    case Phase::host:
      for (const Event& event : batch) on_host(event);
      return;
    case Phase::heads:
      return on_heads(batch);
    case Phase::arbitrate:
      return on_arbitrations(batch);
  }
}

RunEnd World::run(Ticks horizon) {
  stop_ = false;
  horizon = std::min(horizon, kHorizon);
  for (;;) {
    if (!ready_.empty() && !queue_.pending_at(now_, ordered_ ? Phase::arbitrate : Phase::heads)) {
      arbitrate_ready();
      continue;
    }
    const EventQueue::Head head = queue_.peek();
    if (stuck_) return RunEnd::stuck;
    if (head.phase == Phase::control && queue_.size() == housekeeping_ + link_events_to_come_) {
      // The fabric itself has nothing to do any more.
      if (wait_report().can_move) return RunEnd::idle;
      if (link_events_to_come_ == 0) {
        // What cannot move stands at its outputs as soon as what is before it has left.
        for (const PortRow& port : ports_)
          if (port.waiting != 0) now_ = std::min(std::max(now_, port.busy), horizon);
        return RunEnd::stuck;
      }
    }
    if (!told_.empty() && std::min(head.time, horizon) > now_) slip_in_updates();
    if (head.time > horizon) {
      now_ = horizon;
      return RunEnd::horizon;
    }
    if (stop_) return RunEnd::stopped;
    now_ = head.time;
    dispatch(queue_.take(head), head.phase);
  }
}

Ticks World::longest_delay() const {
  Ticks longest = 0;
  for (const LinkTiming& timing : timings_)
    longest = std::max({longest, timing.propagation, timing.pipeline});
  return longest;
}

void World::for_each_under_way(const std::function<void(const Message&, std::uint64_t)>& visit) const {
  for (const MessageRow& row : messages_)
    if (row.open_ends > 0 && !row.told) visit(row.message, row.arrived);
}

std::uint64_t World::fingerprint() const {
  Fingerprint sum;
  for (const Chain& chain : host_chains_) sum.add(chain);
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    Chain chain(std::uint64_t{1} << 32 | p);
    chain.add(static_cast<std::uint64_t>(ports_[p].busy));
    chain.add(static_cast<std::uint64_t>(ports_[p].xmit_wait));
    for (unsigned vl = 0; vl < lane_stride_; ++vl) {
      const LaneRow& row = lane(p, vl);
      chain.add(row.xmit_bytes);
      chain.add(row.xmit_packets);
      chain.add(static_cast<std::uint64_t>(row.stall));
    }
    sum.add(chain);
  }
  return sum.value();
}

std::size_t World::reserved_bytes() const {
  return ports_.capacity() * sizeof(PortRow) + lanes_.capacity() * sizeof(LaneRow) +
         voqs_.capacity() * sizeof(Voq) + packets_.capacity() * sizeof(Packet) +
         qps_.capacity() * (sizeof(Qp) + sizeof(Responder)) + gates_.capacity() * sizeof(Gate) +
         messages_.capacity() * sizeof(MessageRow) + hcas_.capacity() * (sizeof(HcaRow) + sizeof(HcaState)) +
         qp_index_.reserved_bytes() + queue_.reserved_bytes();
}

}  // namespace weft
