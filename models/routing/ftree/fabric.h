// A fabric as OpenSM's ftree engine sees it: each switch with its rank, its index and its port groups.
//
// Words, all OpenSM's. Rank: steps from the roots, which have rank 0; the leaves, which the compute nodes
// hang on, have the highest that counts. Port group: the cables from one switch to one neighbour, up (to a
// lower rank), down or beside (to its own rank). Index: rank and digits that name a switch's place in the
// tree; all ties are broken by it. Compute node: an adapter port the balance is made for; without a list,
// every one.
//
// Roots that are not given are found: switches furthest from any adapter have rank 0, and ranks are counted
// again from them. The tree must then be pure: within a rank the same number of port groups up and (but for
// the leaves) down, of the same number of cables. Source: OpenSM 3.3.23, osm_ucast_ftree.c and opensm(8).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "models/routing/switch_graph.h"

namespace weft {

/// Of an adapter: (node, port).
using FtreePorts = std::set<std::pair<NodeIndex, std::uint8_t>>;

/// What OpenSM's options say.
struct FtreeOptions {
  std::vector<NodeIndex> roots;             // -a: switches of rank 0; empty: they are found
  std::optional<FtreePorts> compute_ports;  // -u; none: every adapter port that io_ports does not name
  FtreePorts io_ports;                      // -G: may turn downwards and up again on the way, if not compute
  unsigned max_reverse_hops = 0;            // -H: how often
  bool connect_roots = false;               // -z: LIDs of switches without an up-down way, by way of a leaf
};

/// Rank, then a digit for each rank from the roots on; 0xff where there is none.
using FtreeIndex = std::array<std::uint8_t, 8>;

struct FtreeFabric {
  static constexpr unsigned kUnranked = 0xffff'ffff;

  struct Cable {
    std::uint8_t here, there;        // port numbers
    std::uint32_t up = 0, down = 0;  // routes given to it, by the direction they take
  };
  struct Group {
    std::uint32_t peer = kNone;  // number of the neighbour; kNone: an adapter
    std::uint32_t place = 0;     // of the neighbour among all indices; adapters come after the switches
    std::vector<Cable> cables;   // in port order
    std::uint32_t up = 0, down = 0;
  };
  struct Switch {
    NodeIndex node = kNone;
    unsigned rank = kUnranked;
    bool leaf = false;  // compute nodes hang on it
    FtreeIndex index{};
    std::vector<std::uint32_t> down, beside, up;  // numbers of port groups
  };
  /// A port of an adapter that is cabled to a switch.
  struct AdapterPort {
    PortRef where;
    Lid lid = 0;
    std::uint32_t home = 0;  // number of the switch
    std::uint8_t home_port = 0;
    bool compute = true, io = false;
  };

  std::vector<Switch> switches;       // in OpenSM's order, which numbers them
  std::vector<Group> groups;          // of all switches
  std::vector<AdapterPort> adapters;  // in OpenSM's order, then by port
  std::vector<std::uint32_t> leaves;  // by index; some between may have no compute node
  unsigned leaf_rank = 0;
  std::vector<std::vector<std::uint32_t>> compute_on;  // of each of `leaves`: adapters, by port of the leaf
};

/// The fabric of `switches`, which are cabled together and to no other switch, in OpenSM's order.
/// @throws Refusal where OpenSM's ftree would refuse it
FtreeFabric ftree_fabric(const Topology& topology, std::span<const NodeIndex> switches,
                         const FtreeOptions& options);

/// A step of it: gives each switch its index, sorts the port groups by it and lists the leaves.
/// @throws Refusal when compute nodes hang on one leaf only
void index_ftree(const Topology& topology, FtreeFabric& fabric);

/// Another: whether the tree is pure. @throws Refusal naming the switches that differ from their peers
void check_pure_ftree(const Topology& topology, const FtreeFabric& fabric);

}  // namespace weft
