// Tori and meshes by hand, with the grid that a generator would tell, and parts of them failing.
#pragma once

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "tests/routing_fabrics.h"

namespace weft::test {

struct GridShape {
  std::vector<std::uint32_t> size;
  std::vector<bool> lines{};  // dimensions whose ends are not joined; none: rings all
  unsigned hosts = 1;         // on each switch
  unsigned parallel = 1;      // cables between neighbours
  std::uint8_t lmc = 0;
};

/// Switches "0.0.0", first dimension fastest. Ports: hosts, then by dimension the cables up and those down.
inline Topology grid(const GridShape& shape) {
  Topology t;
  std::size_t switches = 1;
  for (const std::uint32_t size : shape.size) switches *= size;
  const auto ports = static_cast<unsigned>(shape.hosts + 2 * shape.size.size() * shape.parallel);
  t.grid = Topology::Grid{shape.size, {}};
  for (std::size_t d = 0; d < shape.size.size(); ++d)
    t.grid->wraps.push_back(shape.size[d] > 2 && (shape.lines.empty() || !shape.lines[d]));
  for (std::size_t n = 0; n < switches; ++n) {
    std::string name;
    std::size_t digits = n;
    for (const std::uint32_t size : shape.size) {
      name += fmt::format("{}{}", name.empty() ? "" : ".", digits % size);
      digits /= size;
    }
    t.add_node(NodeKind::switch_, name, ports);
  }
  for (NodeIndex n = 0; n < switches; ++n) {
    std::uint32_t stride = 1;
    for (unsigned d = 0; d < shape.size.size(); ++d) {
      const std::uint32_t at = n / stride % shape.size[d];
      const bool last = at + 1 == shape.size[d];
      const NodeIndex next = last ? n - at * stride : n + stride;
      const unsigned first = shape.hosts + 2 * d * shape.parallel + 1;
      for (unsigned c = 0; c < shape.parallel && (!last || t.grid->wraps[d]); ++c)
        cable(t, n, first + c, next, first + shape.parallel + c);
      stride *= shape.size[d];
    }
  }
  for (NodeIndex n = 0; n < switches; ++n)
    for (unsigned h = 0; h < shape.hosts; ++h)
      add_host(t, fmt::format("h{}.{}", t.nodes[n].name, h), n, h + 1);
  return addressed(std::move(t), shape.lmc);
}

/// Takes all cables of a switch out.
inline void fail_switch(Topology& t, const std::string& name) {
  const NodeIndex node = t.find(name);
  for (unsigned port = 1; port <= t.nodes[node].ports.size(); ++port)
    if (t.nodes[node].port(port).peer_node != kNone) unplug(t, node, port);
}

/// Takes the cables between two switches out.
inline void fail_link(Topology& t, const std::string& a, const std::string& b) {
  const NodeIndex node = t.find(a), peer = t.find(b);
  for (unsigned port = 1; port <= t.nodes[node].ports.size(); ++port)
    if (t.nodes[node].port(port).peer_node == peer) unplug(t, node, port);
}

}  // namespace weft::test
