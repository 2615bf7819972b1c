// The arithmetic of a fat tree: how many switches of which ports, before any is built.
#pragma once

#include "models/topology/fat_tree.h"

namespace weft {

/// The links between its tiers: below the leaves, below the spines, and all above.
struct TierLinks {
  LinkSpec host, leaf, core;
};

/// The taper is of bandwidth: uplinks twice as fast as host links are half as many.
/// @throws BadValue (a key of `tree`) when the sizes do not fit
TreePlan fat_tree_plan(const FatTree& tree, const SwitchKind& kind, const TierLinks& links);

}  // namespace weft
