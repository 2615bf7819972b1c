// Hand-built fabrics for the tests of the packet engine: wiring, forwarding tables by shortest path with a
// stated tie order, and a user that writes down what it is told.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/fabric/world.h"

namespace weft::test {

/// A fabric under construction. Hosts must be added in the order in which they are to be numbered.
struct Rig {
  Topology topology;
  Routes routes;
  Devices devices;
  FabricSettings settings;

  Rig() {
    devices.switches["sw"] = {};
    devices.hcas["hca"] = {};
    devices.cables["wire"] = {};
    devices.default_switch = "sw";
    devices.default_hca = "hca";
    devices.default_cable = "wire";
  }
  SwitchProfile& switches() { return devices.switches["sw"]; }
  HcaProfile& hcas() { return devices.hcas["hca"]; }
  CableProfile& cable() { return devices.cables["wire"]; }

  NodeIndex host() {
    const auto number = static_cast<std::uint32_t>(topology.hosts.size());
    topology.hosts.push_back(fmt::format("h{}", number));
    const NodeIndex node = topology.add_node(NodeKind::hca, topology.hosts.back(), 1);
    topology.nodes[node].host = number;
    return node;
  }
  NodeIndex add_switch(unsigned ports, const std::string& profile = "") {
    const NodeIndex node =
        topology.add_node(NodeKind::switch_, fmt::format("s{}", topology.count(NodeKind::switch_)), ports);
    topology.nodes[node].profile = profile;
    return node;
  }
  std::uint32_t wire(NodeIndex a, unsigned port_a, NodeIndex b, unsigned port_b, const LinkSpec& link = {}) {
    return topology.connect({a, static_cast<std::uint8_t>(port_a)}, {b, static_cast<std::uint8_t>(port_b)},
                            link);
  }

  /// LIDs, and for every switch and host the lowest port on a shortest path; entries already set by route()
  /// stay.
  void route_shortest() {
    begin_routes();
    for (NodeIndex d = 0; d < topology.nodes.size(); ++d) {
      if (topology.nodes[d].kind != NodeKind::hca) continue;
      std::vector<unsigned> distance(topology.nodes.size(), ~0u);
      std::deque<NodeIndex> queue{d};
      distance[d] = 0;
      while (!queue.empty()) {
        const NodeIndex n = queue.front();
        queue.pop_front();
        for (const Port& port : topology.nodes[n].ports)
          if (port.cable != kNone && distance[port.peer_node] == ~0u) {
            distance[port.peer_node] = distance[n] + 1;
            if (topology.nodes[port.peer_node].kind == NodeKind::switch_) queue.push_back(port.peer_node);
          }
      }
      for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
        if (routes.lft[n].empty() || routes.lft[n][lid(d)] != kNoPort) continue;
        for (std::size_t p = 0; p < topology.nodes[n].ports.size(); ++p)
          if (const Port& port = topology.nodes[n].ports[p];
              port.cable != kNone && distance[port.peer_node] + 1 == distance[n]) {
            routes.lft.set(n, lid(d), static_cast<std::uint8_t>(p + 1));
            break;
          }
      }
    }
  }
  /// What `sw` does with packets for `host`.
  void route(NodeIndex sw, NodeIndex host, unsigned port) {
    begin_routes();
    routes.lft.set(sw, lid(host), static_cast<std::uint8_t>(port));
  }

  /// The rig must outlive the world: topology and routes are used where they are.
  std::unique_ptr<World> build() const& {
    return std::make_unique<World>(topology, routes, devices, settings);
  }
  std::unique_ptr<World> build() const&& = delete;

 private:
  void begin_routes() {
    if (!routes.lft.empty()) return;
    topology.assign_lids(false);
    routes.lft = ForwardingTables(topology);
  }
  Lid lid(NodeIndex host) const { return topology.nodes[host].port(1).lid; }
};

/// Writes down every delivery; checks conservation at every sample.
struct Recorder : FabricUser {
  World* world = nullptr;
  std::vector<Delivery> deliveries;
  std::vector<std::pair<Ticks, Message>> sent;
  std::vector<std::string> wrong;
  std::uint64_t samples = 0;

  explicit Recorder(World& w) : world(&w) { w.set_user(*this); }
  void on_delivered(const Delivery& delivery) override { deliveries.push_back(delivery); }
  void on_sent(const Message& message) override { sent.emplace_back(world->now(), message); }
  void on_wake(std::uint32_t, std::uint32_t) override {}
  void on_sample() override {
    ++samples;
    for (std::string& line : world->check_conservation()) wrong.push_back(std::move(line));
  }
};

inline Message message(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, std::uint8_t sl = 0,
                       std::uint32_t flow = 0, std::uint64_t tag = 0) {
  Message m;
  m.source = from;
  m.destination = to;
  m.bytes = bytes;
  m.sl = sl;
  m.flow = flow;
  m.tag = tag;
  return m;
}

/// A link that carries `rate`, `micrometres` long.
inline LinkSpec link_of(Rate rate, std::int64_t micrometres = 5'000'000) {
  LinkSpec link;
  link.rate = rate;
  link.length = Length{micrometres};
  return link;
}

/// A k-ary tree of three levels: hosts 0 to k^3/4 - 1, destination-based up-ports (D-mod-K).
inline Rig k_ary_rig(unsigned k) {
  Rig rig;
  const unsigned h = k / 2, hosts = k * h * h, edges = k * h, aggs = k * h, cores = h * h;
  for (unsigned i = 0; i < hosts; ++i) rig.host();
  for (unsigned i = 0; i < edges + aggs + cores; ++i) rig.add_switch(k);
  const unsigned edge = hosts, agg = edge + edges, core = agg + aggs;
  for (unsigned i = 0; i < hosts; ++i) rig.wire(i, 1, edge + i / h, i % h + 1);
  for (unsigned e = 0; e < edges; ++e)
    for (unsigned j = 0; j < h; ++j) rig.wire(edge + e, h + j + 1, agg + e / h * h + j, e % h + 1);
  for (unsigned a = 0; a < aggs; ++a)
    for (unsigned j = 0; j < h; ++j) rig.wire(agg + a, h + j + 1, core + a % h * h + j, a / h + 1);
  for (unsigned d = 0; d < hosts; ++d) {
    const unsigned e = d / h, pod = e / h;
    for (unsigned x = 0; x < edges; ++x) rig.route(edge + x, d, 1 + (x == e ? d % h : h + d % h));
    for (unsigned x = 0; x < aggs; ++x) rig.route(agg + x, d, 1 + (x / h == pod ? e % h : h + d / h % h));
    for (unsigned x = 0; x < cores; ++x) rig.route(core + x, d, 1 + pod);
  }
  return rig;
}

}  // namespace weft::test
