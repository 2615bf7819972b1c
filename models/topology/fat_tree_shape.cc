#include "models/topology/fat_tree_shape.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

constexpr std::uint64_t kMostEnds = 1u << 22;  // above, a Topology does not fit an ordinary machine's memory
constexpr std::uint64_t kMostSwitchPorts = 100'000'000;
constexpr Ratio kMostTaper{100, 1};

// Up ports a leaf with `down` ports needs so that its up-bandwidth is at least taper x its down-bandwidth.
std::uint64_t up_ports(std::uint64_t down, Ratio ports_ratio) {
  return static_cast<std::uint64_t>((Uint128{down} * ports_ratio.num + ports_ratio.den - 1) /
                                    ports_ratio.den);
}

struct LeafPorts {
  std::uint32_t down = 0, up = 0;
};

LeafPorts leaf_ports(const FatTree& tree, std::uint32_t radix, Ratio ports_ratio) {
  if (tree.levels == 1) {
    const std::uint32_t down = tree.leaf_down.value_or(radix);
    if (down > radix || down == 0)
      throw BadValue("leaf_down", fmt::format("a switch has 1 to {} ports for machines", radix));
    return {down, 0};
  }
  if (ports_ratio.num == 0)
    throw BadValue("taper", "a leaf without up-bandwidth reaches no spine; use levels: 1");
  if (tree.leaf_down) {
    const std::uint64_t up = up_ports(*tree.leaf_down, ports_ratio);
    if (*tree.leaf_down == 0 || *tree.leaf_down + up > radix)
      throw BadValue("leaf_down",
                     fmt::format("{} down and {} up ports (taper {}) do not fit a switch of {} ports",
                                 *tree.leaf_down, up, to_text(tree.taper), radix));
    return {*tree.leaf_down, static_cast<std::uint32_t>(up)};
  }
  std::uint32_t down = radix - 1;
  while (down > 0 && down + up_ports(down, ports_ratio) > radix) --down;
  if (down == 0)
    throw BadValue("taper", fmt::format("a switch of {} ports has none left for machines at taper {}", radix,
                                        to_text(tree.taper)));
  return {down, static_cast<std::uint32_t>(up_ports(down, ports_ratio))};
}

// Most parallel cables that divide `up` ports evenly and let `children` children fit on `down` ports.
std::uint32_t widest_parallel(std::uint32_t up, std::uint64_t children, std::uint32_t down) {
  std::uint32_t best = 1;
  for (std::uint32_t p = 1; p <= up && children * p <= down; ++p)
    if (up % p == 0) best = p;
  return best;
}

class Sizing {
 public:
  Sizing(const FatTree& tree, std::uint32_t radix, LeafPorts leaf)
      : tree_(tree), radix_(radix), leaf_(leaf) {}

  FatTreeShape size() {
    if (tree_.parallel && tree_.levels > 1 && (*tree_.parallel == 0 || leaf_.up % *tree_.parallel != 0))
      throw BadValue("parallel", fmt::format("{} cables to each spine do not divide a leaf's {} up ports",
                                             *tree_.parallel, leaf_.up));
    groups();
    shape_.down = {leaf_.down};
    shape_.children = {shape_.ends_per_leaf};
    shape_.parents = {1};
    shape_.parallel = {1};
    shape_.subtrees = {shape_.leaves};
    shape_.width = {1};
    std::uint32_t up = leaf_.up;  // of the level below
    for (std::uint32_t level = 2; level <= tree_.levels; ++level) {
      add_level(level, up);
      up = radix_ / 2;
    }
    check_size();
    return std::move(shape_);
  }

  /// Machines that fit at most with this many levels.
  std::uint64_t capacity(std::uint32_t levels) const {
    const std::uint64_t p = tree_.parallel.value_or(1);
    std::uint64_t leaves = 1;
    for (std::uint32_t level = 2; level <= levels; ++level)
      leaves *= (level == levels ? radix_ : radix_ / 2) / (level == 2 ? p : 1);
    switch (tree_.rail_layout) {
      case RailLayout::planes:
        return leaves * leaf_.down;
      case RailLayout::shared_leaves:
        return leaves * (leaf_.down / tree_.rails);
      case RailLayout::rail_optimised:
        return leaves / tree_.rails * leaf_.down;
    }
    return 0;
  }

 private:
  void groups() {
    const std::uint32_t rails = tree_.rails;
    shape_.machines_per_group = leaf_.down;
    if (tree_.rail_layout == RailLayout::shared_leaves) {
      shape_.machines_per_group = leaf_.down / rails;
      if (shape_.machines_per_group == 0)
        throw BadValue("rails",
                       fmt::format("{} rails of a machine do not fit the {} down ports of one leaf; use "
                                   "`rail_layout: rail_optimised` or `planes`",
                                   rails, leaf_.down));
    }
    if (tree_.rail_layout == RailLayout::rail_optimised) {
      shape_.leaves_per_group = rails;
      if (tree_.levels == 1 && rails > 1)
        throw BadValue("rail_layout",
                       "levels: 1 is one switch: its rails are `shared_leaves`, or `planes` with a switch "
                       "each");
    }
    if (std::uint64_t{tree_.hosts} * rails > kMostEnds)
      throw BadValue("hosts", fmt::format("{} machines with {} rails are {} ends; at most {} are simulated",
                                          tree_.hosts, rails, std::uint64_t{tree_.hosts} * rails, kMostEnds));
    if (tree_.hosts > capacity(tree_.levels)) too_many();
    const std::uint64_t groups = divide_up(tree_.hosts, shape_.machines_per_group);
    shape_.leaves = static_cast<std::uint32_t>(groups * shape_.leaves_per_group);
    const std::uint32_t ends = tree_.rail_layout == RailLayout::shared_leaves ? rails : 1;
    shape_.ends_per_leaf = std::min(tree_.hosts, shape_.machines_per_group) * ends;
  }

  [[noreturn]] void too_many() const {
    std::string more;
    for (std::uint32_t levels = tree_.levels + 1; levels <= 4 && more.empty(); ++levels) {
      if (tree_.levels == 1) break;  // its leaves have no up ports: another tree
      if (capacity(levels) >= tree_.hosts)
        more = fmt::format("; levels: {} holds {}", levels, capacity(levels));
    }
    throw BadValue(
        "hosts",
        fmt::format("{} machines with {} rail(s) do not fit: {} level(s) of {}-port switches with {} "
                    "down ports a leaf hold at most {}{}",
                    tree_.hosts, tree_.rails, tree_.levels, radix_, leaf_.down, capacity(tree_.levels),
                    more));
  }

  void add_level(std::uint32_t level, std::uint32_t up) {
    const bool top = level == tree_.levels;
    const std::uint32_t down = top ? radix_ : radix_ / 2;
    const std::uint32_t below = shape_.subtrees.back();
    if (down == 0) throw BadValue("radix", fmt::format("{} ports do not make an inner switch", radix_));
    std::uint32_t p = 1;
    if (level == 2 && tree_.parallel)
      p = *tree_.parallel;
    else if (below <= down)
      p = widest_parallel(up, below, down);
    const std::uint32_t children = std::min(below, down / p);
    if (below == 1)
      shape_.warnings.push_back(fmt::format(
          "level {} of the fat tree joins a single switch group; levels: {} would do", level, level - 1));
    shape_.down.push_back(down);
    shape_.children.push_back(children);
    shape_.parallel.push_back(p);
    shape_.parents.push_back(up / p);
    shape_.subtrees.push_back(static_cast<std::uint32_t>(divide_up(below, children)));
    shape_.width.push_back(shape_.width.back() * (up / p));
  }

  void check_size() const {
    std::uint64_t count = 0;
    for (std::size_t l = 0; l < shape_.subtrees.size(); ++l)
      count += std::uint64_t{shape_.subtrees[l]} * shape_.width[l];
    if (count * radix_ > kMostSwitchPorts)
      throw BadValue("levels", fmt::format("this tree has {} switches of {} ports, too many to simulate",
                                           count, radix_));
  }

  const FatTree& tree_;
  std::uint32_t radix_;
  LeafPorts leaf_;
  FatTreeShape shape_;
};

}  // namespace

FatTreeShape fat_tree_shape(const FatTree& tree, std::uint32_t radix, Ratio speed_ratio) {
  if (tree.hosts == 0) throw BadValue("hosts", "a fat tree needs at least one machine");
  if (tree.rails == 0) throw BadValue("rails", "a machine needs at least one rail");
  if (radix < 2 || radix > 254)
    throw BadValue("radix", fmt::format("a switch has 2 to 254 ports, not {}", radix));
  if (tree.taper > kMostTaper)
    throw BadValue("taper", fmt::format("taper is at most {}", to_text(kMostTaper)));
  Ratio ports_ratio;
  try {
    ports_ratio =
        make_ratio(Uint128{tree.taper.num} * speed_ratio.num, Uint128{tree.taper.den} * speed_ratio.den);
  } catch (const UnitError&) {
    throw BadValue("taper", "taper has too many digits");
  }
  return Sizing(tree, radix, leaf_ports(tree, radix, ports_ratio)).size();
}

}  // namespace weft
