#include "models/topology/fat_tree_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

constexpr Ratio kMostTaper{100, 1};

/// Rate of one link over that of another.
Ratio speed_ratio(const LinkSpec& over, const LinkSpec& under) {
  const Ratio a = data_rate(over).bits_per_second, b = data_rate(under).bits_per_second;
  return make_ratio(Uint128{a.num} * b.den, Uint128{a.den} * b.num);
}

// Up ports a switch with `down` ports needs: ports_ratio times as many, rounded up.
std::uint64_t up_ports(std::uint64_t down, Ratio ports_ratio) {
  return static_cast<std::uint64_t>((Uint128{down} * ports_ratio.num + ports_ratio.den - 1) /
                                    ports_ratio.den);
}

struct Ports {
  std::uint32_t down = 0, up = 0;
};

/// Most down ports that leave a switch the up ports they need; none where a single one leaves too few.
Ports split(std::uint32_t radix, Ratio ports_ratio) {
  std::uint32_t down = radix - 1;
  while (down > 0 && down + up_ports(down, ports_ratio) > radix) --down;
  return {down, static_cast<std::uint32_t>(down == 0 ? 0 : up_ports(down, ports_ratio))};
}

Ports leaf_ports(const FatTree& tree, std::uint32_t radix, Ratio ports_ratio) {
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
  const Ports ports = split(radix, ports_ratio);
  if (ports.down == 0)
    throw BadValue("taper", fmt::format("a switch of {} ports has none left for machines at taper {}", radix,
                                        to_text(tree.taper)));
  return ports;
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
  Sizing(const FatTree& tree, const SwitchKind& kind, const TierLinks& links, Ports leaf)
      : tree_(tree), kind_(kind), links_(links), leaf_(leaf) {
    spine_ = split(kind.ports, speed_ratio(links.leaf, links.core));
    core_ = split(kind.ports, {1, 1});
  }

  TreePlan size() {
    if (tree_.parallel && tree_.levels > 1 && (*tree_.parallel == 0 || leaf_.up % *tree_.parallel != 0))
      throw BadValue("parallel", fmt::format("{} cables to each spine do not divide a leaf's {} up ports",
                                             *tree_.parallel, leaf_.up));
    plan_.machines = tree_.hosts;
    plan_.rails = tree_.rails;
    plan_.layout = tree_.rail_layout;
    add_leaves();
    std::uint32_t up = leaf_.up;  // of the level below
    for (std::uint32_t level = 2; level <= tree_.levels; ++level) {
      add_level(level, up);
      up = inner(level).up;
    }
    std::uint64_t count = 0;
    for (const TreePlan::Level& level : plan_.levels) count += std::uint64_t{level.subtrees} * level.width;
    check_size(0, count, kind_.ports, "levels");
    return std::move(plan_);
  }

  /// Machines that fit at most with this many levels.
  std::uint64_t capacity(std::uint32_t levels) const {
    const std::uint64_t p = tree_.parallel.value_or(1);
    std::uint64_t leaves = 1;
    for (std::uint32_t level = 2; level <= levels; ++level)
      leaves *= (level == levels ? kind_.ports : inner(level).down) / (level == 2 ? p : 1);
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
  /// Of a switch above the leaves and below the top. Its bandwidth up is that down: the taper is the leaves'.
  const Ports& inner(std::uint32_t level) const { return level == 2 ? spine_ : core_; }

  void add_leaves() {
    const std::uint32_t rails = tree_.rails;
    plan_.machines_per_group = leaf_.down;
    if (tree_.rail_layout == RailLayout::shared_leaves) {
      plan_.machines_per_group = leaf_.down / rails;
      if (plan_.machines_per_group == 0)
        throw BadValue("rails",
                       fmt::format("{} rails of a machine do not fit the {} down ports of one leaf; use "
                                   "`rail_layout: rail_optimised` or `planes`",
                                   rails, leaf_.down));
    }
    if (tree_.rail_layout == RailLayout::rail_optimised) {
      plan_.leaves_per_group = rails;
      if (tree_.levels == 1 && rails > 1)
        throw BadValue("rail_layout",
                       "levels: 1 is one switch: its rails are `shared_leaves`, or `planes` with a switch "
                       "each");
    }
    if (std::uint64_t{tree_.hosts} * rails > kMostEnds)
      throw BadValue("hosts", fmt::format("{} machines with {} rails are {} ends; at most {} are simulated",
                                          tree_.hosts, rails, std::uint64_t{tree_.hosts} * rails, kMostEnds));
    if (tree_.hosts > capacity(tree_.levels)) too_many();
    const std::uint64_t groups = divide_up(tree_.hosts, plan_.machines_per_group);
    const std::uint32_t ends = tree_.rail_layout == RailLayout::shared_leaves ? rails : 1;
    TreePlan::Level leaves = level_of_kind(links_.host, leaf_.down);
    leaves.children = std::min(tree_.hosts, plan_.machines_per_group) * ends;
    leaves.subtrees = static_cast<std::uint32_t>(groups * plan_.leaves_per_group);
    plan_.levels.push_back(std::move(leaves));
  }

  TreePlan::Level level_of_kind(const LinkSpec& below, std::uint32_t down) const {
    TreePlan::Level level;
    level.profile = kind_.profile;
    level.radix = kind_.ports;
    level.below = below;
    level.down = down;
    return level;
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
                    tree_.hosts, tree_.rails, tree_.levels, kind_.ports, leaf_.down, capacity(tree_.levels),
                    more));
  }

  void add_level(std::uint32_t level, std::uint32_t up) {
    const std::uint32_t down = level == tree_.levels ? kind_.ports : inner(level).down;
    const std::uint32_t below = plan_.levels.back().subtrees;
    std::uint32_t p = 1;
    if (level == 2 && tree_.parallel)
      p = *tree_.parallel;
    else if (below <= down)
      p = widest_parallel(up, below, down);
    const std::uint32_t children = std::min(below, down / p);
    if (below == 1)
      plan_.warnings.push_back(fmt::format(
          "level {} of the fat tree joins a single switch group; levels: {} would do", level, level - 1));
    TreePlan::Level next = level_of_kind(level == 2 ? links_.leaf : links_.core, down);
    next.children = children;
    next.parallel = p;
    next.parents = up / p;
    next.subtrees = static_cast<std::uint32_t>(divide_up(below, children));
    next.width = plan_.levels.back().width * (up / p);
    plan_.levels.push_back(std::move(next));
  }

  const FatTree& tree_;
  const SwitchKind& kind_;
  const TierLinks& links_;
  Ports leaf_, spine_, core_;
  TreePlan plan_;
};

}  // namespace

TreePlan fat_tree_plan(const FatTree& tree, const SwitchKind& kind, const TierLinks& links) {
  if (tree.hosts == 0) throw BadValue("hosts", "a fat tree needs at least one machine");
  if (tree.rails == 0) throw BadValue("rails", "a machine needs at least one rail");
  if (tree.taper > kMostTaper)
    throw BadValue("taper", fmt::format("taper is at most {}", to_text(kMostTaper)));
  const Ratio speeds = speed_ratio(links.host, links.leaf);
  Ratio ports_ratio;
  try {
    ports_ratio = make_ratio(Uint128{tree.taper.num} * speeds.num, Uint128{tree.taper.den} * speeds.den);
  } catch (const UnitError&) {
    throw BadValue("taper", "taper has too many digits");
  }
  if (tree.levels > 2 && split(kind.ports, speed_ratio(links.leaf, links.core)).down == 0)
    throw BadValue(
        "core_link.speed",
        fmt::format("{} ports of {} up are too few for one of {} down: a spine could reach no leaf",
                    kind.ports - 1, speed_text(links.core), speed_text(links.leaf)));
  return Sizing(tree, kind, links, leaf_ports(tree, kind.ports, ports_ratio)).size();
}

}  // namespace weft
