// Small fabrics, built by hand, that the tests of routing share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/routing/routes.h"
#include "models/topology/topology.h"

namespace weft::test {

inline void cable(Topology& t, NodeIndex a, unsigned pa, NodeIndex b, unsigned pb) {
  t.connect({a, static_cast<std::uint8_t>(pa)}, {b, static_cast<std::uint8_t>(pb)}, {});
}

inline NodeIndex add_host(Topology& t, std::string name, NodeIndex sw, unsigned port) {
  const NodeIndex host = t.add_node(NodeKind::hca, name, 1);
  t.nodes[host].host = static_cast<std::uint32_t>(t.hosts.size());
  t.hosts.push_back(std::move(name));
  cable(t, host, 1, sw, port);
  return host;
}

inline Topology addressed(Topology t, std::uint8_t lmc = 0) {
  t.assign_guids();
  t.assign_lids(false, lmc);
  return t;
}

/// Switches sw0.. in a ring: port 1 a host, port 2 onwards, port 3 back.
inline Topology ring(unsigned size) {
  Topology t;
  for (unsigned i = 0; i < size; ++i) t.add_node(NodeKind::switch_, fmt::format("sw{}", i), 3);
  for (unsigned i = 0; i < size; ++i) cable(t, i, 2, (i + 1) % size, 3);
  for (unsigned i = 0; i < size; ++i) add_host(t, fmt::format("h{}", i), i, 1);
  return addressed(std::move(t));
}

/// A torus of side x side switches "x,y": port 1 a host, 2 and 3 along x, 4 and 5 along y.
inline Topology torus(unsigned side) {
  Topology t;
  const auto at = [&](unsigned x, unsigned y) { return x % side * side + y % side; };
  for (unsigned x = 0; x < side; ++x) {
    for (unsigned y = 0; y < side; ++y) t.add_node(NodeKind::switch_, fmt::format("{},{}", x, y), 5);
  }
  for (unsigned x = 0; x < side; ++x) {
    for (unsigned y = 0; y < side; ++y) {
      cable(t, at(x, y), 2, at(x + 1, y), 3);
      cable(t, at(x, y), 4, at(x, y + 1), 5);
    }
  }
  for (unsigned i = 0; i < side * side; ++i) add_host(t, fmt::format("h{}", i), i, 1);
  return addressed(std::move(t));
}

/// Leaves and spines, `parallel` cables between each pair, down ports first; hosts leaf by leaf.
inline Topology two_level(unsigned leaves, unsigned spines, unsigned hosts_per_leaf, unsigned parallel = 1) {
  Topology t;
  for (unsigned l = 0; l < leaves; ++l) {
    t.nodes[t.add_node(NodeKind::switch_, fmt::format("leaf{}", l), hosts_per_leaf + spines * parallel)]
        .level = 0;
  }
  for (unsigned s = 0; s < spines; ++s) {
    t.nodes[t.add_node(NodeKind::switch_, fmt::format("spine{}", s), leaves * parallel)].level = 1;
  }
  for (unsigned l = 0; l < leaves; ++l) {
    for (unsigned h = 0; h < hosts_per_leaf; ++h)
      add_host(t, fmt::format("h{}", l * hosts_per_leaf + h), l, h + 1);
    for (unsigned s = 0; s < spines; ++s) {
      for (unsigned p = 0; p < parallel; ++p) {
        cable(t, l, hosts_per_leaf + s * parallel + p + 1, leaves + s, l * parallel + p + 1);
      }
    }
  }
  t.tree = Topology::TreeShape{{hosts_per_leaf, leaves}, {1, spines}, {1, parallel}};
  return addressed(std::move(t));
}

/// The three-level k-ary tree of fabric textbooks: k pods of k/2 leaves and k/2 aggregation switches, (k/2)^2
/// cores.
inline Topology k_ary_tree(unsigned k) {
  Topology t;
  const unsigned h = k / 2, edges = k * h;
  for (unsigned i = 0; i < edges; ++i)
    t.nodes[t.add_node(NodeKind::switch_, fmt::format("leaf{}", i), k)].level = 0;
  for (unsigned i = 0; i < edges; ++i)
    t.nodes[t.add_node(NodeKind::switch_, fmt::format("agg{}", i), k)].level = 1;
  for (unsigned i = 0; i < h * h; ++i)
    t.nodes[t.add_node(NodeKind::switch_, fmt::format("core{}", i), k)].level = 2;
  for (unsigned i = 0; i < edges * h; ++i) add_host(t, fmt::format("h{}", i), i / h, i % h + 1);
  for (unsigned e = 0; e < edges; ++e) {
    for (unsigned j = 0; j < h; ++j) cable(t, e, h + j + 1, edges + e / h * h + j, e % h + 1);
  }
  for (unsigned a = 0; a < edges; ++a) {
    for (unsigned j = 0; j < h; ++j) cable(t, edges + a, h + j + 1, 2 * edges + a % h * h + j, a / h + 1);
  }
  t.tree = Topology::TreeShape{{h, h, k}, {1, h, h}, {1, 1, 1}};
  return addressed(std::move(t));
}

/// Takes the cable at (node, port) out.
inline void unplug(Topology& t, NodeIndex node, unsigned port) {
  Port& here = t.nodes[node].port(port);
  const std::uint32_t gone = here.cable;
  Port& there = t.nodes[here.peer_node].port(here.peer_port);
  here.peer_node = there.peer_node = kNone;
  here.cable = there.cable = kNone;
  t.cables.erase(t.cables.begin() + gone);
  for (Node& n : t.nodes) {
    for (Port& p : n.ports) {
      if (p.cable != kNone && p.cable > gone) --p.cable;
    }
  }
}

/// LID of a switch, or of port 1 of an adapter.
inline Lid lid_of(const Topology& t, const std::string& name) {
  const Node& node = t.nodes[t.find(name)];
  return node.kind == NodeKind::switch_ ? node.lid : node.port(1).lid;
}

/// The output port `sw` uses for `destination`.
inline unsigned out_port(const Topology& t, const Routes& routes, const std::string& sw,
                         const std::string& destination) {
  return routes.lft[t.find(sw)][lid_of(t, destination)];
}

}  // namespace weft::test
