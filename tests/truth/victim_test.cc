// T11: a victim that shares a link and a lane with flows to a hot port gets what one of them gets; on a lane
// of its own, all they leave.
#include "tests/catch.h"
#include "tests/truth/shares.h"

using namespace weft;
using namespace weft::test;

namespace {

/// k hot flows and a victim over one link; t local senders at the hot port. Returns shares: victim, then each
/// hot flow.
std::vector<double> shares(std::uint32_t k, std::uint32_t t, std::uint8_t victim_sl, unsigned vls) {
  Rig rig;
  rig.settings.data_vls = vls;
  rig.settings.sl2vl = Sl2Vl(vls);
  rig.switches().port_to_port = nanoseconds(130);
  rig.switches().buffer = Bytes{16 * 65 * 64};
  const NodeIndex hot = rig.host(), victim_sink = rig.host();
  std::vector<NodeIndex> far, local;
  for (std::uint32_t i = 0; i < k + 1; ++i) far.push_back(rig.host());
  for (std::uint32_t i = 0; i < t; ++i) local.push_back(rig.host());
  const NodeIndex a = rig.add_switch(k + 2), b = rig.add_switch(t + 3);
  rig.wire(a, k + 2, b, t + 3);
  for (std::uint32_t i = 0; i < k + 1; ++i) rig.wire(far[i], 1, a, 1 + i);
  for (std::uint32_t i = 0; i < t; ++i) rig.wire(local[i], 1, b, 1 + i);
  rig.wire(hot, 1, b, t + 1);
  rig.wire(victim_sink, 1, b, t + 2);
  rig.route_shortest();
  const auto world = rig.build();
  std::vector<Saturator::Flow> flows{{far[0], 1, victim_sl}};
  for (std::uint32_t i = 0; i < k; ++i) flows.push_back({far[1 + i], 0});
  for (std::uint32_t i = 0; i < t; ++i) flows.push_back({local[i], 0});
  Saturator user(*world, flows, 200'000'000, 200'000'000 + Ticks{60'000} * 82'440);
  world->run();
  std::vector<double> result;
  for (std::size_t i = 0; i <= k; ++i) result.push_back(user.share(i));
  return result;
}

}  // namespace

TEST_CASE("T11: on the hot flows' lane the victim gets 1/(k(t+1)) of the line", "[fast]") {
  for (const auto& [k, t] : {std::pair{1u, 1u}, {2u, 1u}, {1u, 3u}, {3u, 2u}, {4u, 4u}}) {
    CAPTURE(k, t);
    const auto got = shares(k, t, 0, 1);
    for (const double share : got) CHECK(share == Approx(1.0 / (k * (t + 1))).epsilon(0.01));
  }
}

TEST_CASE("T11: on a lane of its own the victim gets 1 - 1/(t+1)", "[fast]") {
  for (const auto& [k, t] : {std::pair{1u, 1u}, {2u, 1u}, {1u, 3u}, {3u, 2u}}) {
    CAPTURE(k, t);
    const auto got = shares(k, t, 1, 2);
    CHECK(got[0] == Approx(1 - 1.0 / (t + 1)).epsilon(0.01));
    for (std::size_t i = 1; i < got.size(); ++i) CHECK(got[i] == Approx(1.0 / (k * (t + 1))).epsilon(0.01));
  }
}
