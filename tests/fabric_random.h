// Random small fabrics with random traffic and mishaps, from a seed, for the property tests of the packet
// engine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/random.h"
#include "tests/fabric_rig.h"

namespace weft::test {

/// What a scenario may contain.
struct Spice {
  bool rings = true;    // a ring routed minimally may deadlock
  bool mishaps = true;  // links down and up, other rates, stalled receivers
  bool losses = true;   // of these, links down, which lose packets
  bool lockstep =
      false;  // one rate, one packet size, every delay a multiple of half a packet time: many ties
  bool adapter_costs = true;  // PCIe, pipelines, message rates
  bool fractional = true;     // FDR, whose bytes take no whole number of picoseconds
  bool policies = true;       // credit update policies, flow-control bytes, read speedup, output queues
  bool gates = true;          // of the adapter costs: message rates of queue pairs, static rates
  bool read_limits = true;    // of the policies: read speedup
};

struct RandomFabric {
  struct Wire {
    unsigned a, port_a, b, port_b;
    LinkSpec link;
  };
  struct Post {
    Ticks at;
    Message message;
  };
  struct LinkChange {
    Ticks at;
    std::uint32_t cable;
    enum Kind { down, up, rate } kind;
    LinkSpec link;
  };
  struct Stall {
    std::uint32_t endpoint;
    Ticks from, until;
  };
  unsigned hosts = 0, switches = 0;  // abstract nodes: hosts first
  std::vector<unsigned> ports;       // by abstract node
  std::vector<Wire> wires;
  std::vector<Post> posts;
  std::vector<LinkChange> changes;
  std::vector<Stall> stalls;
  Rig settings;  // devices and settings only

  RandomFabric(std::uint64_t seed, const Spice& spice) {
    RandomStream random(seed, "fabric");
    const auto pick = [&](auto... values) {
      const std::array all{static_cast<std::int64_t>(values)...};
      return all[random.below(all.size())];
    };
    const Ticks tie = 40'960;  // half of 4,096 bytes at 400 Gb/s
    const bool lockstep = spice.lockstep;
    const auto delay = [&](Ticks most) {
      return lockstep ? tie * static_cast<Ticks>(random.below(4))
                      : static_cast<Ticks>(random.below(static_cast<std::uint64_t>(most)));
    };

    // Devices.
    const auto mtu = static_cast<std::uint32_t>(lockstep ? 4096 : pick(256, 1024, 4096));
    settings.settings.mtu = mtu;
    const std::uint64_t packet = (mtu + 26 + 63) / 64 * 64;
    SwitchProfile& sw = settings.switches();
    sw.port_to_port = Time{delay(200'000)};
    sw.buffer = Bytes{packet * static_cast<std::uint64_t>(pick(1, 1, 2, 3, 31))};
    sw.credit_processing = Time{delay(300'000)};
    HcaProfile& hca = settings.hcas();
    hca.buffer = Bytes{packet * static_cast<std::uint64_t>(pick(1, 2, 31))};
    hca.credit_processing = Time{delay(300'000)};
    if (random.below(2) == 0) {  // no whole number of the largest packet
      sw.buffer.count += 64 * random.below(packet / 64);
      hca.buffer.count += 64 * random.below(packet / 64);
    }
    if (spice.fractional && !lockstep && random.below(2) == 0) {
      settings.cable().per_metre = Time{pick(5'000, 5'700)};
      settings.cable().per_end = Time{delay(20'000)};
      sw.includes_fec = random.below(2) == 0;
      hca.includes_fec = random.below(2) == 0;
      for (const Generation g : {Generation::ndr, Generation::fdr}) {
        settings.devices.links[g].framing = Ratio{static_cast<std::uint64_t>(pick(197, 200)), 200};
        settings.devices.links[g].fec = Time{delay(120'000)};
      }
    }
    if (spice.adapter_costs && random.below(2) == 0) {
      hca.post = Time{delay(100'000)};
      hca.doorbell = Time{delay(200'000)};
      hca.inline_limit = Bytes{random.below(200)};
      hca.fetch_latency = Time{delay(500'000)};
      hca.pcie_rate = gigabits_per_second(static_cast<std::uint64_t>(pick(100, 250, 500)));
      hca.send_pipeline = Time{delay(100'000)};
      hca.receive_pipeline = Time{delay(100'000)};
      hca.write_latency = Time{delay(100'000)};
      hca.completion = Time{delay(100'000)};
      if (spice.gates) hca.qp_message_rate = random.below(2) * 5'000'000;
      hca.card_message_rate = random.below(2) * 20'000'000;
      hca.qp_quantum = static_cast<std::uint32_t>(pick(1, 2, 16));
      hca.prefetch = Bytes{static_cast<std::uint64_t>(pick(0, 4096, 65'536))};
    }
    if (spice.adapter_costs) hca.ack_every = static_cast<std::uint32_t>(random.below(4));
    if (spice.policies) {
      for (const Generation g : {Generation::ndr, Generation::fdr}) {
        LinkProfile& link = settings.devices.links[g];
        link.update_size = Bytes{random.below(2) * 8};
        link.update = static_cast<CreditUpdate>(random.below(3));
        link.update_threshold = Bytes{packet * static_cast<std::uint64_t>(pick(1, 3)) / 2};
        link.update_period = Time{lockstep ? 2 * tie : 256'000};
        if (link.update == CreditUpdate::threshold)
          sw.buffer.count += 2 * packet, hca.buffer.count += 2 * packet;
      }
      if (random.below(4) == 0)
        sw.queueing = Queueing::output_fifo;
      else if (spice.read_limits)
        sw.read_speedup = static_cast<std::uint32_t>(random.below(4));
    }
    const auto vls = static_cast<unsigned>(lockstep ? 1 + random.below(2) : 1 + random.below(4));
    settings.settings.data_vls = vls;
    settings.settings.sl2vl = Sl2Vl(vls);
    if (random.below(2) == 0) {
      for (unsigned vl = 0; vl < vls; ++vl) {
        if (random.below(2) == 0)
          settings.settings.arbitration.high.push_back(
              {static_cast<std::uint8_t>(vl), static_cast<std::uint8_t>(random.below(256))});
        settings.settings.arbitration.low.push_back(
            {static_cast<std::uint8_t>(vl), static_cast<std::uint8_t>(1 + random.below(255))});
      }
      settings.settings.arbitration.high_limit = static_cast<std::uint8_t>(pick(0, 1, 5, 255));
      sw.ignores_vl_high_limit = random.below(4) == 0;
    }

    // Cables: a tree of switches, or a ring; every host on some switch.
    const bool ring = spice.rings && random.below(3) == 0;
    const bool crowd = !ring && random.below(8) == 0;
    const auto stride = static_cast<unsigned>(pick(1, 1, 1, 14));  // between the ports a switch has in use
    hosts = static_cast<unsigned>((ring ? 4 : crowd ? 8 : 2) + random.below(6));
    switches = static_cast<unsigned>(ring ? 4 + random.below(2) : 1 + random.below(5));
    ports.assign(hosts + switches, 0);
    const auto link = [&] {
      LinkSpec l;
      l.length = Length{lockstep ? 8'192'000 * static_cast<std::int64_t>(1 + random.below(3))
                                 : static_cast<std::int64_t>(1'000'000 + random.below(30'000'000))};
      if (!lockstep && random.below(2) == 0)
        l.rate = Rate{{static_cast<std::uint64_t>(pick(25, 50, 100, 200, 800)) * 1'000'000'000, 1}};
      if (!lockstep && spice.fractional && random.below(8) == 0) l.generation = Generation::fdr;
      return l;
    };
    const auto connect = [&](unsigned a, unsigned b) {
      const auto next_port = [&](unsigned n) { return ports[n] += ports[n] == 0 || n < hosts ? 1 : stride; };
      const unsigned port_a = next_port(a), port_b = next_port(b);
      wires.push_back({a, port_a, b, port_b, link()});
    };
    for (unsigned s = 0; s < switches; ++s) {
      if (ring) {  // port 1 clockwise, so that half-way round goes clockwise from everywhere
        ports[hosts + s] = 2;
        wires.push_back({hosts + s, 1, hosts + (s + 1) % switches, 2, link()});
      } else if (s > 0) {
        connect(hosts + s, hosts + static_cast<unsigned>(random.below(s)));
      }
    }
    for (unsigned h = 0; h < hosts; ++h)
      connect(h, hosts + (ring && h < switches ? h : static_cast<unsigned>(random.below(switches))));

    // Traffic.
    const bool pressure = ring && random.below(2) == 0;  // enough at once to close the circle
    const std::uint64_t messages = (pressure ? 30 : 1) + random.below(60);
    const auto hot = static_cast<std::uint32_t>(random.below(hosts));
    for (std::uint64_t i = 0; i < messages; ++i) {
      Message m;
      m.source = static_cast<std::uint32_t>(random.below(hosts));
      m.destination = random.below(3) == 0 ? hot : static_cast<std::uint32_t>(random.below(hosts));
      if (m.source == m.destination) m.destination = (m.source + 1) % hosts;
      if (pressure)
        m.bytes = std::min<std::uint64_t>(60'000, 30 * mtu);
      else if (lockstep)
        m.bytes = 4070 * (1 + random.below(2));  // one packet of 4,096 bytes on the wire, or a mix
      else
        m.bytes = static_cast<std::uint64_t>(pick(0, 1, 64, 1000, 4096, 4097, 20'000, 60'000));
      if (lockstep && !pressure && random.below(2) == 0) m.bytes = 4070;
      m.sl = static_cast<std::uint8_t>(random.below(16));
      m.flow = static_cast<std::uint32_t>(random.below(2));
      m.tag = i;
      if (spice.adapter_costs && spice.gates && random.below(10) == 0)
        m.static_rate = picoseconds_per_byte(gigabits_per_second(10));
      posts.push_back({pressure   ? 0
                       : lockstep ? tie * static_cast<Ticks>(random.below(8))
                                  : static_cast<Ticks>(random.below(20'000'001)),
                       m});
    }

    // Mishaps.
    if (!spice.mishaps) return;
    const auto any_cable = [&] { return static_cast<std::uint32_t>(random.below(wires.size())); };
    const auto any_time = [&] {
      return lockstep ? tie * static_cast<Ticks>(random.below(random.below(2) == 0 ? 40 : 732))
                      : static_cast<Ticks>(random.below(30'000'000));
    };
    if (spice.losses && random.below(4) == 0) {
      const std::uint32_t cable = any_cable();
      const Ticks at = any_time();
      changes.push_back({at, cable, LinkChange::down, {}});
      if (random.below(3) != 0) changes.push_back({at + any_time(), cable, LinkChange::up, {}});
    }
    if (random.below(3) == 0) {
      const std::uint32_t cable = any_cable();
      LinkSpec other = wires[cable].link;
      other.width = static_cast<std::uint8_t>(pick(1, 2));
      if (other.rate) other.rate = Rate{{static_cast<std::uint64_t>(pick(10, 40, 600)) * 1'000'000'000, 1}};
      changes.push_back({any_time(), cable, LinkChange::rate, other});
      changes.push_back({any_time(), cable, LinkChange::rate, wires[cable].link});
    }
    if (random.below(3) == 0) {
      const bool hiccups = random.below(2) == 0;  // many short stalls, some of them overlapping
      for (unsigned i = 0; i < (hiccups ? 20 : 1); ++i) {
        const Ticks from = any_time();
        const Ticks length = hiccups ? any_time() / 20 : any_time();
        stalls.push_back({hot, from, !hiccups && random.below(3) == 0 ? kNeverTicks : from + length + 1});
      }
    }
  }

  /// The fabric with its nodes numbered in `order` (a permutation of hosts + switches); ports and hosts keep
  /// numbers.
  Rig rig(const std::vector<unsigned>& order) const {
    Rig built = settings;
    std::vector<NodeIndex> node(hosts + switches);
    built.topology.hosts.resize(hosts);
    for (const unsigned n : order) {
      const bool is_host = n < hosts;
      node[n] =
          built.topology.add_node(is_host ? NodeKind::hca : NodeKind::switch_,
                                  is_host ? fmt::format("h{}", n) : fmt::format("s{}", n - hosts), ports[n]);
      if (is_host) {
        built.topology.nodes[node[n]].host = n;
        built.topology.hosts[n] = built.topology.nodes[node[n]].name;
      }
    }
    for (const Wire& w : wires) built.wire(node[w.a], w.port_a, node[w.b], w.port_b, w.link);
    built.route_shortest();
    return built;
  }
  std::vector<unsigned> natural_order() const {
    std::vector<unsigned> order(hosts + switches);
    std::iota(order.begin(), order.end(), 0u);
    return order;
  }
  bool loses() const {
    return std::any_of(changes.begin(), changes.end(),
                       [](const LinkChange& c) { return c.kind == LinkChange::down; });
  }
};

/// Posts a scenario's messages at their times and keeps the books.
struct Player : Recorder {
  const RandomFabric* fabric;
  Ticks latest = 0;  // every call's time must not precede the one before

  Player(World& w, const RandomFabric& f) : Recorder(w), fabric(&f) {
    for (std::uint32_t i = 0; i < f.posts.size(); ++i) w.wake(f.posts[i].message.source, f.posts[i].at, i);
    for (const auto& c : f.changes) {
      if (c.kind == RandomFabric::LinkChange::down) w.link_down_at(c.at, c.cable);
      if (c.kind == RandomFabric::LinkChange::up) w.link_up_at(c.at, c.cable);
      if (c.kind == RandomFabric::LinkChange::rate) w.link_rate_at(c.at, c.cable, c.link);
    }
    for (const auto& s : f.stalls) w.stall_receiver(s.endpoint, s.from, s.until);
  }
  void tick() {
    if (world->now() < latest)
      wrong.push_back(fmt::format("time ran backwards: {} after {}", world->now(), latest));
    latest = world->now();
  }
  void on_wake(std::uint32_t, std::uint32_t tag) override {
    tick();
    world->post(fabric->posts[tag].message);
  }
  void on_delivered(const Delivery& d) override {
    tick();
    if (d.delivered != world->now())
      wrong.push_back(fmt::format("delivered at {}, told at {}", d.delivered, world->now()));
    Recorder::on_delivered(d);
  }
  void on_sent(const Message& m) override {
    tick();
    Recorder::on_sent(m);
  }
  void on_sample() override {
    tick();
    Recorder::on_sample();
  }
};

}  // namespace weft::test
