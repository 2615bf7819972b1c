#include "models/routing/shortest_cycle.h"

#include <algorithm>
#include <limits>

#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>

namespace weft {

namespace {
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
}  // namespace

std::vector<std::uint32_t> shortest_cycle(const DirectedGraph& graph) {
  const auto size = static_cast<std::uint32_t>(boost::num_vertices(graph));
  std::vector<std::uint32_t> component(size);
  boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::uint32_t> members(size, 0);
  for (const std::uint32_t c : component) ++members[c];

  // A bounded breadth-first search from each vertex within its strong component.
  std::vector<std::uint32_t> best, before(size, kNowhere), depth(size, 0), queue;
  for (std::uint32_t start = 0; start < size; ++start) {
    for (const std::uint32_t vertex : queue) before[vertex] = kNowhere;
    queue.clear();
    const bool alone = members[component[start]] == 1;
    if (alone && !boost::edge(start, start, graph).second) continue;
    queue.push_back(start);
    depth[start] = 1;
    bool closed = false;
    for (std::size_t next = 0; next < queue.size() && !closed; ++next) {
      const std::uint32_t at = queue[next];
      if (!best.empty() && depth[at] >= best.size()) break;
      for (const std::uint32_t to : boost::make_iterator_range(boost::adjacent_vertices(at, graph))) {
        if (to == start) {
          best.assign(1, at);
          while (best.back() != start) best.push_back(before[best.back()]);
          std::ranges::reverse(best);
          closed = true;
          break;
        }
        if (component[to] != component[start] || before[to] != kNowhere) continue;
        before[to] = at;
        depth[to] = depth[at] + 1;
        queue.push_back(to);
      }
    }
  }
  return best;
}

}  // namespace weft
