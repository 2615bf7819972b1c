// Links that change while the fabric runs: down, up, another rate. Both directions of a cable change
// together.
//
// Down: what is on the wire is lost (its epoch no longer matches when its head would arrive); what waits,
// waits. Packets whose head was already accepted at the far side complete. Up: the link trains, credits are
// as the receiver's buffer is. A rate change takes effect with the next packet.
#include <algorithm>

#include "models/fabric/host_event.h"
#include "models/fabric/world.h"

namespace weft {

void World::schedule_link_event(Ticks at, const LinkEvent& event) {
  link_events_.push_back(event);
  ++link_events_to_come_;
  queue_.push(
      make_event(at, Phase::control, kLinkEntity, static_cast<std::uint32_t>(link_events_.size() - 1)));
}

void World::link_down_at(Ticks at, std::uint32_t cable) {
  schedule_link_event(at, {LinkEvent::down, cable, {}});
}
void World::link_up_at(Ticks at, std::uint32_t cable) { schedule_link_event(at, {LinkEvent::up, cable, {}}); }
void World::link_rate_at(Ticks at, std::uint32_t cable, const LinkSpec& link) {
  const auto& [a, b, was] = topology_.cables[cable];
  admit_link(timing_of(link, a, b), b);
  admit_link(timing_of(link, b, a), a);
  schedule_link_event(at, {LinkEvent::rate, cable, link});
}

void World::on_link_event(std::uint32_t index) {
  --link_events_to_come_;
  const LinkEvent& event = link_events_[index];
  const Cable& cable = topology_.cables[event.cable];
  for (const auto& [from, to] : {std::pair{cable.a, cable.b}, std::pair{cable.b, cable.a}}) {
    const std::uint32_t p = port_index(from);
    PortRow& port = ports_[p];
    switch (event.kind) {
      case LinkEvent::down:
        if (port.is(PortRow::down)) break;
        link_events_seen_ = true;
        if (port.waiting != 0)  // the next wait begins when it is up
          port.xmit_wait += std::max<Ticks>(0, now_ - std::max(port.busy, port.waiting_since));
        port.flags |= PortRow::down;
        ++port.epoch;
        ++downed_[p];
        port.armed = kIdle;
        for (unsigned vl = 0; vl < lane_stride_; ++vl)  // what was foreseen (plan) will not come to pass
          if (LaneRow& row = lane(p, vl); row.foreseen(now_)) {
            row.candidate = LaneRow::kNoCandidate;
            row.unblock();
          }
        break;
      case LinkEvent::up:
        if (!port.is(PortRow::down)) break;
        port.flags &= static_cast<std::uint8_t>(~PortRow::down);
        if (port.busy < now_) {  // the time it was down is no wait; the next packet starts a busy period
          port.busy = now_;
          port.fraction = 0;
        }
        if (port.waiting != 0) try_at(p, port.busy);
        break;
      case LinkEvent::rate:
        port.timing = timing_row(timing_of(event.link, from, to));
        port.fraction = 0;               // the new rate counts from a packet boundary
        for (Packet& packet : packets_)  // the credit of what is under way returns at the new rate
          if (packet.bytes != 0 && packet.in_link == p) packet.timing = port.timing;
        for (MulticastHold& hold : holds_)
          if (hold.packet.in_link == p) hold.packet.timing = port.timing;
        break;
    }
  }
}

void World::stall_receiver(std::uint32_t endpoint, Ticks from, Ticks until) {
  auto& stalls = hcas_[endpoint].stalls;
  hca_rows_[endpoint].has_stalls = true;
  stalls.emplace_back(from, until);
  std::sort(stalls.begin(), stalls.end());
}

}  // namespace weft
