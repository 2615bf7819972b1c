// Packets against counting: on full two-level trees every wire carries exactly the packets that the static
// count of the same flows, and of their ACKs, says.
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "models/packet_network.h"
#include "models/routing/static_load.h"
#include "scenarios/loader.h"
#include "tests/catch.h"

using namespace weft;

namespace {

constexpr std::uint64_t kMessages = 3, kPackets = 4;  // a message of 16 KiB is four packets, one ACK

Prepared bisection(unsigned hosts, unsigned radix, const std::string& engine) {
  Prepared p = load_scenario(
      WEFT_SOURCE_DIR "/scenarios/fabrics/bisection.yaml",
      {{fmt::format("fabric.topology.hosts={}", hosts), fmt::format("fabric.topology.radix={}", radix),
        "fabric.routing=" + engine, "traffic[0].endless=no", fmt::format("traffic[0].messages={}", kMessages),
        "traffic[0].message=16 KiB", "run={seed: 1}"},
       {}});
  build_fabric(p);
  return p;
}

using Wires = std::map<std::pair<NodeIndex, std::uint8_t>, std::uint64_t>;

}  // namespace

TEST_CASE("every wire carries the packets that the static count says") {
  setenv("WEFT_PROFILES", WEFT_SOURCE_DIR "/scenarios/profiles", 1);
  for (const auto& [hosts, radix] :
       {std::pair{16u, 8u}, std::pair{64u, 16u}, std::pair{648u, 36u}, std::pair{2048u, 64u}}) {
    for (const char* engine : {"dmodk", "random"}) {
      CAPTURE(hosts, engine);
      const Prepared p = bisection(hosts, radix, engine);
      PatternContext context = pattern_context(p);
      context.name = "traffic[0]";
      const FlowList flows = p.scenario.traffic[0]->flows(context);
      StaticLoad load(p.topology, p.routes);
      Wires expected;
      for (const LinkLoad& link : load.of(flows).links)
        expected[{link.port.node, link.port.port}] += link.flows * kMessages * kPackets;
      const LoadReport& back = load.of([&](const auto& visit) {
        flows([&](const Flow& flow) { visit(Flow{flow.destination, flow.source, 1}); });
      });
      for (const LinkLoad& link : back.links)
        expected[{link.port.node, link.port.port}] += link.flows * kMessages;

      const auto world = make_world(p, check_paths(p));
      PacketNetwork network(*world);
      const auto workloads = make_workloads(p);
      for (const auto& workload : workloads) network.add(*workload);
      network.start();
      CHECK(world->run() == RunEnd::idle);
      Wires carried;
      std::uint64_t busy = 0;
      world->for_each_port([&](const World::PortCounters& c) {
        if (p.topology.nodes[c.port.node].port(c.port.port).peer_node == kNone) return;
        carried[{c.port.node, c.port.port}] = c.xmit_packets;
        busy += c.xmit_packets > 0;
      });
      CHECK(carried == expected);
      CHECK(busy > hosts);
    }
  }
}
