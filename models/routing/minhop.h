// MinHop: every destination over a least-hop port, the choice among them spread by counting paths.
//
// It follows OpenSM 3.3.23's engine of that name to the letter: least hops over any cables, and the choice
// among the ports that begin them by hop_balance.h.
#pragma once

#include "models/routing/hop_balance.h"
#include "models/routing/routes.h"

namespace weft {

/// MinHop tables. LIDs without any way stay kNoPort.
Routes minhop_routes(const Topology& topology, const BalanceRules& rules = {});

}  // namespace weft
