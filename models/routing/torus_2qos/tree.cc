#include "models/routing/torus_2qos/tree.h"

#include <algorithm>

namespace weft {
namespace {

class RootSearch {
 public:
  explicit RootSearch(const TorusGrid& grid)
      : grid_(grid), x_(grid.size(0)), y_(grid.size(1)), z_(grid.size(2)) {}

  std::uint32_t find() const {
    const std::uint32_t middle = z_ / 2;
    for (std::uint32_t off = 0; off <= middle; ++off) {
      for (const std::uint32_t z : {middle - off, (middle + off) % z_}) {
        if (!whole_plane(z)) continue;
        if (const std::uint32_t root = middle_of_plane(z); root != TorusGrid::kNobody) return root;
      }
    }
    const std::uint32_t root = middle_of_plane(middle);
    return root != TorusGrid::kNobody || !one_dimension() ? root : nearest_to_middle();
  }

 private:
  bool there(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return grid_.at({x, y, z}) != TorusGrid::kNobody;
  }

  bool whole_plane(std::uint32_t z) const {
    for (std::uint32_t y = 0; y < y_; ++y)
      for (std::uint32_t x = 0; x < x_; ++x)
        if (!there(x, y, z)) return false;
    return true;
  }

  bool whole_cross(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    for (std::uint32_t other = 0; other < x_; ++other)
      if (!there(other, y, z)) return false;
    for (std::uint32_t other = 0; other < y_; ++other)
      if (!there(x, other, z)) return false;
    return true;
  }

  /// The switch in the middle, or else on one diagonal through it, that misses none along x and along y.
  std::uint32_t middle_of_plane(std::uint32_t z) const {
    const std::uint32_t x = x_ / 2, y = y_ / 2;
    for (std::uint32_t off = 0; off <= std::min(x, y); ++off) {
      if (whole_cross(x - off, y - off, z)) return grid_.at({x - off, y - off, z});
      const std::uint32_t right = (x + off) % x_, above = (y + off) % y_;
      if (whole_cross(right, above, z)) return grid_.at({right, above, z});
    }
    return TorusGrid::kNobody;
  }

  bool one_dimension() const { return grid_.places() == std::max({x_, y_, z_}); }

  std::uint32_t nearest_to_middle() const {
    const auto distance = [&](const TorusSwitch& sw) {
      const std::uint32_t at = std::max({sw.at[0], sw.at[1], sw.at[2]});
      const auto middle = static_cast<std::uint32_t>(grid_.places() / 2);
      return at > middle ? at - middle : middle - at;
    };
    const auto& all = grid_.switches();
    return all.empty()
               ? TorusGrid::kNobody
               : static_cast<std::uint32_t>(std::ranges::min_element(all, {}, distance) - all.begin());
  }

  const TorusGrid& grid_;
  std::uint32_t x_, y_, z_;
};

class Growth {
 public:
  explicit Growth(const TorusGrid& grid)
      : grid_(grid), towards_(grid.switches().size(), TorusTree::kNowhere) {}

  /// Both ways along a dimension, from `root` to the dateline; beyond it only where one way ended before.
  void grow(std::uint32_t root, unsigned dimension) {
    const std::uint32_t at = grid_[root].at[dimension], size = grid_.size(dimension);
    const unsigned up = direction_of(dimension, true), down = direction_of(dimension, false);
    std::uint32_t upper = root, lower = root;
    for (std::uint32_t left = at; left > 0; --left) advance(lower, down);
    for (std::uint32_t left = size - 1 - at; left > 0; --left) advance(upper, up);
    if (lower != TorusGrid::kNobody && upper != TorusGrid::kNobody) return;
    for (std::uint32_t left = size; left > 0; --left) {
      advance(lower, down);
      advance(upper, up);
    }
  }

  std::vector<std::uint8_t> take() { return std::move(towards_); }

 private:
  void advance(std::uint32_t& tip, unsigned direction) {
    if (tip == TorusGrid::kNobody) return;
    tip = grid_.next(tip, direction);
    if (tip == TorusGrid::kNobody) return;
    if (towards_[tip] == TorusTree::kNowhere)
      towards_[tip] = static_cast<std::uint8_t>(direction ^ 1);
    else
      tip = TorusGrid::kNobody;
  }

  const TorusGrid& grid_;
  std::vector<std::uint8_t> towards_;
};

}  // namespace

std::optional<TorusTree> torus_tree(const TorusGrid& grid) {
  TorusTree tree;
  tree.root = RootSearch(grid).find();
  if (tree.root == TorusGrid::kNobody) return std::nullopt;
  const TorusPlace root = grid[tree.root].at;
  Growth growth(grid);
  growth.grow(tree.root, 0);
  for (std::uint32_t x = 0; x < grid.size(0); ++x) {
    if (const std::uint32_t sw = grid.at({x, root[1], root[2]}); sw != TorusGrid::kNobody) growth.grow(sw, 1);
    for (std::uint32_t y = 0; y < grid.size(1); ++y)
      if (const std::uint32_t sw = grid.at({x, y, root[2]}); sw != TorusGrid::kNobody) growth.grow(sw, 2);
  }
  tree.towards_root = growth.take();
  tree.towards_root[tree.root] = TorusTree::kNowhere;
  for (std::uint32_t sw = 0; sw < grid.switches().size(); ++sw)
    if (sw != tree.root && tree.towards_root[sw] == TorusTree::kNowhere) return std::nullopt;
  return tree;
}

}  // namespace weft
