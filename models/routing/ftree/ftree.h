// Fat-tree routing as OpenSM's ftree engine does it: entry by entry the tables it gives.
//
// Every way goes up and then down, so there is no credit loop; only cables between switches of one rank,
// which a tree does not have and which ftree uses nonetheless, and reverse hops can make one. Destinations
// are spread over the ways down in the order of the leaves, so that in a full pure tree every shift
// permutation of them runs without contention; where leaves or cables are missing, nearly so. What a tree is,
// and the words: fabric.h; the walk: router.h.
//
// Each network of switches that no cable joins to another is a subnet of its own, as for OpenSM, and must be
// a tree of its own. Left out: quasi_ftree_indexing (OpenSM's other start for indices) and the file of the
// compute nodes' order.
#pragma once

#include "models/routing/ftree/fabric.h"

namespace weft {

/// @throws Refusal where OpenSM's ftree would refuse: LMC, fewer than two switches or adapters, every switch
///         a root, one rank or more than eight, compute nodes of different ranks or on one leaf only, and
///         without roots a tree that is not pure
Routes ftree_routes(const Topology& topology, const FtreeOptions& options = {});

}  // namespace weft
