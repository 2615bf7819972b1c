#include "models/routing/torus_2qos/grid.h"

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::string_view kDimensionNames = "xyz";

}  // namespace

std::string to_text(const TorusPlace& place) {
  return fmt::format("({},{},{})", place[0], place[1], place[2]);
}

TorusGrid::TorusGrid(const TorusConfig& config)
    : size_(config.size),
      mesh_(config.mesh),
      number_at_(std::size_t{config.size[0]} * config.size[1] * config.size[2], kNobody) {}

TorusPlace TorusGrid::step(TorusPlace place, unsigned direction) const {
  std::uint32_t& here = place[direction / 2];
  const std::uint32_t size = size_[direction / 2];
  here = direction % 2 != 0 ? (here + 1 < size ? here + 1 : 0) : (here > 0 ? here : size) - 1;
  return place;
}

bool TorusGrid::place(NodeIndex node, const TorusPlace& place) {
  if (number_of_.size() <= node) number_of_.resize(node + 1, kNobody);
  const bool first = number_of_[node] == kNobody;
  const auto number = static_cast<std::uint32_t>(switches_.size());
  number_at_[index(place)] = number;
  if (first) number_of_[node] = number;
  switches_.push_back({node, place, {}});
  return first;
}

std::string TorusGrid::broken() const {
  for (unsigned d = 0; d < kTorusDimensions; ++d)
    if (std::string why = cut_rings(d); !why.empty()) return why;
  return missing_switches();
}

std::string TorusGrid::missing_switches() const {
  const bool several = switches_.size() + 1 < places();
  std::optional<TorusPlace> first;
  TorusPlace place{};
  for (place[2] = 0; place[2] < size_[2]; ++place[2]) {
    for (place[1] = 0; place[1] < size_[1]; ++place[1]) {
      for (place[0] = 0; place[0] < size_[0]; ++place[0]) {
        if (at(place) != kNobody) continue;
        if (several && at(step(place, direction_of(2, false))) != kNobody &&
            at(step(place, direction_of(2, true))) != kNobody)
          return fmt::format(
              "switches are missing apart from each other, one of them at {}; it routes round "
              "one, or round neighbours along z",
              to_text(place));
        if (!first) {
          first = place;
        } else if (place[0] != (*first)[0] || place[1] != (*first)[1]) {
          return fmt::format(
              "switches are missing at {} and at {}; it routes round one, or round neighbours "
              "along z",
              to_text(*first), to_text(place));
        }
      }
    }
  }
  return {};
}

std::string TorusGrid::cut_rings(unsigned dimension) const {
  const unsigned up = direction_of(dimension, true), down = direction_of(dimension, false);
  struct Ends {
    std::uint32_t without_up = 0, without_down = 0;
  };
  std::vector<Ends> rings(places());  // by the place with a zero in this dimension
  for (const TorusSwitch& sw : switches_) {
    TorusPlace ring = sw.at;
    ring[dimension] = 0;
    Ends& ends = rings[index(ring)];
    if (sw.ports[up].empty()) ++ends.without_up;
    if (sw.ports[down].empty()) ++ends.without_down;
  }
  for (std::uint32_t number = 0; number < switches_.size(); ++number) {
    TorusPlace ring = switches_[number].at;
    ring[dimension] = 0;
    const Ends ends = rings[index(ring)];
    if (ends.without_up <= 1 && ends.without_down <= 1 && ends.without_up == ends.without_down) continue;
    return fmt::format(
        "the {} along {} through {} is cut into parts: it routes round one gap in a ring, none "
        "in a line",
        mesh_[dimension] ? "line" : "ring", kDimensionNames[dimension], to_text(switches_[number].at));
  }
  return {};
}

}  // namespace weft
