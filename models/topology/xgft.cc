// Extended generalised fat trees, by their vectors: XGFT(h; m_1 .. m_h; w_1 .. w_h), with p_l cables a pair.
//
//   topology:
//     type: xgft
//     children: [4, 4, 2]     # m: ends of a leaf, leaves below a spine, pods below a core
//     parents: [1, 2, 4]      # w: leaves of an end (1), spines above a leaf, cores above a spine
//     parallel: [1, 2, 1]     # p
//     tiers: [{}, {switch: qm8700, radix: 40}, {speed: 4xXDR, cable: optics, length: 50 m}]
//
// A switch of level l has m_l p_l ports down and w_(l+1) p_(l+1) up, in that order (tree_plan.h); level l has
// (m_(l+1) .. m_h)(w_1 .. w_l) switches. What fat_tree works out from a number of machines is given here, so
// every tree that is regular can be had: tapered on any level, of switches and rates that differ by level.
// Source: Öhring, Ibel, Das, Kumar, "On generalized fat trees", IPPS 1995; parallel cables: Zahavi 2010.
// Left out: ends with two leaves in one network (w_1 > 1); an adapter port has one cable.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "models/topology/generator.h"
#include "models/topology/topology_builder_rows.h"
#include "models/topology/tree_plan.h"
#include "sim/error.h"

namespace weft {

namespace {

constexpr std::size_t kMostLevels = 8;

/// What is different about one level.
struct Tier : LinkKeys {
  void describe(Describe& d) override {
    d.field("switch", switch_profile, "Profile of the switches of this level. Default: the topology's.");
    d.field("radix", radix, "Ports of these switches. Default: the topology's, or the profile's.")
        .range("2", "254");
    d.field("speed", speed,
            "Width and generation of the cables down from here. Default: the slower switch profile's.");
    d.field("cable", cable, "Cable profile by name. Default: the fabric's.");
    d.field("length", length, "Length of each cable. Default: the fabric's.");
  }
  std::string switch_profile;
  std::optional<std::uint32_t> radix;
};

class Xgft : public TopologyBuilder, public SwitchKeys {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::vector<std::uint32_t> children, parents, parallel;
  std::vector<Tier> tiers;
  std::optional<std::uint32_t> hosts;
  std::uint32_t rails = 1;
  RailLayout rail_layout = RailLayout::rail_optimised;

 private:
  void check_vectors() const;
  std::uint32_t parents_at(std::size_t level) const { return parents.empty() ? 1 : parents[level]; }
  std::uint32_t parallel_at(std::size_t level) const { return parallel.empty() ? 1 : parallel[level]; }
  SwitchKind kind_of(std::size_t level, const BuildContext& context) const;
  void add_levels(TreePlan& plan, const BuildContext& context) const;
  void seat_machines(TreePlan& plan) const;
};

void Xgft::describe(Describe& d) {
  d.list("children", children,
         "m_1 .. m_h, from the leaves up: ends on a leaf, leaves below a spine, and so on. 1 to 8 levels.");
  d.list("parents", parents,
         "w_1 .. w_h: leaves of an end (1), spines above a leaf, and so on. Default: one each.");
  d.list("parallel", parallel, "p_1 .. p_h: cables between each such pair. Default: one each.");
  d.groups(
      "tiers", tiers,
      "What is different about the levels, from the leaves up: switches, and the cables down from them.");
  d.field("hosts", hosts,
          "Machines. Default: as many as the leaves take. Fewer fill the first leaves; every switch stays.")
      .range("1", "1000000");
  describe_switch(d);
  d.field("rails", rails, "Adapters a machine, one fabric port each.").range("1", "64");
  d.field("rail_layout", rail_layout,
          "shared_leaves: all rails of a machine on one leaf. rail_optimised: each rail on a leaf of its "
          "own, one network above. planes: a separate tree for each rail.")
      .source("DGX SuperPOD reference design");
}

void Xgft::check_vectors() const {
  const std::size_t levels = children.size();
  if (levels == 0 || levels > kMostLevels)
    throw BadValue("children",
                   fmt::format("give one number a level, 1 to {} of them: children: [4, 4, 2]", kMostLevels));
  for (const auto& [key, vector] :
       {std::pair{"children", &children}, std::pair{"parents", &parents}, std::pair{"parallel", &parallel}}) {
    if (!vector->empty() && vector->size() != levels)
      throw BadValue(key, fmt::format("{} numbers, but `children` gives {} levels", vector->size(), levels));
    for (std::size_t l = 0; l < vector->size(); ++l)
      if ((*vector)[l] == 0 || (*vector)[l] > 254)
        throw BadValue(fmt::format("{}[{}]", key, l),
                       fmt::format("a switch has 1 to 254 ports, so {} cannot be", (*vector)[l]));
  }
  if (parents_at(0) != 1)
    throw BadValue("parents[0]",
                   "an adapter port has one cable, so w_1 is 1; more adapters a machine are `rails`");
  if (parallel_at(0) != 1)
    throw BadValue("parallel[0]",
                   "an adapter port has one cable, so p_1 is 1; more adapters a machine are `rails`");
  if (tiers.size() > levels)
    throw BadValue("tiers", fmt::format("{} tiers, but `children` gives {} levels", tiers.size(), levels));
}

SwitchKind Xgft::kind_of(std::size_t level, const BuildContext& context) const {
  SwitchKeys keys;
  keys.switch_profile = switch_profile;
  keys.radix = radix;
  if (level >= tiers.size() || (tiers[level].switch_profile.empty() && !tiers[level].radix))
    return keys.switch_kind(context);
  if (!tiers[level].switch_profile.empty()) {
    keys.switch_profile = tiers[level].switch_profile;
    keys.radix.reset();  // another device: its own number of ports
  }
  if (tiers[level].radix) keys.radix = tiers[level].radix;
  return keys.switch_kind(context, fmt::format("tiers[{}].", level));
}

void Xgft::add_levels(TreePlan& plan, const BuildContext& context) const {
  std::uint64_t subtrees = 1, width = 1;  // products cannot overflow: they are checked level by level
  std::vector<SwitchKind> kinds;
  plan.levels.resize(children.size());
  for (std::size_t l = children.size(); l-- > 0;) {
    plan.levels[l].subtrees = static_cast<std::uint32_t>(subtrees);
    subtrees *= children[l];
    check_size(subtrees, subtrees, 1, "children");
  }
  for (std::size_t l = 0; l < children.size(); ++l) {
    TreePlan::Level& level = plan.levels[l];
    const SwitchKind& kind = kinds.emplace_back(kind_of(l, context));
    const bool top = l + 1 == children.size();
    level.profile = kind.profile;
    level.radix = kind.ports;
    level.children = children[l];
    level.parents = parents_at(l);
    level.parallel = parallel_at(l);
    level.down = level.children * level.parallel;
    const std::uint32_t up = top ? 0 : parents_at(l + 1) * parallel_at(l + 1);
    if (level.down + up > kind.ports)
      throw BadValue(fmt::format("children[{}]", l),
                     fmt::format("a switch of level {} needs {} ports down and {} up, and `{}` has {}", l + 1,
                                 level.down, up, kind.profile, kind.ports));
    width *= level.parents;
    check_size(0, level.subtrees * width, kind.ports, fmt::format("parents[{}]", l));
    level.width = static_cast<std::uint32_t>(width);
    const bool lower_is_slower = l > 0 && data_rate(kinds[l - 1].link) < data_rate(kind.link);
    const LinkSpec able = lower_is_slower ? kinds[l - 1].link : kind.link;
    level.below = l < tiers.size() ? tiers[l].over(able, fmt::format("tiers[{}]", l)) : able;
  }
}

void Xgft::seat_machines(TreePlan& plan) const {
  const std::uint32_t leaves = plan.levels[0].subtrees, ends = children[0];
  plan.rails = rails;
  plan.layout = rail_layout;
  plan.machines_per_group = ends;
  if (rail_layout == RailLayout::shared_leaves) {
    if (rails == 0 || ends % rails != 0)
      throw BadValue("rails", fmt::format("{} rails do not divide the {} ends of a leaf", rails, ends));
    plan.machines_per_group = ends / rails;
  }
  if (rail_layout == RailLayout::rail_optimised) {
    if (rails == 0 || leaves % rails != 0)
      throw BadValue("rails", fmt::format("{} rails do not divide the {} leaves", rails, leaves));
    plan.leaves_per_group = rails;
  }
  const std::uint64_t most = std::uint64_t{leaves} / plan.leaves_per_group * plan.machines_per_group;
  plan.machines = hosts.value_or(static_cast<std::uint32_t>(most));
  if (plan.machines == 0 || plan.machines > most)
    throw BadValue("hosts", fmt::format("the leaves of this tree take 1 to {} machines of {} rail(s), not {}",
                                        most, rails, plan.machines));
  check_size(std::uint64_t{plan.machines} * rails, 0, 1, "rails");
}

Topology Xgft::build(const BuildContext& context) const {
  check_vectors();
  TreePlan plan;
  add_levels(plan, context);
  seat_machines(plan);
  std::uint64_t ports = 0;
  for (const TreePlan::Level& level : plan.levels) ports += std::uint64_t{level.switches()} * level.radix;
  check_size(0, ports * (rail_layout == RailLayout::planes ? rails : 1), 1, "rails");
  return wire_tree(plan);
}

}  // namespace

std::unique_ptr<TopologyBuilder> make_xgft() { return std::make_unique<Xgft>(); }

}  // namespace weft
