#include "models/routing/sl2vl.h"

#include <algorithm>

namespace weft {

Sl2Vl::Sl2Vl(unsigned data_vls) : maps_(1) {
  for (unsigned sl = 0; sl < maps_[0].size(); ++sl) maps_[0][sl] = static_cast<std::uint8_t>(sl % data_vls);
}

void Sl2Vl::Grid::reach(unsigned port) {
  if (port + 2 <= side) return;
  Grid wider{port + 2, std::vector<std::uint16_t>((port + 2) * (port + 2))};
  if (side > 0) {
    for (unsigned in = 0; in < wider.side; ++in)
      for (unsigned out = 0; out < wider.side; ++out) wider.map_of[in * wider.side + out] = at(in, out);
  }
  *this = std::move(wider);
}

bool Sl2Vl::drops() const {
  return std::ranges::any_of(maps_,
                             [](const SlMap& map) { return std::ranges::find(map, kDropVl) != map.end(); });
}

std::uint16_t Sl2Vl::index_of(const SlMap& map) {
  const auto known = std::ranges::find(maps_, map);
  const auto index = static_cast<std::uint16_t>(known - maps_.begin());
  if (known == maps_.end()) maps_.push_back(map);
  return index;
}

void Sl2Vl::take(NodeIndex node, const Sl2Vl& other, NodeIndex theirs) {
  if (theirs >= other.grid_of_.size() || other.grid_of_[theirs] == kNone) {
    set(node, kAnyPort, kAnyPort, other.maps_[0]);
    return;
  }
  if (grid_of_.size() <= node) grid_of_.resize(node + 1, kNone);
  grid_of_[node] = static_cast<std::uint32_t>(grids_.size());
  grids_.push_back(other.grids_[other.grid_of_[theirs]]);
  for (std::uint16_t& map : grids_.back().map_of) map = index_of(other.maps_[map]);
}

void Sl2Vl::set(NodeIndex node, std::uint8_t in, std::uint8_t out, const SlMap& map) {
  if (grid_of_.size() <= node) grid_of_.resize(node + 1, kNone);
  if (grid_of_[node] == kNone) {
    grid_of_[node] = static_cast<std::uint32_t>(grids_.size());
    grids_.emplace_back();
  }
  const std::uint16_t index = index_of(map);
  Grid& grid = grids_[grid_of_[node]];
  grid.reach(std::max(in == kAnyPort ? 0u : in, out == kAnyPort ? 0u : out));
  for (unsigned i = 0; i < grid.side; ++i) {
    if (in != kAnyPort && in != i) continue;
    for (unsigned o = 0; o < grid.side; ++o)
      if (out == kAnyPort || out == o) grid.map_of[i * grid.side + o] = index;
  }
}

}  // namespace weft
