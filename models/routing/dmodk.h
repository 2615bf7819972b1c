// D-mod-K: in a fat tree, the destination's number picks the way up; every shift permutation runs without
// contention.
//
// A switch of level l (leaf = 1) sends a packet for destination d up by link floor(d / (w_1 ... w_l)) mod
// (w_{l+1} * p_{l+1}), the links counted parent by parent and then cable by cable; the way down is the mirror
// of that. So all traffic to one destination joins at one root. Source: E. Zahavi, "D-Mod-K routing providing
// non-blocking traffic for shift permutations on real life fat trees", CCIT report 776, 2010. A k-ary tree
// with h = k/2 up-links takes d mod h at a leaf and (d / h) mod h at an aggregation switch.
//
// d counts the endpoints leaf by leaf and port by port, which in a tree filled in order is the numbering of
// Topology::endpoints(). Only parents on a shortest up-down way are counted, so a tree with open ports or
// missing cables is routed too, just not free of contention.
#pragma once

#include "models/routing/routes.h"

namespace weft {

/// @throws Refusal when `topology` is not a generated tree, or when no up-down way joins two of its leaves
Routes dmodk_routes(const Topology& topology);

}  // namespace weft
