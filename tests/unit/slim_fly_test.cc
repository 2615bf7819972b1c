#include <fmt/format.h>

#include "models/routing/switch_graph.h"
#include "tests/built_topology.h"
#include "tests/catch.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("a Slim Fly has 2 q^2 switches of equal degree, and any two are at most two hops apart") {
  for (const unsigned q : {3u, 5u, 7u, 11u, 13u}) {
    CAPTURE(q);
    const Topology t = built_topology(fmt::format("{{type: slim_fly, q: {}}}", q));
    CHECK(t.count(NodeKind::switch_) == 2 * q * q);
    CHECK(t.check().empty());
    const unsigned degree = q % 4 == 1 ? (3 * q - 1) / 2 : (3 * q + 1) / 2;
    const SwitchGraph graph(t);
    for (const NodeIndex n : graph.switches()) {
      CHECK(graph.links(n).size() == degree);
      const std::vector<std::uint32_t> distance = graph.distances(n);
      for (const NodeIndex other : graph.switches()) CHECK(distance[other] <= 2);
    }
  }
}

TEST_CASE("a Slim Fly of what is no prime is refused") {
  for (const unsigned q : {4u, 9u, 15u})
    CHECK_THROWS_WITH(built_topology(fmt::format("{{type: slim_fly, q: {}}}", q)),
                      ContainsSubstring("is no odd prime"));
}
