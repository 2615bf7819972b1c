#include "models/routing/torus_2qos/placement.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "models/routing/torus_2qos/cube.h"
#include "models/routing/torus_2qos/links.h"
#include "models/routing/torus_2qos/of_grid.h"

namespace weft {
namespace {

using Corners = std::array<TorusPlace, 8>;

/// A seed whose switches are all there.
struct SeedNodes {
  NodeIndex from = kNone;
  std::array<NodeIndex, kTorusDirections> neighbour{kNone, kNone, kNone, kNone, kNone, kNone};
  TorusPlace at{};
};

class Placer {
 public:
  Placer(const Topology& topology, const SwitchGraph& graph, const TorusConfig& config)
      : topology_(topology), graph_(graph), grid_(config), links_(topology, graph, config.group_ports) {
    for (unsigned d = 0; d < kTorusDimensions; ++d)
      if (config.size[d] > 1) dimensions_ |= 1u << d;
  }

  /// Puts `node` on `place` unless that is taken.
  void put(NodeIndex node, const TorusPlace& place) {
    if (grid_.at(place) != TorusGrid::kNobody || grid_.place(node, place)) return;
    throw Refusal(
        "torus-2QoS",
        fmt::format("{} would stand at {} and at {}: the fabric is not the torus that `config` "
                    "describes",
                    topology_.display_name(node), to_text(grid_[grid_.number_of(node)].at), to_text(place)));
  }

  void put(const SeedNodes& seed) {
    put(seed.from, seed.at);
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      for (const bool up : {true, false}) {
        const unsigned direction = direction_of(d, up);
        if (seed.neighbour[direction] != kNone)
          put(seed.neighbour[direction], grid_.step(seed.at, direction));
      }
    }
  }

  /// Looks at all cubes until no more cables find their place.
  void search() {
    for (std::size_t left = links_.free_cables() + 1; links_.free_cables() < left;) {
      left = links_.free_cables();
      for_each_cube([&](const Corners& corners) { complete(corners); });
    }
  }

  void join_all() {
    for_each_cube([&](const Corners& corners) { join(corners); });
  }

  PlacedTorus result() {
    PlacedTorus placed{std::move(grid_), {}};
    std::vector<NodeIndex> outside;
    for (const NodeIndex node : graph_.switches())
      if (placed.grid.number_of(node) == TorusGrid::kNobody) outside.push_back(node);
    if (!outside.empty()) {
      std::string names;
      for (std::size_t i = 0; i < std::min<std::size_t>(outside.size(), 5); ++i)
        names += (i == 0 ? "" : ", ") + topology_.display_name(outside[i]);
      placed.warnings.push_back(fmt::format(
          "torus-2QoS finds no place in the torus for {} switch{} ({}{}): nothing is routed there",
          outside.size(), outside.size() == 1 ? "" : "es", names, outside.size() > 5 ? ", ..." : ""));
    }
    if (const std::size_t cables = links_.free_cables(); cables > 0)
      placed.warnings.push_back(fmt::format(
          "torus-2QoS leaves {} cable{} between switches unused: not between neighbours in the torus, or "
          "beyond portgroup_max_ports",
          cables, cables == 1 ? "" : "s"));
    return placed;
  }

 private:
  template <class Visit>
  void for_each_cube(Visit visit) {
    TorusPlace place{};
    for (place[2] = 0; place[2] < grid_.size(2); ++place[2])
      for (place[1] = 0; place[1] < grid_.size(1); ++place[1])
        for (place[0] = 0; place[0] < grid_.size(0); ++place[0])
          if (!over_the_edge(place)) visit(corners_of(place));
  }

  bool over_the_edge(const TorusPlace& place) const {
    for (unsigned d = 0; d < kTorusDimensions; ++d)
      if (grid_.mesh(d) && grid_.size(d) > 1 && place[d] + 1 == grid_.size(d)) return true;
    return false;
  }

  Corners corners_of(const TorusPlace& place) const {
    Corners corners;
    corners.fill(place);
    for (unsigned c = 0; c < corners.size(); ++c)
      for (unsigned d = 0; d < kTorusDimensions; ++d)
        if ((c >> d & 1) != 0) corners[c] = grid_.step(corners[c], direction_of(d, true));
    return corners;
  }

  NodeIndex node_at(const TorusPlace& place) const {
    const std::uint32_t number = grid_.at(place);
    return number == TorusGrid::kNobody ? kNone : grid_[number].node;
  }

  /// Joins two neighbouring places where both have switches.
  bool join(unsigned dimension, const TorusPlace& lower, const TorusPlace& upper) {
    const std::uint32_t a = grid_.at(lower), b = grid_.at(upper);
    return a == TorusGrid::kNobody || b == TorusGrid::kNobody || links_.join(grid_, dimension, a, b);
  }

  void join(const Corners& corners) {
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      if ((dimensions_ >> d & 1) == 0) continue;
      for (unsigned c = 0; c < corners.size(); ++c)
        if ((c >> d & 1) == 0) join(d, corners[c], corners[c | 1u << d]);
    }
  }

  void complete(const Corners& corners) {
    for (bool found = true; found;) {
      join(corners);
      unsigned present = 0;
      for (unsigned c = 0; c < corners.size(); ++c)
        if ((c & ~dimensions_) == 0 && node_at(corners[c]) != kNone) present |= 1u << c;
      const std::vector<CubeStep> steps = cube_steps(dimensions_, present);
      found = std::ranges::any_of(steps, [&](const CubeStep& step) { return take(step, corners, present); });
    }
    join(corners);
  }

  bool take(const CubeStep& step, const Corners& corners, unsigned present) {
    NodeIndex found = kNone;
    if (step.by == CubeStep::By::square) {
      const unsigned end = step.begin ^ step.target ^ step.from;
      found = links_.corner(node_at(corners[step.begin]), node_at(corners[step.from]), node_at(corners[end]));
    } else if (step.by == CubeStep::By::perpendicular) {
      found = off(step, corners, present);
    } else {
      found = links_.only_neighbour(node_at(corners[step.from]));
    }
    if (found == kNone) return false;
    put(found, corners[step.target]);
    return true;
  }

  /// The neighbour of step.from towards step.target, where squares tell it from all others.
  NodeIndex off(const CubeStep& step, const Corners& corners, unsigned present) {
    const TorusPlace& base = corners[step.from];
    NodeIndex behind = kNone;
    std::vector<NodeIndex> sides;
    bool certain = true;
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      const unsigned bit = 1u << d;
      if ((step.from ^ step.target) == bit)
        behind = node_at(grid_.step(base, direction_of(d, (step.target & bit) == 0)));
      else
        certain = certain && ring_is_known(d, base);
      if ((dimensions_ & bit) != 0 && (present >> (step.from ^ bit) & 1) != 0)
        sides.push_back(node_at(corners[step.from ^ bit]));
    }
    if (!certain || behind == kNone) return kNone;
    return links_.perpendicular(node_at(base), sides, behind);
  }

  /// Whether the ring through `base` can be mistaken for a square no more: it is not one of four, or three of
  /// its switches are known and the cables between them no longer free.
  bool ring_is_known(unsigned dimension, const TorusPlace& base) {
    if (grid_.size(dimension) != 4 || grid_.mesh(dimension)) return true;
    const unsigned up = direction_of(dimension, true);
    std::array<TorusPlace, 4> ring{base};
    for (std::size_t i = 1; i < ring.size(); ++i) ring[i] = grid_.step(ring[i - 1], up);
    if (std::ranges::count_if(ring, [&](const TorusPlace& p) { return node_at(p) != kNone; }) < 3)
      return false;
    bool joined = true;
    for (std::size_t i = 0; i < ring.size(); ++i)
      joined = join(dimension, ring[i], ring[(i + 1) % ring.size()]) && joined;
    return joined;
  }

  const Topology& topology_;
  const SwitchGraph& graph_;
  unsigned dimensions_ = 0;  // bit d: dimension d is longer than one
  TorusGrid grid_;
  TorusLinks links_;
};

std::uint32_t wrapped(int coordinate, std::uint32_t size) {
  const int ring = static_cast<int>(size);
  return static_cast<std::uint32_t>((coordinate % ring + ring) % ring);
}

/// The first seed that has all its switches in the fabric.
SeedNodes usable_seed(const Topology& topology, const SwitchGraph& graph, const TorusConfig& config) {
  std::unordered_map<Guid, NodeIndex> by_guid;
  for (const NodeIndex node : graph.switches())
    if (!graph.links(node).empty() || graph.switches().size() == 1)
      by_guid.emplace(topology.nodes[node].guid, node);
  std::string missing;
  for (const TorusSeed& seed : config.seeds) {
    bool complete = true;
    const auto find = [&](Guid guid) {
      const auto found = by_guid.find(guid);
      if (found != by_guid.end()) return found->second;
      complete = false;
      missing += fmt::format("{}0x{:016x}", missing.empty() ? "" : ", ", guid);
      return kNone;
    };
    SeedNodes nodes;
    nodes.from = find(seed.from);
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      nodes.at[d] = wrapped(-seed.dateline[d], config.size[d]);
      if (config.size[d] == 1) continue;
      for (const unsigned direction : {direction_of(d, true), direction_of(d, false)})
        if (seed.neighbour[direction]) nodes.neighbour[direction] = find(*seed.neighbour[direction]);
    }
    if (complete) return nodes;
  }
  throw Refusal("torus-2QoS",
                fmt::format("every seed has a switch that is not in it (missing: {})", missing));
}

}  // namespace

PlacedTorus place_by_seeds(const Topology& topology, const SwitchGraph& graph, const TorusConfig& config) {
  Placer placer(topology, graph, config);
  placer.put(usable_seed(topology, graph, config));
  placer.search();
  return placer.result();
}

PlacedTorus place_by_grid(const Topology& topology, const SwitchGraph& graph, const TorusConfig& config) {
  Placer placer(topology, graph, config);
  const std::vector<TorusPlace> places = places_of_grid(topology);
  for (std::size_t n = 0; n < places.size(); ++n) {
    const NodeIndex node = graph.switches()[n];
    if (!graph.links(node).empty() || places.size() == 1) placer.put(node, places[n]);
  }
  placer.join_all();
  PlacedTorus placed = placer.result();
  if (config.seeds.empty()) return placed;
  try {
    PlacedTorus found = place_by_seeds(topology, graph, config);
    const auto also_there = [&](const TorusSwitch& sw) {
      const std::uint32_t number = found.grid.number_of(sw.node);
      return number != TorusGrid::kNobody && found.grid[number] == sw;
    };
    if (std::ranges::all_of(placed.grid.switches(), also_there)) placed.grid = std::move(found.grid);
  } catch (const Refusal&) {
    // Too much is missing for the search: the order of the nodes will do.
  }
  return placed;
}

}  // namespace weft
