#include "models/routing/torus_2qos/of_grid.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace weft {
namespace {

/// Which dimensions of the grid are x, y and z.
std::vector<std::size_t> dimensions_of(const Topology& topology) {
  if (!topology.grid)
    throw Refusal(
        "torus-2QoS",
        "it needs to know the torus: name a torus-2QoS.conf in `config`, or take a topology that is "
        "generated as a torus");
  if (topology.planes > 1)
    throw Refusal("torus-2QoS", fmt::format("these are {} planes, and it is told of one", topology.planes));
  const std::vector<std::uint32_t>& size = topology.grid->size;
  std::vector<std::size_t> dimensions;
  std::uint64_t switches = 1;
  for (std::size_t d = 0; d < size.size(); ++d) {
    switches *= size[d];
    if (size[d] > 1 || size.size() <= kTorusDimensions) dimensions.push_back(d);
  }
  if (dimensions.size() > kTorusDimensions)
    throw Refusal("torus-2QoS",
                  fmt::format("it has {} dimensions; the service levels tell 3 apart", dimensions.size()));
  if (switches != topology.count(NodeKind::switch_))
    throw Refusal("torus-2QoS", fmt::format("the grid has {} places and the fabric {} switches", switches,
                                            topology.count(NodeKind::switch_)));
  return dimensions;
}

bool has_neighbour(const Topology& topology, const SwitchGraph& graph, NodeIndex node) {
  return node != kNone && topology.nodes[node].guid != 0 && !graph.links(node).empty();
}

bool share_a_switch(const TorusSeed& a, const TorusSeed& b) {
  const auto switches = [](const TorusSeed& seed) {
    std::vector<Guid> all{seed.from};
    for (const std::optional<Guid>& neighbour : seed.neighbour)
      if (neighbour) all.push_back(*neighbour);
    return all;
  };
  const std::vector<Guid> here = switches(a), there = switches(b);
  return std::ranges::find_first_of(here, there) != here.end();
}

}  // namespace

std::vector<TorusPlace> places_of_grid(const Topology& topology) {
  const std::vector<std::size_t> dimensions = dimensions_of(topology);
  std::vector<TorusPlace> places(topology.count(NodeKind::switch_));
  for (std::size_t n = 0; n < places.size(); ++n) {
    std::size_t digits = n, next = 0;
    for (std::size_t d = 0; d < topology.grid->size.size(); ++d) {
      const std::uint32_t size = topology.grid->size[d];
      if (next < dimensions.size() && dimensions[next] == d)
        places[n][next++] = static_cast<std::uint32_t>(digits % size);
      digits /= size;
    }
  }
  return places;
}

TorusConfig config_of_grid(const Topology& topology) {
  TorusConfig config;
  config.group_ports = 255;
  const std::vector<std::size_t> dimensions = dimensions_of(topology);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    config.size[d] = topology.grid->size[dimensions[d]];
    config.mesh[d] = config.size[d] == 2 || !topology.grid->wraps[dimensions[d]];
  }
  const SwitchGraph graph(topology);
  const std::vector<TorusPlace> places = places_of_grid(topology);
  TorusGrid grid(config);
  for (std::size_t n = 0; n < places.size(); ++n) grid.place(graph.switches()[n], places[n]);
  const auto seed_at = [&](std::uint32_t n) -> std::optional<TorusSeed> {
    if (!has_neighbour(topology, graph, grid[n].node)) return {};
    TorusSeed seed;
    seed.from = topology.nodes[grid[n].node].guid;
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      seed.dateline[d] = -static_cast<int>(places[n][d]);
      if (config.size[d] == 1) continue;
      const bool both = config.size[d] == 4 && !config.mesh[d];
      unsigned named = 0;
      for (const bool up : {true, false}) {
        const bool edge = config.mesh[d] && places[n][d] == (up ? config.size[d] - 1 : 0);
        if (edge || (named == 1 && !both)) continue;
        const NodeIndex node = grid[grid.at(grid.step(places[n], direction_of(d, up)))].node;
        if (!has_neighbour(topology, graph, node)) continue;
        seed.neighbour[direction_of(d, up)] = topology.nodes[node].guid;
        ++named;
      }
      if (named < (both ? 2u : 1u)) return {};
    }
    return seed;
  };
  for (std::uint32_t n = 0; n < places.size(); ++n) {
    const std::optional<TorusSeed> seed = seed_at(n);
    if (!seed || (!config.seeds.empty() && share_a_switch(config.seeds[0], *seed))) continue;
    config.seeds.push_back(*seed);
    if (config.seeds.size() == 2) break;
  }
  return config;
}

}  // namespace weft
