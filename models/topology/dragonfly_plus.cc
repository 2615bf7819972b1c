// Dragonfly+: groups of two levels, leaf and spine, and every two groups joined between spines (Shpiner,
// Haramaty, Eliad, Zdornov, Gafni, Zahavi, "Dragonfly+: low cost topology for scaling datacenters", HiPINEB
// 2017).
//
//   topology: {type: dragonfly_plus, hosts_per_leaf: 4}   # 4 leaves, 4 spines, 17 groups: 272 machines
//
// In a group every leaf is cabled to every spine once; a leaf holds the machines, a spine the global cables.
// With switches of k ports it is balanced where machines of a leaf, leaves, spines and global ports of a
// spine are all k/2: k^4/16 + k^2/4 machines in k^2/4 + 1 groups; fewer groups are joined several times.
//
// Node order: the leaves of all groups, then the spines. Ports: a leaf's machines on 1 .. p, then its spines;
// a spine's leaves, then its global ports, which a group counts spine by spine (global_links.h). Leaves are
// of level 0, spines of level 1.
//
// Closed forms, p machines a leaf, l leaves and s spines a group of h global ports each, g groups: g l p
// machines, g (l + s) switches; cables within groups g l s, between them n g (g-1) / 2, n = floor(s h /
// (g-1)). Leaves are 2 cables apart in a group, 3 across.
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "models/topology/direct_network.h"
#include "models/topology/global_links.h"
#include "models/topology/topology_builder_rows.h"
#include "sim/error.h"

namespace weft {

namespace {

class DragonflyPlus : public TopologyBuilder, public DirectNetworkKeys, public GroupKeys {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::optional<std::uint32_t> leaves, spines, global_per_spine;
};

void DragonflyPlus::describe(Describe& d) {
  describe_network(d, "hosts_per_leaf");
  d.field("leaves", leaves, "Leaves in a group. Default: as many as a leaf has machines.").range("1", "254");
  d.field("spines", spines, "Spines in a group. Default: as many as a leaf has machines.").range("1", "254");
  d.field("global_per_spine", global_per_spine,
          "Ports of a spine to other groups. Default: as many as a leaf has machines.")
      .range("1", "254");
  describe_groups(d);
}

Topology DragonflyPlus::build(const BuildContext& context) const {
  const std::uint32_t l = leaves.value_or(hosts_per_switch), s = spines.value_or(hosts_per_switch),
                      h = global_per_spine.value_or(hosts_per_switch);
  if (l == 0) throw BadValue("leaves", "a group has at least one leaf");
  if (s == 0) throw BadValue("spines", "a group has at least one spine");
  const std::uint64_t global_ports = std::uint64_t{s} * h;
  const std::uint32_t g = group_count(global_ports);
  const std::uint64_t all_leaves = std::uint64_t{g} * l;
  DirectNetwork network(
      *this, context,
      {all_leaves + std::uint64_t{g} * s, all_leaves, s, l + (g > 1 ? h : 0), "groups", "hosts_per_leaf"},
      [=](std::uint32_t n) {
        if (n < all_leaves) return numbered("group", n / l, g) + numbered("-leaf", n % l, l);
        const auto spine = static_cast<std::uint32_t>(n - all_leaves);
        return numbered("group", spine / s, g) + numbered("-spine", spine % s, s);
      });
  const auto first_spine = static_cast<std::uint32_t>(all_leaves);
  for (std::uint32_t leaf = 0; leaf < g * l; ++leaf) network.node(leaf).level = 0;
  for (std::uint32_t spine = 0; spine < g * s; ++spine) network.node(first_spine + spine).level = 1;
  const LinkSpec local = local_link.over(network.link(), "local_link"),
                 global = global_link.over(network.link(), "global_link");
  for (std::uint32_t group = 0; group < g; ++group)
    for (std::uint32_t leaf = 0; leaf < l; ++leaf)
      for (std::uint32_t spine = 0; spine < s; ++spine)
        network.connect(group * l + leaf, spine, first_spine + group * s + spine, leaf, local);
  for (const auto& [from, to] : global_cables(global_ports))
    network.connect(first_spine + from.group * s + from.port / h, l + from.port % h,
                    first_spine + to.group * s + to.port / h, l + to.port % h, global);
  if (const std::string text = left_over(global_ports); !text.empty()) network.warn(text);
  return network.finish();
}

}  // namespace

std::unique_ptr<TopologyBuilder> make_dragonfly_plus() { return std::make_unique<DragonflyPlus>(); }

}  // namespace weft
