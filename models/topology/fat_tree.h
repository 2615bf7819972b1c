// Fat trees: generated, exact, in the textbook's wiring.
//
// An XGFT (Öhring et al. 1995) of up to four levels. With K-port switches, one rail, no taper and a full tree
// it is the K-ary n-tree of the textbooks (Leiserson 1985; Al-Fares et al. 2008): with h = K/2, end i is on
// leaf i/h at port i%h + 1; leaf e's j-th up-port goes to aggregation switch j of its pod, an aggregation
// switch a's j-th up-port to core (a%h)*h + j, whose port is the pod's number. On every switch down ports
// come first, then up ports.
//
// A tree filled in part has only the switches it needs: upper switches take as many parallel cables from each
// lower one as fills them (16 leaves of 32 up-ports: 8 spines with 4 cables each, as in DGX SuperPODs, not 32
// spines).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/topology/topology_builder.h"

namespace weft {

/// How the rails (adapter ports) of a machine meet the leaves.
enum class RailLayout : std::uint8_t {
  shared_leaves,   // all rails of a machine on one leaf
  rail_optimised,  // rail r of a group of machines on the group's r-th leaf, one network above
  planes,          // a separate tree for each rail
};
std::span<const std::pair<std::string_view, RailLayout>> words_of(RailLayout);

/// What the cables between two tiers are.
class TierLink : public Configurable {
 public:
  void describe(Describe& d) override;
  std::string speed;  // empty = the switch profile's
  std::string cable;
  std::optional<Length> length;
};

class FatTree : public TopologyBuilder {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::uint32_t hosts = 0;
  std::uint32_t levels = 2;
  std::string switch_profile = "qm9700";
  std::optional<std::uint32_t> radix;
  std::uint32_t rails = 1;
  RailLayout rail_layout = RailLayout::rail_optimised;
  Ratio taper{1, 1};
  std::optional<std::uint32_t> leaf_down;
  std::optional<std::uint32_t> parallel;
  TierLink host_link, leaf_link, core_link;
};

}  // namespace weft
