// Every row of the table of patterns, put through the same: it runs on a small fabric, sends what it says,
// nothing to its sender, the same again with the same seed, and everything arrives.
#include <map>
#include <set>

#include "models/packet_network.h"
#include "models/routing/multicast_tree.h"
#include "models/workload/pattern.h"
#include "sim/config.h"
#include "tests/catch.h"
#include "tests/fabric_rig.h"
#include "tests/temp_folder.h"

using namespace weft;

namespace {

/// What each row needs besides its defaults, and how many messages it then sends among 16 hosts.
struct Row {
  std::string keys;
  std::uint64_t messages;
};
const std::map<std::string, Row>& rows() {
  static const std::map<std::string, Row> kRows{
      {"ping_pong", {"from: h3, to: h9, sizes: [0 B, 1 B, 4097 B], iterations: 2, warm_up: 1", 18}},
      {"permutation", {"message: 10 kB, messages: 3, depth: 2", 48}},
      {"shift", {"by: 5, message: 10 kB, messages: 2", 32}},
      {"bisection", {"both_ways: yes, message: 10 kB, messages: 2", 32}},
      {"incast", {"to: h7, from: [h1, h2, h3], message: 10 kB, messages: 2", 6}},
      {"all_to_all", {"message: 1 kB, depth: 4", 240}},
      {"pairs", {"flows: [h0 -> h1, h0 -> h2, h5 -> h0], message: 10 kB, messages: 2", 6}},
      {"csv", {"file: sends.csv", 3}},
      {"multicast", {"members: [h1, h2, h6, h9, h14], from: [h6, h1], message: 1 kB, messages: 3", 24}}};
  return kRows;
}

struct One : Configurable {
  std::unique_ptr<Pattern> pattern;
  void describe(Describe& d) override { d.choice("traffic", pattern, patterns(), "pattern", ""); }
};

using Sends = std::vector<std::tuple<Ticks, std::uint32_t, std::uint32_t, std::uint64_t>>;

Sends run(const std::string& name, std::uint64_t seed, const std::string& folder) {
  test::Rig rig = test::k_ary_rig(4);
  rig.switches().port_to_port = nanoseconds(100);
  One one;
  read_config(Document::parse("traffic: {pattern: " + name + ", " + rows().at(name).keys + "}\n", "(test)"),
              one);
  PatternContext context{rig.topology, rig.topology.endpoints(), seed, "traffic[0]", folder};
  if (const std::vector<std::uint32_t> members = one.pattern->group(context); !members.empty()) {
    MulticastGroup group{kFirstMulticastLid, {}};
    for (const std::uint32_t member : members) group.members.push_back(context.endpoints[member].where);
    rig.routes.multicast = multicast_trees(rig.topology, {group});
    context.group = 0;
  }
  const auto workload = one.pattern->make(context);
  const auto world = rig.build();
  PacketNetwork network(*world);
  network.add(*workload);
  Sends sends;
  network.observe_delivery = [&](const Delivery& d) {
    sends.emplace_back(d.delivered, d.message.source, d.message.destination, d.message.bytes);
  };
  network.start();
  CHECK(world->run() == RunEnd::idle);
  CHECK(world->check_conservation().empty());
  CHECK(world->counts().messages_delivered == world->counts().messages_posted);
  CHECK(workload->planned() == sends.size());
  return sends;
}

}  // namespace

TEST_CASE("every pattern sends what it plans, never to the sender, and repeats itself", "[fast]") {
  const TempFolder folder;
  folder.write("sends.csv", "src,dst,bytes,start_us\nh0,h1,5000,0\n3,h2,0,1.5\nh4,5,1,0.5\n");
  for (const Choice<Pattern>& row : patterns()) {
    const std::string name(row.name);
    INFO(name);
    CHECK(!row.summary.empty());
    REQUIRE(rows().count(name) == 1);
    const Sends sends = run(name, 1, folder.path());
    CHECK(sends.size() == rows().at(name).messages);
    for (const auto& [at, from, to, bytes] : sends) CHECK(from != to);
    CHECK(run(name, 1, folder.path()) == sends);
  }
}

TEST_CASE("a permutation sends to everyone once, and another seed gives another", "[fast]") {
  const Sends one = run("permutation", 1, "");
  std::map<std::uint32_t, std::set<std::uint32_t>> to;
  std::set<std::uint32_t> reached;
  for (const auto& [at, from, destination, bytes] : one) {
    to[from].insert(destination);
    reached.insert(destination);
  }
  CHECK(to.size() == 16);
  CHECK(reached.size() == 16);
  for (const auto& [from, destinations] : to) CHECK(destinations.size() == 1);
  CHECK(run("permutation", 2, "") != one);
}
