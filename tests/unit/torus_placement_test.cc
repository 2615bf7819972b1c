#include "models/routing/torus_2qos/placement.h"

#include "models/routing/torus_2qos/cube.h"
#include "models/routing/torus_2qos/of_grid.h"
#include "sim/error.h"
#include "tests/catch.h"
#include "tests/torus_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

/// Switches that stand where the generator put them.
std::size_t rightly_placed(const Topology& t, const TorusGrid& found) {
  const SwitchGraph graph(t);
  const std::vector<TorusPlace> places = places_of_grid(t);
  std::size_t right = 0;
  for (std::size_t n = 0; n < places.size(); ++n) {
    const std::uint32_t number = found.number_of(graph.switches()[n]);
    right += number != TorusGrid::kNobody && found[number].at == places[n];
  }
  return right;
}

PlacedTorus search(const Topology& t, const TorusConfig& config) {
  return place_by_seeds(t, SwitchGraph(t), config);
}

std::string refusal(const Topology& t, const TorusConfig& config) {
  try {
    search(t, config);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

const std::vector<GridShape> kShapes{{{5, 5}},
                                     {{3, 3, 3}},
                                     {{4, 4, 4}},
                                     {{6, 4}},
                                     {{2, 3, 4}},
                                     {{4, 1, 5}},
                                     {{1, 4, 4}},
                                     {{2, 2, 2}},
                                     {{5, 4, 3}, {true, false, false}},
                                     {{4, 4}, {true, true}},
                                     {{3, 5, 4}, {false, true, true}, 2, 3},
                                     {{8}},
                                     {{1, 1, 6}},
                                     {{7}, {true}}};

}  // namespace

TEST_CASE("squares of cables lead from a seed to the coordinates the generator knows") {
  for (const GridShape& shape : kShapes) {
    const Topology t = grid(shape);
    CAPTURE(t.nodes.size(), shape.size[0]);
    const PlacedTorus found = search(t, config_of_grid(t));
    CHECK(rightly_placed(t, found.grid) == t.count(NodeKind::switch_));
    CHECK(found.warnings.empty());
    CHECK(found.grid.broken().empty());
    for (const TorusSwitch& sw : found.grid.switches()) {
      for (unsigned direction = 0; direction < kTorusDirections; ++direction) {
        for (const std::uint8_t port : sw.ports[direction]) {
          const std::uint32_t peer = found.grid.number_of(t.nodes[sw.node].port(port).peer_node);
          CHECK(found.grid[peer].at == found.grid.step(sw.at, direction));
        }
      }
    }
  }
}

TEST_CASE("a seed anywhere with datelines leads to the same coordinates") {
  const Topology t = grid({{5, 4, 3}});
  const TorusConfig first = config_of_grid(t);
  TorusConfig other = first;
  other.seeds.resize(1);
  const auto guid = [&](const char* name) { return t.nodes[t.find(name)].guid; };
  TorusSeed& seed = other.seeds[0];
  seed.from = guid("3.2.1");
  seed.neighbour = {guid("2.2.1"), std::nullopt, guid("3.1.1"), guid("3.3.1"), std::nullopt, guid("3.2.2")};
  seed.dateline = {-3, 2, -1};
  CHECK(rightly_placed(t, search(t, other).grid) == 60);
  TorusSeed gone = seed;
  gone.neighbour[0] = Guid{0x1234};
  other.seeds.insert(other.seeds.begin(), gone);
  CHECK(rightly_placed(t, search(t, other).grid) == 60);
  other.seeds.pop_back();
  CHECK_THAT(refusal(t, other), ContainsSubstring("every seed has a switch that is not in it (missing: "
                                                  "0x0000000000001234)"));
}

TEST_CASE("a switch that failed leaves its place empty, the seed's too") {
  for (const char* failed : {"0.0.0", "1.0.0", "2.1.3"}) {
    Topology t = grid({{4, 3, 4}});
    fail_switch(t, failed);
    CAPTURE(failed);
    const TorusConfig config = config_of_grid(t);
    REQUIRE(!config.seeds.empty());
    const PlacedTorus found = search(t, config);
    CHECK(rightly_placed(t, found.grid) == 47);
    CHECK(found.grid.number_of(t.find(failed)) == TorusGrid::kNobody);
    const PlacedTorus told = place_by_grid(t, SwitchGraph(t), config);
    CHECK(told.grid.switches() == found.grid.switches());
  }
}

TEST_CASE("what a whole torus says of itself leads through it when any one switch has failed") {
  for (const std::vector<std::uint32_t>& size :
       {std::vector<std::uint32_t>{4, 3, 4}, {5, 5}, {6, 3}, {4, 4}, {3, 3}, {5, 5, 5}}) {
    const Topology whole = grid({size});
    const TorusConfig config = config_of_grid(whole);
    CAPTURE(size);
    for (NodeIndex n = 0; n < whole.nodes.size(); ++n) {
      if (whole.nodes[n].kind != NodeKind::switch_) continue;
      Topology t = whole;
      fail_switch(t, t.nodes[n].name);
      CAPTURE(t.nodes[n].name);
      CHECK(rightly_placed(t, search(t, config).grid) == t.count(NodeKind::switch_) - 1);
    }
  }
}

TEST_CASE("a generated torus knows its places when no seed is left") {
  Topology t = grid({{3, 3}});
  TorusConfig config = config_of_grid(t);
  config.seeds.clear();
  CHECK(rightly_placed(t, place_by_grid(t, SwitchGraph(t), config).grid) == 9);
  for (Node& node : t.nodes) node.guid = 0;
  CHECK(config_of_grid(t).seeds.empty());
}

TEST_CASE("what is no part of the torus is left out with a warning") {
  Topology t = grid({{5, 5}, {}, 2});
  unplug(t, t.find("0.0"), 2);
  unplug(t, t.find("3.2"), 2);
  unplug(t, t.find("1.4"), 2);
  const TorusConfig config = config_of_grid(t);
  cable(t, t.find("0.0"), 2, t.add_node(NodeKind::switch_, "extra", 4), 1);
  cable(t, t.find("3.2"), 2, t.find("1.4"), 2);
  const PlacedTorus found = search(t, config);
  CHECK(found.grid.switches().size() == 25);
  REQUIRE(found.warnings.size() == 2);
  CHECK_THAT(found.warnings[0], ContainsSubstring("no place in the torus for 1 switch (extra)"));
  CHECK_THAT(found.warnings[1], ContainsSubstring("leaves 2 cables between switches unused"));
}

TEST_CASE("a file about another fabric puts one switch at two places, or leaves gaps") {
  const Topology t = grid({{5, 5}});
  TorusConfig config = config_of_grid(t);
  config.size = {5, 6, 1};
  CHECK_FALSE(search(t, config).grid.broken().empty());
  config = config_of_grid(t);
  config.seeds[0].neighbour[direction_of(0, true)] = t.nodes[t.find("2.1")].guid;
  CHECK_THAT(refusal(t, config), ContainsSubstring("would stand at ("));
}

TEST_CASE("steps of a cube") {
  using By = CubeStep::By;
  const auto steps = [](unsigned present) { return cube_steps(7, present); };
  CHECK(steps(0b1111'1111).empty());
  CHECK(steps(0b0000'0011).empty());
  // One corner left: across the square it was found by.
  CHECK(steps(0b0111'1111) == std::vector<CubeStep>{{By::square, 7, 4, 6}});
  // Two edges that meet in 7: upright on them.
  CHECK(steps(0b1110'0000) == std::vector<CubeStep>{{By::perpendicular, 3, 7}});
  // Three that meet in 0.
  CHECK(steps(0b0001'0111) ==
        std::vector<CubeStep>{{By::square, 3, 0, 1}, {By::square, 5, 0, 1}, {By::square, 6, 0, 2}});
  // A square, and one with a corner above it.
  CHECK(steps(0b1111'0000) == std::vector<CubeStep>{{By::perpendicular, 3, 7},
                                                    {By::perpendicular, 2, 6},
                                                    {By::perpendicular, 1, 5},
                                                    {By::perpendicular, 0, 4}});
  CHECK(steps(0b1111'1000) == std::vector<CubeStep>{{By::square, 1, 7, 3}, {By::square, 2, 7, 3}});
  // Two dimensions, and one.
  CHECK(cube_steps(5, 0b0010'0010) ==
        std::vector<CubeStep>{{By::perpendicular, 0, 1}, {By::perpendicular, 4, 5}});
  CHECK(cube_steps(3, 0b0111) == std::vector<CubeStep>{{By::square, 3, 0, 1}});
  CHECK(cube_steps(3, 0b1001).empty());
  CHECK(cube_steps(2, 0b0100) == std::vector<CubeStep>{{By::line, 0, 2}});
}

TEST_CASE("no cube leads to a corner it knows, from one it does not") {
  for (const unsigned dimensions : {1u, 2u, 4u, 3u, 5u, 6u, 7u}) {
    std::size_t handled = 0;
    for (unsigned present = 0; present < 256; ++present) {
      bool valid = true;
      for (unsigned c = 0; c < 8; ++c) valid = valid && ((present >> c & 1) == 0 || (c & ~dimensions) == 0);
      if (!valid) continue;
      const std::vector<CubeStep> steps = cube_steps(dimensions, present);
      handled += !steps.empty();
      for (const CubeStep& step : steps) {
        CHECK((step.target & ~dimensions) == 0);
        CHECK((present >> step.target & 1) == 0);
        CHECK((present >> step.from & 1) == 1);
        if (step.by != CubeStep::By::square) continue;
        CHECK((present >> step.begin & 1) == 1);
        CHECK((present >> (step.begin ^ step.from ^ step.target) & 1) == 1);
      }
    }
    const bool flat = dimensions == 3 || dimensions == 5 || dimensions == 6;
    // As many cases as OpenSM tells apart: edges and three corners; two and three edges, squares, with a
    // corner, without an edge, without a corner.
    CHECK(handled == (dimensions == 7 ? 24u + 8 + 6 + 24 + 12 + 8 : flat ? 8u : 2u));
  }
}
