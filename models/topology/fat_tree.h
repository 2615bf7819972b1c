// Fat trees: generated, exact, in the textbook's wiring.
//
// With K-port switches, one rail, no taper and a full tree it is the K-ary n-tree of the textbooks (Leiserson
// 1985; Al-Fares et al. 2008): with h = K/2, end i is on leaf i/h at port i%h + 1; leaf e's j-th up-port goes
// to aggregation switch j of its pod, an aggregation switch a's j-th up-port to core (a%h)*h + j, whose port
// is the pod's number. On every switch down ports come first, then up ports.
//
// A tree filled in part has only the switches it needs: upper switches take as many parallel cables from each
// lower one as fills them (16 leaves of 32 up-ports: 8 spines with 4 cables each, as in DGX SuperPODs, not 32
// spines). Rates may differ by tier: ports are shared out by bandwidth, so that no level above the leaves is
// tapered.
#pragma once

#include <cstdint>
#include <optional>

#include "models/topology/generator.h"
#include "models/topology/tree_plan.h"

namespace weft {

class FatTree : public TopologyBuilder, public SwitchKeys {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::uint32_t hosts = 0;
  std::uint32_t levels = 2;
  std::uint32_t rails = 1;
  RailLayout rail_layout = RailLayout::rail_optimised;
  Ratio taper{1, 1};
  std::optional<std::uint32_t> leaf_down;
  std::optional<std::uint32_t> parallel;
  LinkKeys host_link, leaf_link, core_link;
};

}  // namespace weft
