// Messages of one queue pair arrive in order and are told in order, at both ends; and nothing is faster than
// light, the slowest wire of its path, and the adapters allow.
#include <algorithm>
#include <map>
#include <tuple>

#include "tests/catch.h"
#include "tests/fabric_random.h"

using namespace weft;
using namespace weft::test;

namespace {

/// What a message takes at least: fixed costs, every cable and switch of its path, all its bytes on the
/// slowest wire.
Ticks lower_bound(const Rig& rig, const Message& m) {
  const HcaProfile& hca = rig.devices.hcas.at("hca");
  Ticks fixed = (hca.post + hca.doorbell + hca.send_pipeline + hca.receive_pipeline + hca.write_latency +
                 hca.completion)
                    .count();
  if (m.bytes > hca.inline_limit.count) fixed += hca.fetch_latency.count();
  const std::uint64_t packets =
      std::max<std::uint64_t>(1, (m.bytes + rig.settings.mtu - 1) / rig.settings.mtu);
  const std::uint64_t wire_bytes = m.bytes + 26 * packets;
  const auto endpoints = rig.topology.endpoints();
  const PortRef to = endpoints[m.destination].where;
  PortRef out = endpoints[m.source].where;
  Ticks slowest = 0;
  for (;;) {
    const Port& port = rig.topology.nodes[out.node].port(out.port);
    const LinkSpec& link = rig.topology.cables[port.cable].link;
    fixed += link.length->micrometres * 5 / 1000;
    slowest = std::max(slowest, picoseconds_per_byte(data_rate(link)).time_for(wire_bytes).count());
    if (port.peer_node == to.node) return fixed + slowest;
    fixed += rig.devices.switches.at("sw").port_to_port.count();
    out = {port.peer_node, rig.routes.lft[port.peer_node][rig.topology.nodes[to.node].port(to.port).lid]};
  }
}

}  // namespace

TEST_CASE("messages of a queue pair are told in order, and none beats its lower bound", "[fast]") {
  unsigned at_the_bound = 0, messages = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Spice spice;
    spice.mishaps = false;
    spice.lockstep = seed % 3 == 0;
    const RandomFabric fabric(seed, spice);
    const Rig rig = fabric.rig(fabric.natural_order());
    const auto world = rig.build();
    Player user(*world, fabric);
    world->run();
    using QueuePair = std::tuple<std::uint32_t, std::uint32_t, std::uint8_t, std::uint32_t>;
    std::map<QueuePair, std::vector<std::uint64_t>> posted, delivered, sent;
    std::map<QueuePair, Ticks> last;
    const auto pair = [](const Message& m) { return QueuePair(m.source, m.destination, m.sl, m.flow); };
    for (const Delivery& d : user.deliveries) {
      delivered[pair(d.message)].push_back(d.number);
      CHECK(last[pair(d.message)] < d.delivered);
      last[pair(d.message)] = d.delivered;
      const Ticks bound = lower_bound(rig, d.message);
      CHECK(d.delivered - d.posted >= bound);
      at_the_bound += d.delivered - d.posted < bound + bound / 10;
      ++messages;
      posted[pair(d.message)].push_back(d.message.tag);
    }
    for (const auto& [at, m] : user.sent) sent[pair(m)].push_back(m.tag);
    for (const auto& [qp, numbers] : delivered) CHECK(std::is_sorted(numbers.begin(), numbers.end()));
    for (const auto& [qp, tags] : sent)  // completions come in the order of the deliveries
      CHECK(std::equal(tags.begin(), tags.end(), posted[qp].begin()));
  }
  CHECK(at_the_bound > messages / 20);  // the bound is worth something
}
