#include "models/topology/fat_tree.h"

#include <fmt/format.h>

#include "models/topology/fat_tree_plan.h"
#include "models/topology/topology_builder_rows.h"
#include "sim/error.h"

namespace weft {

std::unique_ptr<TopologyBuilder> make_fat_tree() { return std::make_unique<FatTree>(); }

void FatTree::describe(Describe& d) {
  d.field("hosts", hosts, "Machines. Each has one adapter a rail.").required().range("1", "1000000");
  d.field("levels", levels,
          "Switch levels: 1 = one switch, 2 = leaf and spine, 3 = with core, 4 = with supercore.")
      .range("1", "4");
  describe_switch(d);
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
  const SwitchKind kind = switch_kind(context);
  const TierLinks links{host_link.over(kind.link, "host_link"), leaf_link.over(kind.link, "leaf_link"),
                        core_link.over(kind.link, "core_link")};
  return wire_tree(fat_tree_plan(*this, kind, links));
}

}  // namespace weft
