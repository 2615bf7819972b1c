// T9: in a chain of switches with one sender each, round robin per port gives the nearest half and halves it
// from there.
#include "tests/catch.h"
#include "tests/truth/shares.h"

using namespace weft;
using namespace weft::test;

TEST_CASE("T9: the parking lot's shares are 1/2, 1/4, ..., and the last two are equal", "[fast]") {
  for (const unsigned s : {2u, 3u, 4u, 5u}) {
    CAPTURE(s);
    Rig rig;
    rig.switches().port_to_port = nanoseconds(130);
    rig.switches().buffer = Bytes{8 * 65 * 64};
    const NodeIndex sink = rig.host();
    for (unsigned i = 0; i < s; ++i) rig.host();
    std::vector<NodeIndex> sw;
    for (unsigned i = 0; i < s; ++i) sw.push_back(rig.add_switch(3));
    rig.wire(sw[0], 1, sink, 1);
    for (unsigned i = 0; i < s; ++i) rig.wire(1 + i, 1, sw[i], 2);
    for (unsigned i = 0; i + 1 < s; ++i) rig.wire(sw[i], 3, sw[i + 1], 1);
    rig.route_shortest();
    const auto world = rig.build();
    std::vector<Saturator::Flow> flows;
    for (unsigned i = 0; i < s; ++i) flows.push_back({1 + i, 0});
    Saturator user(*world, flows, 200'000'000, 200'000'000 + Ticks{40'000} * 82'440);
    world->run();
    double share = 1;
    for (unsigned i = 0; i < s; ++i) {
      if (i + 1 < s) share /= 2;
      CHECK(user.share(i) == Approx(share).epsilon(0.01));
    }
  }
}
