#include "models/topology/fat_tree.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "models/topology/fat_tree_shape.h"
#include "models/topology/topology_builder_rows.h"
#include "sim/error.h"

namespace weft {

namespace {

constexpr std::array<std::pair<std::string_view, RailLayout>, 3> kLayouts{{
    {"shared_leaves", RailLayout::shared_leaves},
    {"rail_optimised", RailLayout::rail_optimised},
    {"planes", RailLayout::planes},
}};

constexpr std::array<std::string_view, 4> kLevelNames{"leaf", "spine", "core", "supercore"};

LinkSpec link_of(const TierLink& tier, LinkSpec link, const std::string& key) {
  if (!tier.speed.empty()) std::tie(link.width, link.generation) = speed_of(tier.speed, key + ".speed");
  link.cable = tier.cable;
  link.length = tier.length;
  return link;
}

std::size_t digits(std::uint64_t count, std::size_t at_least) {
  return std::max(at_least, std::to_string(count == 0 ? 0 : count - 1).size());
}

struct Links {
  LinkSpec host, leaf, core;
  const LinkSpec& above(std::size_t level) const { return level == 0 ? leaf : core; }
};

class Wiring {
 public:
  Wiring(const FatTree& tree, const FatTreeShape& shape, std::uint32_t radix, Links links)
      : tree_(tree), shape_(shape), radix_(radix), links_(std::move(links)) {}

  Topology wire() {
    const std::uint32_t planes = tree_.rail_layout == RailLayout::planes ? tree_.rails : 1;
    make_room(planes);
    add_adapters();
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
      add_switches(planes > 1 ? fmt::format("plane{}-", plane) : std::string());
      for (std::uint32_t machine = 0; machine < tree_.hosts; ++machine)
        for (std::uint32_t rail = 0; rail < tree_.rails; ++rail)
          if (planes == 1 || rail == plane) wire_end(machine, rail);
      for (std::size_t level = 0; level + 1 < shape_.subtrees.size(); ++level) wire_level(level);
    }
    if (planes == 1) topology_.tree = Topology::TreeShape{shape_.children, shape_.parents, shape_.parallel};
    topology_.warnings = shape_.warnings;
    topology_.assign_guids();
    return std::move(topology_);
  }

 private:
  void make_room(std::size_t planes) {
    const std::size_t ends = std::size_t{tree_.hosts} * tree_.rails;
    std::size_t switches = 0, cables = 0;
    for (std::size_t level = 0; level < shape_.subtrees.size(); ++level) {
      switches += shape_.switches(level);
      if (level + 1 < shape_.subtrees.size())
        cables +=
            std::size_t{shape_.switches(level)} * shape_.parents[level + 1] * shape_.parallel[level + 1];
    }
    topology_.hosts.reserve(tree_.hosts);
    topology_.nodes.reserve(ends + planes * switches);
    topology_.cables.reserve(ends + planes * cables);
  }

  void add_adapters() {
    const std::size_t width = digits(tree_.hosts, 4);
    for (std::uint32_t machine = 0; machine < tree_.hosts; ++machine) {
      topology_.hosts.push_back(fmt::format("host{:0{}}", machine, width));
      for (std::uint32_t rail = 0; rail < tree_.rails; ++rail) {
        const NodeIndex n =
            topology_.add_node(NodeKind::hca, fmt::format("{} mlx5_{}", topology_.hosts.back(), rail), 1);
        topology_.nodes[n].host = machine;
        topology_.nodes[n].rail = rail;
      }
    }
  }

  void add_switches(const std::string& prefix) {
    first_.clear();
    for (std::size_t level = 0; level < shape_.subtrees.size(); ++level) {
      first_.push_back(static_cast<NodeIndex>(topology_.nodes.size()));
      const std::uint32_t count = shape_.switches(level);
      for (std::uint32_t s = 0; s < count; ++s) {
        const NodeIndex n = topology_.add_node(
            NodeKind::switch_, fmt::format("{}{}{:0{}}", prefix, kLevelNames[level], s, digits(count, 2)),
            radix_);
        topology_.nodes[n].level = static_cast<std::int8_t>(level);
        topology_.nodes[n].profile = tree_.switch_profile;
      }
    }
  }

  void wire_end(std::uint32_t machine, std::uint32_t rail) {
    const std::uint32_t group = machine / shape_.machines_per_group,
                        slot = machine % shape_.machines_per_group;
    const bool shared = tree_.rail_layout == RailLayout::shared_leaves;
    const bool apart = tree_.rail_layout == RailLayout::rail_optimised;
    const std::uint32_t leaf = group * shape_.leaves_per_group + (apart ? rail : 0);
    const std::uint32_t port = (shared ? slot * tree_.rails + rail : slot) + 1;
    topology_.connect({machine * tree_.rails + rail, 1}, {first_[0] + leaf, static_cast<std::uint8_t>(port)},
                      links_.host);
  }

  void wire_level(std::size_t level) {
    const std::uint32_t parents = shape_.parents[level + 1], cables = shape_.parallel[level + 1];
    for (std::uint32_t s = 0; s < shape_.switches(level); ++s) {
      const std::uint32_t subtree = s / shape_.width[level], index = s % shape_.width[level];
      const std::uint32_t above = subtree / shape_.children[level + 1],
                          child = subtree % shape_.children[level + 1];
      for (std::uint32_t j = 0; j < parents; ++j) {
        const NodeIndex parent = first_[level + 1] + above * shape_.width[level + 1] + index * parents + j;
        for (std::uint32_t c = 0; c < cables; ++c)
          topology_.connect(
              {first_[level] + s, static_cast<std::uint8_t>(shape_.down[level] + j * cables + c + 1)},
              {parent, static_cast<std::uint8_t>(child * cables + c + 1)}, links_.above(level));
      }
    }
  }

  const FatTree& tree_;
  const FatTreeShape& shape_;
  std::uint32_t radix_;
  Links links_;
  Topology topology_;
  std::vector<NodeIndex> first_;  // first switch of each level of the plane in hand
};

}  // namespace

std::unique_ptr<TopologyBuilder> make_fat_tree() { return std::make_unique<FatTree>(); }

std::span<const std::pair<std::string_view, RailLayout>> words_of(RailLayout) { return kLayouts; }

void TierLink::describe(Describe& d) {
  d.field("speed", speed, "Width and generation: 4xNDR, 2xHDR, NDR200. Default: the switch profile's.");
  d.field("cable", cable, "Cable profile by name (dac, aoc ...). Default: the fabric's.");
  d.field("length", length, "Length of each cable. Default: the fabric's.");
}

void FatTree::describe(Describe& d) {
  d.field("hosts", hosts, "Machines. Each has one adapter a rail.").required().range("1", "1000000");
  d.field("levels", levels,
          "Switch levels: 1 = one switch, 2 = leaf and spine, 3 = with core, 4 = with supercore.")
      .range("1", "4");
  d.field("switch", switch_profile, "Switch profile of every level.").source("NDR generation");
  d.field("radix", radix, "Ports of a switch. Default: the profile's.").range("2", "254");
  d.field("rails", rails, "Adapters a machine, one fabric port each.").range("1", "64");
  d.field("rail_layout", rail_layout,
          "shared_leaves: all rails of a machine on one leaf. rail_optimised: each rail on a leaf of its "
          "own, one network "
          "above. planes: a separate tree for each rail.")
      .source("DGX SuperPOD reference design");
  d.field("taper", taper, "Up-bandwidth of a leaf over its down-bandwidth; rounded up to whole ports.")
      .range("0", "100")
      .source("full bisection");
  d.field("leaf_down", leaf_down, "Leaf ports for machines. Default: as many as the taper allows.")
      .range("1", "254");
  d.field("parallel", parallel,
          "Cables between each leaf and each spine. Default: as many as fill the spines, 1 in a full tree.")
      .range("1", "127");
  d.group("host_link", host_link, "Cables between machines and leaves.");
  d.group("leaf_link", leaf_link, "Cables between leaves and spines.");
  d.group("core_link", core_link, "Cables between spines and cores, and above.");
}

Topology FatTree::build(const BuildContext& context) const {
  if (levels < 1 || levels > 4)
    throw BadValue("levels", fmt::format("a fat tree has 1 to 4 levels, not {}", levels));
  LinkSpec link;
  std::uint32_t ports = radix.value_or(0);
  if (context.switch_shape || !radix) {
    const BuildContext::SwitchShape shape = context.shape_of(switch_profile, "switch");
    link.generation = shape.generation;
    link.width = shape.width;
    ports = radix.value_or(shape.ports);
  }
  Links links{link_of(host_link, link, "host_link"), link_of(leaf_link, link, "leaf_link"),
              link_of(core_link, link, "core_link")};
  const Ratio down = data_rate(links.host).bits_per_second, up = data_rate(links.leaf).bits_per_second;
  const Ratio speed_ratio = make_ratio(Uint128{down.num} * up.den, Uint128{down.den} * up.num);
  const FatTreeShape shape = fat_tree_shape(*this, ports, speed_ratio);
  return Wiring(*this, shape, ports, std::move(links)).wire();
}

}  // namespace weft
