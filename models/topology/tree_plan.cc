#include "models/topology/tree_plan.h"

#include <array>

#include <fmt/format.h>

#include "models/topology/generator.h"

namespace weft {

namespace {

constexpr std::array<std::pair<std::string_view, RailLayout>, 3> kLayouts{{
    {"shared_leaves", RailLayout::shared_leaves},
    {"rail_optimised", RailLayout::rail_optimised},
    {"planes", RailLayout::planes},
}};

std::string level_name(std::size_t level) {
  constexpr std::array<std::string_view, 4> names{"leaf", "spine", "core", "supercore"};
  return level < names.size() ? std::string(names[level]) : fmt::format("tier{}-", level + 1);
}

/// One network: all rails of a machine, or the one of a plane.
class Wiring {
 public:
  Wiring(const TreePlan& plan, std::uint32_t rails) : plan_(plan), rails_(rails) {}

  Topology wire() {
    make_room();
    add_machines(topology_, plan_.machines, rails_);
    for (std::size_t level = 0; level < plan_.levels.size(); ++level) add_switches(level);
    for (std::uint32_t machine = 0; machine < plan_.machines; ++machine)
      for (std::uint32_t rail = 0; rail < rails_; ++rail) wire_end(machine, rail);
    for (std::size_t level = 0; level + 1 < plan_.levels.size(); ++level) wire_level(level);
    tell_shape();
    return std::move(topology_);
  }

 private:
  void make_room() {
    std::size_t switches = 0, cables = std::size_t{plan_.machines} * rails_;
    for (std::size_t l = 0; l < plan_.levels.size(); ++l) {
      switches += plan_.levels[l].switches();
      if (l + 1 < plan_.levels.size())
        cables += std::size_t{plan_.levels[l].switches()} * plan_.levels[l + 1].parents *
                  plan_.levels[l + 1].parallel;
    }
    topology_.nodes.reserve(std::size_t{plan_.machines} * rails_ + switches);
    topology_.cables.reserve(cables);
  }

  void add_switches(std::size_t level) {
    const TreePlan::Level& of = plan_.levels[level];
    first_.push_back(static_cast<NodeIndex>(topology_.nodes.size()));
    for (std::uint32_t s = 0; s < of.switches(); ++s) {
      const NodeIndex n =
          topology_.add_node(NodeKind::switch_, numbered(level_name(level), s, of.switches()), of.radix);
      topology_.nodes[n].level = static_cast<std::int8_t>(level);
      topology_.nodes[n].profile = of.profile;
    }
  }

  void wire_end(std::uint32_t machine, std::uint32_t rail) {
    const std::uint32_t group = machine / plan_.machines_per_group, slot = machine % plan_.machines_per_group;
    const bool shared = plan_.layout == RailLayout::shared_leaves;
    const bool apart = plan_.layout == RailLayout::rail_optimised;
    const std::uint32_t leaf = group * plan_.leaves_per_group + (apart ? rail : 0);
    const std::uint32_t port = (shared ? slot * rails_ + rail : slot) + 1;
    topology_.connect({machine * rails_ + rail, 1}, {first_[0] + leaf, static_cast<std::uint8_t>(port)},
                      plan_.levels[0].below);
  }

  void wire_level(std::size_t level) {
    const TreePlan::Level &here = plan_.levels[level], &over = plan_.levels[level + 1];
    for (std::uint32_t s = 0; s < here.switches(); ++s) {
      const std::uint32_t subtree = s / here.width, index = s % here.width;
      const std::uint32_t above = subtree / over.children, child = subtree % over.children;
      for (std::uint32_t j = 0; j < over.parents; ++j) {
        const NodeIndex parent = first_[level + 1] + above * over.width + index * over.parents + j;
        for (std::uint32_t c = 0; c < over.parallel; ++c)
          topology_.connect(
              {first_[level] + s, static_cast<std::uint8_t>(here.down + j * over.parallel + c + 1)},
              {parent, static_cast<std::uint8_t>(child * over.parallel + c + 1)}, over.below);
      }
    }
  }

  void tell_shape() {
    Topology::TreeShape& shape = topology_.tree.emplace();
    for (const TreePlan::Level& level : plan_.levels) {
      shape.down.push_back(level.children);
      shape.up.push_back(level.parents);
      shape.parallel.push_back(level.parallel);
    }
  }

  const TreePlan& plan_;
  std::uint32_t rails_;
  Topology topology_;
  std::vector<NodeIndex> first_;  // first switch of each level
};

}  // namespace

std::span<const std::pair<std::string_view, RailLayout>> words_of(RailLayout) { return kLayouts; }

Topology wire_tree(const TreePlan& plan) {
  const bool planes = plan.layout == RailLayout::planes;
  Topology topology = in_planes(Wiring(plan, planes ? 1 : plan.rails).wire(), planes ? plan.rails : 1);
  topology.warnings = plan.warnings;
  topology.assign_guids();
  return topology;
}

}  // namespace weft
