// Planes are subnets of their own: each is routed as it would be by itself.
#include "models/routing/channel_graph.h"
#include "models/routing/validate.h"
#include "models/topology/networks.h"
#include "tests/built_topology.h"
#include "tests/catch.h"

using namespace weft;
using namespace weft::test;

namespace {

Topology two_planes(const char* shape) {
  Topology t = built_topology(shape);
  t.assign_lids(false, 1);
  REQUIRE(t.planes == 2);
  return t;
}

constexpr const char* kTree =
    "{type: fat_tree, hosts: 14, levels: 2, radix: 8, rails: 2, rail_layout: planes}";
constexpr const char* kTorus = "{type: torus, size: [5, 3], radix: 8, rails: 2}";

}  // namespace

TEST_CASE("every engine routes planes one by one", "[fast]") {
  for (const Choice<RoutingEngine>& row : routing_engines()) {
    const std::string name(row.name);
    if (name == "file") continue;
    CAPTURE(name);
    const std::unique_ptr<RoutingEngine> engine = make_routing_engine(name);
    const Topology t = two_planes(name == "torus-2QoS" || name == "lash" ? kTorus : kTree);
    if (name == "ftree") continue;  // refuses an LMC; below
    const Routes routes = engine->build(t, {});
    CHECK(routes.engine == name);
    const RouteReport report = check_routes(t, routes);
    CHECK(report.across_planes > 0);
    CHECK(report.reached == report.pairs);
    CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
    for (const Plane& plane : planes_of(t)) {
      const Routes alone = engine->build(plane.network, {});
      CHECK(routes.vls == alone.vls);
      CHECK(routes.sl2vl.has_value() == alone.sl2vl.has_value());
      for (NodeIndex n = 0; n < plane.node.size(); ++n) {
        const NodeIndex here = plane.node[n];
        const Node& node = t.nodes[here];
        CHECK(plane.network.nodes[n].name == node.name);
        if (node.kind != NodeKind::switch_) continue;
        for (Lid lid = 0; lid <= t.max_lid(); ++lid) {
          CHECK(routes.lft[here][lid] == alone.lft[n][lid]);
          CHECK(routes.path_sls.sl(here, lid) == alone.path_sls.sl(n, lid));
        }
        for (std::uint8_t in = 0; alone.sl2vl && in <= node.ports.size(); ++in)
          for (std::uint8_t out = 1; out <= node.ports.size(); ++out)
            for (std::uint8_t sl = 0; sl < 16; ++sl)
              CHECK(routes.sl2vl->vl(here, in, out, sl) == alone.sl2vl->vl(n, in, out, sl));
      }
    }
  }
}

TEST_CASE("what one plane alone says has its plane in front", "[fast]") {
  const Topology t = two_planes(kTorus);
  Topology cut = t;  // a switch of plane 1 without its cables: a failed one, for which two lanes are too few
  std::vector<Cable> kept;
  const NodeIndex gone = t.find("plane1-sw1-1");
  for (const Cable& cable : t.cables)
    if (cable.a.node != gone && cable.b.node != gone) kept.push_back(cable);
  for (Node& node : cut.nodes)
    for (Port& port : node.ports) {
      port.peer_node = port.cable = kNone;
      port.peer_port = 0;
    }
  cut.cables.clear();
  for (const Cable& cable : kept) cut.connect(cable.a, cable.b, cable.link);
  RoutingContext two_lanes;
  two_lanes.max_vls = 2;
  CHECK(make_routing_engine("torus-2QoS")->build(t, two_lanes).warnings.empty());
  const Routes routes = make_routing_engine("torus-2QoS")->build(cut, two_lanes);
  REQUIRE(!routes.warnings.empty());
  for (const std::string& warning : routes.warnings) CHECK(warning.starts_with("plane 1: "));
  CHECK_THAT(routes.warnings.back(), ContainsSubstring("torus-2QoS does not promise freedom"));
}

TEST_CASE("a plane that nobody is cabled to any more stops no other", "[fast]") {
  Topology t = two_planes("{type: fat_tree, hosts: 4, levels: 1, radix: 4, rails: 2, rail_layout: planes}");
  for (Cable cable : std::exchange(t.cables, {})) {
    t.nodes[cable.a.node].port(cable.a.port) = {};
    t.nodes[cable.b.node].port(cable.b.port) = {};
    if (t.nodes[cable.a.node].rail == 0) t.connect(cable.a, cable.b, cable.link);
  }
  t.assign_lids(false, 0);
  for (const char* engine : {"minhop", "dmodk", "updn", "dfsssp"}) {
    CAPTURE(engine);
    const Routes routes = make_routing_engine(engine)->build(t, {});
    const RouteReport report = check_routes(t, routes);
    CHECK(report.pairs == 12);
    CHECK(report.reached == 12);
    const NodeIndex idle = t.find("plane1-leaf00");
    CHECK(routes.lft[idle][t.nodes[idle].lid] == 0);
  }
}
