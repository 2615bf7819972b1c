#include "models/topology/dot_writer.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace weft {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

std::string_view shape(NodeKind kind) {
  switch (kind) {
    case NodeKind::hca:
      return "ellipse";
    case NodeKind::switch_:
      return "box";
    case NodeKind::router:
      return "diamond";
    case NodeKind::aggregation_node:
      return "hexagon";
  }
  return "ellipse";
}

}  // namespace

std::string write_dot(const Topology& topology) {
  std::string out = "graph fabric {\n  rankdir=BT;\n";
  const auto put = [&out]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  const std::vector<std::string> names = topology.display_names();
  std::map<int, std::vector<NodeIndex>> levels;
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    put("  n{} [label={}, shape={}];\n", n, quoted(names[n]), shape(node.kind));
    if (node.kind == NodeKind::switch_ && node.level >= 0) levels[node.level].push_back(n);
  }
  for (const auto& [level, nodes] : levels) {
    put("  {{ rank=same;");
    for (const NodeIndex n : nodes) put(" n{};", n);
    put(" }}\n");
  }
  std::map<std::tuple<NodeIndex, NodeIndex, std::string>, unsigned> edges;
  for (const Cable& cable : topology.cables) {
    const auto [low, high] = std::minmax(cable.a.node, cable.b.node);
    ++edges[{low, high, speed_text(cable.link)}];
  }
  for (const auto& [edge, count] : edges) {
    const auto& [a, b, speed] = edge;
    put("  n{} -- n{} [label={}];\n", a, b,
        quoted(count == 1 ? speed : fmt::format("{} x {}", count, speed)));
  }
  return out + "}\n";
}

}  // namespace weft
