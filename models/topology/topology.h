// What is cabled: nodes, their ports, and the cables between ports, with the addresses a subnet manager gave
// them.
//
// A Topology is plain data, built once (generated, written out in YAML, or imported) and then only read.
// Switches, adapters (CAs) and aggregation nodes are all nodes; an adapter with two ports is one node with
// two ports, each of which is an endpoint of its own. Port numbers count from 1 as everywhere in InfiniBand;
// port 0 of a switch is its management port and carries its LID.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/topology/link_spec.h"
#include "sim/text.h"
#include "sim/units.h"

namespace weft {

using NodeIndex = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffff'ffff;

/// A local identifier. Unicast 1..0xBFFF; 0 = none. `lid_space: extended` allows larger ones ("not
/// InfiniBand").
using Lid = std::uint32_t;
inline constexpr Lid kLastUnicastLid = 0xBFFF;  // IBA vol. 1 §4.1.3: 49,151 unicast LIDs

using Guid = std::uint64_t;

enum class NodeKind : std::uint8_t { hca, switch_, router, aggregation_node };
std::string_view to_text(NodeKind kind);

/// One port of a node. `peer` is kNone for a port with no cable.
struct Port {
  std::uint32_t peer_node = kNone;
  std::uint32_t cable = kNone;  // index into Topology::cables
  Guid guid = 0;                // port GUID (CA); 0 where unknown
  Text label;                   // external port label where a split port has one ("1/2"); usually empty
  Lid lid = 0;                  // CA ports; a switch's LID is on Node
  std::uint8_t peer_port = 0;
  std::uint8_t lmc = 0;
  friend bool operator==(const Port&, const Port&) = default;
};
static_assert(sizeof(Port) == 32);

struct Node {
  NodeKind kind = NodeKind::hca;
  std::string name;  // node description, as read or generated ("h0017 mlx5_5", "leaf03")
  Guid guid = 0;
  Guid system_guid = 0;
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  Lid lid = 0;  // of a switch (port 0)
  std::uint8_t lmc = 0;
  bool enhanced_port0 = false;
  std::int8_t level = -1;      // distance from the hosts in a generated tree (leaf = 0); -1 unknown
  std::string profile;         // device profile by name; empty = the fabric's default for its kind
  std::uint32_t host = kNone;  // machine this adapter sits in: index into Topology::hosts
  std::uint32_t rail = 0;      // of an adapter; of a switch of planes, its plane
  std::vector<Port> ports;     // ports[n-1] is port n
  Port& port(unsigned number) { return ports[number - 1]; }
  const Port& port(unsigned number) const { return ports[number - 1]; }
  friend bool operator==(const Node&, const Node&) = default;
};

/// One end of a cable or of a path.
struct PortRef {
  NodeIndex node = kNone;
  std::uint8_t port = 0;
  friend bool operator==(PortRef, PortRef) = default;
};

/// A cable with both its ends; the link it carries runs in both directions at the same rate.
struct Cable {
  PortRef a, b;
  LinkSpec link;
  friend bool operator==(const Cable&, const Cable&) = default;
};

/// A traffic end: one cabled port of an adapter. Aggregation nodes are never endpoints.
struct Endpoint {
  PortRef where;
  std::uint32_t host = kNone;
  std::uint32_t rail = 0;
};

class Topology {
 public:
  std::vector<Node> nodes;
  std::vector<Cable> cables;
  std::vector<std::string> hosts;  // machine names, in the order in which patterns number them

  // What a builder found odd in its input but could use: one sentence each, for the results.
  std::vector<std::string> warnings;

  // Planes of a generated fabric: networks alike that meet in the machines alone, each a subnet of its own.
  // Tree and grid below are of each of them.
  std::uint32_t planes = 1;

  // What a generator knows and an engine may use: D-mod-K needs the tree's shape. An extended generalised fat
  // tree (XGFT, Öhring et al. 1995): each level-i switch has m_i children and w_(i+1) parents, with p_i
  // cables to each child. Ends are numbered by leaf (switches of level 0 in node order), then by port. The
  // last subtree of a level may be filled less than m_i; absent where the cabling is not one such tree.
  struct TreeShape {
    std::vector<std::uint32_t> down;      // m_1..m_L: distinct children of a level-i switch, at most
    std::vector<std::uint32_t> up;        // w_1..w_L: parents of a level-(i-1) node; w_1: leaves of an end, 1
    std::vector<std::uint32_t> parallel;  // p_1..p_L: cables between each such pair
    friend bool operator==(const TreeShape&, const TreeShape&) = default;
  };
  std::optional<TreeShape> tree;

  // A torus or mesh, as a generator knows it: the n-th switch of node order stands at the coordinate whose
  // mixed-radix digits, first dimension fastest, are n. Switches whose coordinates differ by one in one
  // dimension are neighbours, and so are the first and the last of a dimension that wraps.
  struct Grid {
    std::vector<std::uint32_t> size;  // switches along each dimension
    std::vector<bool> wraps;          // a ring; never for a size below 3, where the way round is the way back
    friend bool operator==(const Grid&, const Grid&) = default;
  };
  std::optional<Grid> grid;

  NodeIndex add_node(NodeKind kind, std::string name, unsigned port_count);
  /// Cables two free ports. @throws BadValue naming the ports when one does not exist, is taken, or both are
  /// the same
  std::uint32_t connect(PortRef a, PortRef b, const LinkSpec& link);

  /// Sorted by host, then rail, then port: the numbering every pattern and CSV uses.
  std::vector<Endpoint> endpoints() const;
  std::size_t count(NodeKind kind) const;
  /// "leaf03" or, for a port, "leaf03[7]"; names that are not unique get their GUID appended. Looks at every
  /// node.
  std::string display_name(NodeIndex node) const;
  std::string display_name(PortRef port) const;
  std::vector<std::string> display_names() const;  // of all nodes, in one pass
  /// kNone when there is none; matches a unique name, "S-<guid>" / "H-<guid>", or "0x<guid>".
  NodeIndex find(std::string_view name_or_guid) const;

  /// Gives LIDs to every switch and every cabled CA or router port that has none, in node order; CA ports
  /// take 2^lmc each, aligned to that. LIDs already given stay, with their LMC.
  /// @throws BadValue ("lid_space") when the subnet needs more than 49,151 and `extended` is false
  void assign_lids(bool extended, std::uint8_t lmc = 0);
  Lid max_lid() const;   // the highest LID in use, path bits of LMC included
  bool has_lmc() const;  // any adapter's port
  /// Gives GUIDs to every node and CA port that has none: locally administered EUI-64s, the same for the same
  /// fabric.
  void assign_guids();

  /// Structural soundness: cables and ports agree, numbers in range, GUIDs and LIDs unique, and one fabric:
  /// the parts a missing cable leaves apart are named (planes that meet in a machine are together). Each
  /// finding is one line.
  std::vector<std::string> check() const;
};

}  // namespace weft
