// Shares of a sink's link among senders that never run dry, counted in a window after warm-up.
#pragma once

#include <vector>

#include "tests/fabric_rig.h"

namespace weft::test {

/// Keeps 100 packets of each flow under way, more than all buffers on its path hold; counts those delivered
/// between two times.
struct Saturator : FabricUser {
  struct Flow {
    std::uint32_t from, to;
    std::uint8_t sl = 0;
    std::uint64_t packets = 0;
  };
  World& world;
  std::vector<Flow> flows;
  Ticks from, until;

  Saturator(World& w, std::vector<Flow> f, Ticks start, Ticks end)
      : world(w), flows(std::move(f)), from(start), until(end) {
    w.set_user(*this);
    for (std::uint64_t i = 0; i < flows.size(); ++i)
      for (int n = 0; n < 100; ++n) post(i);
  }
  void post(std::uint64_t flow) {
    world.post(message(flows[flow].from, flows[flow].to, 4096, flows[flow].sl, 0, flow));
  }
  void on_delivered(const Delivery& d) override {
    if (d.delivered > from && d.delivered <= until) ++flows[d.message.tag].packets;
    if (d.delivered <= until) post(d.message.tag);
  }
  void on_sent(const Message&) override {}
  void on_wake(std::uint32_t, std::uint32_t) override {}

  /// Share of the line rate of 400 Gb/s (82.44 ns a packet).
  double share(std::size_t flow) const {
    return static_cast<double>(flows[flow].packets) * 82'440.0 / static_cast<double>(until - from);
  }
};

}  // namespace weft::test
