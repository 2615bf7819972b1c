// What the naive simulator's parts share: the clock with its ordered map of events, the packet, and the
// constants of a directed link, worked out from the description of the fabric.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/fabric_random.h"

namespace weft::test {

/// Events in order of time; those of one instant in rounds: what an event asks for at its own instant comes
/// in the next round. In a round links change first, then adapters see work requests, then gates open.
class NaiveClock {
 public:
  enum class Step { link, doorbell, gate, other };

  Ticks now() const { return now_; }
  bool over() const { return events_.empty(); }
  Ticks next() const { return std::get<0>(events_.begin()->first); }
  void at(Ticks time, Step step, std::function<void()> action) {
    events_[{time, step, serial_++}] = std::move(action);
  }
  /// Makes `time` an instant, so that what is integrated has no corner between two.
  void mark(Ticks time) {
    at(time, Step::other, [] {});
  }
  void run_instant() {
    now_ = next();
    while (!over() && next() == now_) {
      const auto end = events_.lower_bound({now_ + 1, Step::link, 0});
      std::vector<std::function<void()>> round;
      for (auto e = events_.begin(); e != end; ++e) round.push_back(std::move(e->second));
      events_.erase(events_.begin(), end);
      for (const auto& action : round) action();
    }
  }

 private:
  Ticks now_ = 0;
  std::uint64_t serial_ = 0;
  std::map<std::tuple<Ticks, Step, std::uint64_t>, std::function<void()>> events_;
};

using NaivePort = std::pair<NodeIndex, unsigned>;

struct NaivePacket {
  bool ack = false;
  bool last = false, wants_ack = false;  // a request's
  std::size_t post = 0;                  // its message, by place among the posts
  unsigned sl = 0;
  NodeIndex to = 0;
  std::uint64_t payload = 0, wire = 0;  // bytes
  Ticks tail = 0;                       // when its last byte can leave where its head is
  Ticks came = 0;                       // into the queue it is in
  unsigned input = 0;                   // of the node it is at, from 0
  std::optional<NaivePort> link;        // in whose buffer it is; none at its source
  unsigned vl = 0;                      // there
  unsigned epoch = 0;                   // of that link: how often it had been down
  std::uint64_t psn = 0;                // from 0 in its queue pair; an ACK's: of what it acknowledges
  Parts flight;
  std::uint64_t blocks() const { return (wire + 63) / 64; }
};

struct NaiveLink {
  Ticks num = 0, den = 1;  // a byte takes num / den ps
  Ticks propagation = 0, pipeline = 0, credit_delay = 0;
  Ticks update_bytes = 0, update_period = 0;
  std::uint64_t update_threshold = 0;  // blocks
};

inline bool naive_is_host(const Rig& rig, NodeIndex n) { return rig.topology.nodes[n].kind == NodeKind::hca; }

inline NaiveLink naive_link(const Rig& rig, NodeIndex from, NodeIndex to, const LinkSpec& spec) {
  const SwitchProfile& sw = rig.devices.switches.at("sw");
  const HcaProfile& hca = rig.devices.hcas.at("hca");
  const CableProfile& cable = rig.devices.cables.at("wire");
  const auto layer = rig.devices.links.find(spec.generation);
  const LinkProfile profile = layer == rig.devices.links.end() ? LinkProfile{} : layer->second;
  const auto fec_at = [&](NodeIndex n) {
    return (naive_is_host(rig, n) ? hca.includes_fec : sw.includes_fec) ? 0 : profile.fec.count();
  };
  NaiveLink link;
  const Ratio bits = data_rate(spec).bits_per_second;
  const Ratio per_byte = make_ratio(Uint128{8'000'000'000'000} * bits.den * profile.framing.den,
                                    Uint128{bits.num} * profile.framing.num);
  link.num = static_cast<Ticks>(per_byte.num);
  link.den = static_cast<Ticks>(per_byte.den);
  link.propagation =
      spec.length->micrometres * cable.per_metre.count() / 1'000'000 + 2 * cable.per_end.count();
  link.pipeline = fec_at(to) + (naive_is_host(rig, to) ? 0 : sw.port_to_port.count());
  link.update_bytes = static_cast<Ticks>(profile.update_size.count);
  link.credit_delay =
      (naive_is_host(rig, to) ? hca.credit_processing.count() : sw.credit_processing.count()) +
      link.update_bytes * link.num / link.den + link.propagation + fec_at(from);
  if (profile.update == CreditUpdate::threshold)
    link.update_threshold = (profile.update_threshold.count + 63) / 64;
  if (profile.update == CreditUpdate::timer) link.update_period = profile.update_period.count();
  return link;
}

}  // namespace weft::test
