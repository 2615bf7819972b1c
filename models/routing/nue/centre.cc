#include <algorithm>
#include <limits>

#include "models/routing/nue/escape.h"

namespace weft {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

/// Switches with destinations and those on shortest ways between switches of the hull, as they are found in
/// one pass over the switches.
std::vector<bool> convex_hull(const NueSubnet& subnet, std::span<const std::uint32_t> destinations) {
  std::vector<bool> hull(subnet.size());
  for (const std::uint32_t destination : destinations) hull[subnet.homes[destination]] = true;
  std::vector<std::uint32_t> distance, queue;
  std::vector<bool> done;
  for (std::uint32_t start = 0; start < subnet.size(); ++start) {
    if (!hull[start]) continue;
    distance.assign(subnet.size(), kFar);
    distance[start] = 0;
    queue.assign(1, start);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const std::uint32_t channel : subnet.leaving(queue[next])) {
        const std::uint32_t to = subnet.to[channel];
        if (distance[to] != kFar) continue;
        distance[to] = distance[queue[next]] + 1;
        queue.push_back(to);
      }
    }
    done.assign(subnet.size(), false);
    done[start] = true;
    for (std::uint32_t end = 0; end < subnet.size(); ++end) {
      if (!hull[end] || done[end]) continue;
      done[end] = true;
      queue.assign(1, end);
      for (std::size_t next = 0; next < queue.size(); ++next) {
        for (const std::uint32_t channel : subnet.leaving(queue[next])) {
          const std::uint32_t nearer = subnet.to[channel];
          if (done[nearer] || distance[nearer] + 1 != distance[queue[next]]) continue;
          hull[nearer] = done[nearer] = true;
          queue.push_back(nearer);
        }
      }
    }
  }
  return hull;
}

/// Shortest ways within the hull from one switch.
struct ShortestWays {
  std::vector<std::uint32_t> order;                // switches, nearest first
  std::vector<std::vector<std::uint32_t>> before;  // by switch: the last ones before it, once a channel
  std::vector<std::uint64_t> ways;                 // by switch: how many there are

  ShortestWays(const NueSubnet& subnet, const std::vector<bool>& hull, std::uint32_t start)
      : order(1, start), before(subnet.size()), ways(subnet.size()) {
    std::vector<std::uint32_t> distance(subnet.size(), kFar);
    distance[start] = 0;
    ways[start] = 1;
    for (std::size_t next = 0; next < order.size(); ++next) {
      const std::uint32_t at = order[next];
      for (const std::uint32_t channel : subnet.leaving(at)) {
        const std::uint32_t to = subnet.to[channel];
        if (!hull[to]) continue;
        if (distance[to] == kFar) {
          distance[to] = distance[at] + 1;
          order.push_back(to);
        }
        if (distance[to] != distance[at] + 1) continue;
        ways[to] += ways[at];
        before[to].push_back(at);
      }
    }
  }

  /// By switch: the share of the ways from here to all ends that lead over it. Ends are added one by one, as
  /// the rounding decides between switches that lie alike.
  /// @param ends destinations on each switch  @param own how many of the start's own count
  std::vector<double> dependence(const std::vector<std::uint32_t>& ends, std::uint32_t own) const {
    std::vector<double> share(ways.size());
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      const std::uint32_t count = *at == order.front() ? own : ends[*at];
      for (std::uint32_t end = 0; end < count; ++end) share[*at] += 1.0;
      for (const std::uint32_t earlier : before[*at]) {
        const double of_ways = static_cast<double>(ways[earlier]) / static_cast<double>(ways[*at]);
        share[earlier] += of_ways * (1 + share[*at]);
      }
    }
    return share;
  }
};

}  // namespace

std::uint32_t nue_centre(const NueSubnet& subnet, std::span<const std::uint32_t> destinations) {
  const std::vector<bool> hull = convex_hull(subnet, destinations);
  std::vector<std::uint32_t> ends(subnet.size());  // adapters' base LIDs
  for (const std::uint32_t destination : destinations)
    if (subnet.destinations[destination].where.port != 0) ++ends[subnet.homes[destination]];
  std::vector<double> centrality(subnet.size());
  for (std::uint32_t start = 0; start < subnet.size(); ++start) {
    if (!hull[start]) continue;
    const ShortestWays from_here(subnet, hull, start);
    const std::vector<double> of_switch = from_here.dependence(ends, ends[start]);
    for (std::uint32_t sw = 0; sw < subnet.size(); ++sw)
      if (sw != start) centrality[sw] += of_switch[sw];
    if (ends[start] == 0) continue;
    const std::vector<double> of_end = from_here.dependence(ends, ends[start] - 1);
    for (std::uint32_t end = 0; end < ends[start]; ++end)
      for (std::uint32_t sw = 0; sw < subnet.size(); ++sw) centrality[sw] += of_end[sw];
  }
  std::uint32_t centre = kNone;
  for (std::uint32_t sw = 0; sw < subnet.size(); ++sw)
    if (hull[sw] && (centre == kNone || centrality[centre] < centrality[sw])) centre = sw;
  return centre;
}

}  // namespace weft
