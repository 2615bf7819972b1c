#include "models/routing/nue/nue.h"

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "models/routing/channel_graph.h"
#include "models/routing/nue/escape.h"
#include "models/routing/nue/search.h"
#include "models/routing/validate.h"
#include "sim/config.h"
#include "sim/fingerprint.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

bool deadlock_free(const Topology& t, const Routes& routes) {
  return find_credit_loop(t, routes, Ends::traffic_only).free_of_loops();
}

/// Switches passed, over all pairs; every pair must arrive.
std::uint64_t hops(const Topology& t, const Routes& routes) {
  const RouteReport report = check_routes(t, routes);
  CHECK(report.reached == report.pairs);
  std::uint64_t sum = 0;
  for (const auto& [switches, pairs] : report.pairs_by_hops) sum += switches * pairs;
  return sum;
}

Topology with_lmc(Topology t, std::uint8_t lmc) {
  for (Node& node : t.nodes) {
    node.lid = 0;
    for (Port& port : node.ports) port.lid = 0;
  }
  return addressed(std::move(t), lmc);
}

/// A 4 x 4 torus that lacks the cable from 1,0 to 1,1.
Topology cut_torus() {
  Topology t = torus(4);
  unplug(t, t.find("1,0"), 4);
  return t;
}

/// A ring of 14 switches with chords, three hosts on each.
Topology ring_with_chords() {
  Topology t;
  for (unsigned i = 0; i < 14; ++i) t.add_node(NodeKind::switch_, fmt::format("s{}", i), 12);
  std::vector<unsigned> used(14, 3);
  for (const auto& [a, b] : std::vector<std::pair<unsigned, unsigned>>{
           {0, 1}, {1, 2},  {2, 3},   {3, 4},   {4, 5},   {5, 6},  {6, 7},   {7, 8},
           {8, 9}, {9, 10}, {10, 11}, {11, 12}, {12, 13}, {13, 0}, {0, 8},   {0, 2},
           {8, 6}, {8, 4},  {4, 8},   {13, 9},  {12, 1},  {1, 9},  {11, 13}, {3, 4}})
    cable(t, a, ++used[a], b, ++used[b]);
  for (unsigned i = 0; i < 42; ++i) add_host(t, fmt::format("h{}", i), i / 3, i % 3 + 1);
  return addressed(std::move(t));
}

std::uint64_t fingerprint(const Topology& t, const ForwardingTables& lft) {
  Chain all;
  for (NodeIndex node = 0; node < t.nodes.size(); ++node) {
    if (t.nodes[node].kind != NodeKind::switch_) continue;
    for (Lid lid = 1; lid <= t.max_lid(); ++lid) all.add(lft[node][lid]);
  }
  return all.value();
}

std::vector<std::uint32_t> adapters(const NueSubnet& subnet) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t d = 0; d < subnet.destinations.size(); ++d)
    if (subnet.destinations[d].where.port != 0) found.push_back(d);
  return found;
}

std::unique_ptr<RoutingEngine> configured(const std::string& keys) {
  std::unique_ptr<RoutingEngine> engine = make_routing_engine("nue");
  REQUIRE(engine != nullptr);
  read_config(Document::parse(keys, "keys.yaml"), *engine);
  return engine;
}

}  // namespace

TEST_CASE("nue keeps a ring free of deadlock on one lane, at the price of detours") {
  const Topology t = ring(7);
  const Routes routes = nue_routes(t, {});
  CHECK(routes.vls == 1);
  CHECK(routes.path_sls.empty());
  CHECK(deadlock_free(t, routes));
  // Least hops: from each switch 2 x (1 + 2 + 3) cables to the six others.
  CHECK(hops(t, routes) > 7 * (12 + 6));
  CHECK_FALSE(deadlock_free(t, make_routing_engine("minhop")->build(t, {})));
}

TEST_CASE("nue deals destinations to its lanes in turn, and more lanes make ways shorter") {
  const Topology t = ring(7);
  const Routes two = nue_routes(t, {2, false});
  CHECK(two.vls == 2);
  CHECK(deadlock_free(t, two));
  for (unsigned from = 0; from < 7; ++from)
    for (unsigned to = 0; to < 7; ++to)
      CHECK(two.path_sls.sl(t.find(fmt::format("sw{}", from)), lid_of(t, fmt::format("h{}", to))) == to % 2);
  CHECK(hops(t, two) < hops(t, nue_routes(t, {})));
  CHECK(two.path_sls.sl(t.find("sw0"), lid_of(t, "sw5")) == 0);

  // With a lane for each destination nothing is in anything's way.
  const Routes seven = nue_routes(t, {7, false});
  CHECK(deadlock_free(t, seven));
  CHECK(hops(t, seven) == 7 * (12 + 6));
}

TEST_CASE("nue's tables are OpenSM's") {
  // Of OpenSM 3.3.23 over ibsim 0.10, with these LIDs in its guid2lid file.
  const auto tables = [](const Topology& t, const NueOptions& options) {
    const Routes routes = nue_routes(t, options);
    CHECK(routes.warnings.empty());
    CHECK(deadlock_free(t, routes));
    return fingerprint(t, routes.lft);
  };
  CHECK(tables(ring(7), {}) == 0x290996986c76bb4b);
  CHECK(tables(torus(5), {}) == 0xb9c23a8044c6f9dc);
  CHECK(tables(torus(5), {2, false}) == 0xa70f09ef7cc03bac);
  CHECK(tables(torus(5), {4, true}) == 0xcbebd52d09103e60);
  CHECK(tables(with_lmc(torus(4), 1), {}) == 0x9b1c352c4cc49cfb);
  CHECK(tables(with_lmc(torus(4), 2), {3, false}) == 0x5e777d8b0ecf6075);
  CHECK(tables(cut_torus(), {}) == 0x8e2550eefbe0be83);
  CHECK(tables(two_level(4, 2, 8, 4), {2, false}) == 0x7e043b9afbb9d787);
}

TEST_CASE("where OpenSM's tables can deadlock, nue's differ, cannot, and say so") {
  const Topology t = ring_with_chords();
  const Routes routes = nue_routes(t, {2, false});
  CHECK(fingerprint(t, routes.lft) != 0xe9a36f72ac301ec7);  // OpenSM's: a circle
  CHECK(deadlock_free(t, routes));
  hops(t, routes);
  REQUIRE(routes.warnings.size() == 1);
  CHECK(routes.warnings.front().find("can deadlock") != std::string::npos);
}

TEST_CASE("at an impasse nue takes the escape paths, on dependencies that were theirs from the start") {
  const Topology t = cut_torus();
  const Routes routes = nue_routes(t, {});
  NueSubnet subnet = nue_subnets(t).front();
  const std::vector<std::uint32_t> destinations = adapters(subnet);
  const NueTree escape = lightest_tree(subnet, nue_centre(subnet, destinations));
  NueDependencies dependencies(subnet);
  reserve_escape_paths(subnet, escape, destinations, dependencies);
  NueSearch search(subnet, dependencies, NueShortcuts::sound);
  unsigned impasses = 0;
  for (const std::uint32_t destination : destinations) {
    const std::uint32_t home = subnet.homes[destination];
    std::optional<NueTree> tree = search.run(home);
    if (!tree) {
      ++impasses;
      tree = rerooted(subnet, escape, home);
      for (std::uint32_t sw = 0; sw < subnet.size(); ++sw) {
        const std::uint32_t into = (*tree)[sw];
        if (sw == home) CHECK(into == kNone);
        if (sw == home || subnet.from[into] == home) continue;
        const auto edge = dependencies.edge((*tree)[subnet.from[into]], into);
        CHECK(dependencies.state(edge) == NueDependencies::State::used);
      }
    }
    for (std::uint32_t sw = 0; sw < subnet.size(); ++sw) {
      if (sw == home) continue;
      CHECK(routes.lft[subnet.switches[sw]][subnet.destinations[destination].base] ==
            subnet.far_port[(*tree)[sw]]);
    }
    dependencies.settle(*tree, home);
    add_weights(subnet, *tree);
  }
  CHECK(impasses == 2);
  CHECK(deadlock_free(t, routes));
}

TEST_CASE("a dependency that closes a circle is blocked for good, one not needed is free again") {
  using State = NueDependencies::State;
  const Topology t = ring(3);
  const NueSubnet subnet = nue_subnets(t).front();
  NueDependencies dependencies(subnet);
  // The channels of one turn: 0 -> 1 -> 2 -> 0.
  std::vector<std::uint32_t> turn;
  for (std::uint32_t sw = 0; sw < 3; ++sw)
    for (const std::uint32_t channel : subnet.leaving(sw))
      if (subnet.to[channel] == (sw + 1) % 3) turn.push_back(channel);
  REQUIRE(turn.size() == 3);
  CHECK(dependencies.state(dependencies.edge(turn[0], subnet.reverse[turn[0]])) == State::blocked);
  CHECK(dependencies.take(dependencies.source(0), turn[0]));
  CHECK(dependencies.take(turn[0], turn[1]));
  CHECK(dependencies.take(turn[1], turn[2]));
  CHECK_FALSE(dependencies.take(turn[2], turn[0]));
  // Ways from 1 and 2 to switch 0: over 0 -> 1 and 1 -> 2.
  dependencies.settle({kNone, turn[0], turn[1]}, 0);
  CHECK(dependencies.state(dependencies.edge(turn[0], turn[1])) == State::used);
  CHECK(dependencies.state(dependencies.edge(turn[1], turn[2])) == State::unused);
  CHECK_FALSE(dependencies.take(turn[2], turn[0]));
  CHECK_FALSE(dependencies.lost_close_circle());
}

TEST_CASE("the centre of a line is its middle, and of destinations at one end it is there") {
  Topology t;
  for (unsigned i = 0; i < 7; ++i) t.add_node(NodeKind::switch_, fmt::format("sw{}", i), 3);
  for (unsigned i = 0; i + 1 < 7; ++i) cable(t, i, 2, i + 1, 3);
  for (unsigned i = 0; i < 7; ++i) add_host(t, fmt::format("h{}", i), i, 1);
  const NueSubnet subnet = nue_subnets(addressed(std::move(t))).front();
  const std::vector<std::uint32_t> all = adapters(subnet);
  CHECK(subnet.switches[nue_centre(subnet, all)] == 3);
  std::vector<std::uint32_t> near;  // on sw0, sw1, sw2
  for (const std::uint32_t d : all)
    if (subnet.switches[subnet.homes[d]] < 3) near.push_back(d);
  CHECK(subnet.switches[nue_centre(subnet, near)] == 1);
}

TEST_CASE("nue's keys are OpenSM's options") {
  const Topology t = ring(7);
  RoutingContext four;
  four.max_vls = 4;
  CHECK(configured("{}")->build(t, four).vls == 1);
  CHECK(configured("max_vls: 3")->build(t, four).vls == 3);
  const Routes most = configured("max_vls: 0")->build(t, four);
  CHECK(most.vls == 4);
  CHECK(most.warnings.empty());
  const Routes wanted_more = configured("max_vls: 5")->build(t, four);
  CHECK(wanted_more.vls == 4);
  REQUIRE(wanted_more.warnings.size() == 1);
  CHECK(wanted_more.lft == most.lft);
  CHECK(configured("{max_vls: 2, include_switches: true}")->build(t, four).lft ==
        nue_routes(t, {2, true}).lft);
  CHECK_THROWS_AS(configured("max_vls: 16"), ConfigError);
}

TEST_CASE("nue refuses ways that OpenSM's weights cannot count") {
  // 450 hosts with 8 LIDs each and as many switches: each hop weighs 4050^2, and 131 of them 2^31.
  CHECK_NOTHROW(nue_routes(with_lmc(ring(40), 3), {}));
  try {
    nue_routes(with_lmc(ring(450), 3), {});
    FAIL("not refused");
  } catch (const Refusal& refusal) {
    CHECK(std::string(refusal.what()).find("weighs more than 2^31") != std::string::npos);
  }
}

TEST_CASE("nue says that it routes nothing to routers") {
  Topology t = ring(3);
  t.nodes[t.find("h2")].kind = NodeKind::router;
  const Routes routes = nue_routes(t, {});
  REQUIRE(routes.warnings.size() == 1);
  CHECK(out_port(t, routes, "sw0", "h2") == kNoPort);
  CHECK(check_routes(t, routes).reached == 2);
}
