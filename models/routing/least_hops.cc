#include "models/routing/least_hops.h"

#include <algorithm>
#include <bit>

namespace weft {

LeastHops::LeastHops(const SwitchGraph& graph) : graph_(graph) {
  const std::vector<NodeIndex>& switches = graph.switches();
  number_of_.resize(switches.empty() ? 0 : switches.back() + std::size_t{1}, kNone);
  for (std::uint32_t i = 0; i < switches.size(); ++i) number_of_[switches[i]] = i;
  std::vector<std::uint32_t> seen(switches.size(), kNone);
  for (std::uint32_t i = 0; i < switches.size(); ++i) {
    first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
    for (const SwitchLink& link : graph.links(switches[i])) {
      const std::uint32_t peer = number_of_[link.peer];
      if (std::exchange(seen[peer], i) != i) neighbours_.push_back(peer);
    }
  }
  first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  distance_.resize(switches.size());
  order_.reserve(switches.size());
  begins_.resize(switches.size());
}

void LeastHops::start_from(NodeIndex node) {
  std::ranges::fill(distance_, SwitchGraph::kUnreached);
  std::ranges::fill(begins_, Ports{});
  const std::uint32_t start = number_of_[node];
  distance_[start] = 0;
  order_.assign(1, start);
  for (const SwitchLink& link : graph_.links(node))
    begins_[number_of_[link.peer]][link.port / 64] |= std::uint64_t{1} << (link.port % 64);
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const std::uint32_t at = order_[next];
    for (std::uint32_t i = first_[at]; i < first_[at + 1]; ++i) {
      const std::uint32_t to = neighbours_[i];
      if (distance_[to] == SwitchGraph::kUnreached) {
        distance_[to] = distance_[at] + 1;
        order_.push_back(to);
      }
      if (at == start || distance_[to] != distance_[at] + 1) continue;
      for (unsigned w = 0; w < kWords; ++w) begins_[to][w] |= begins_[at][w];
    }
  }
}

const std::vector<std::uint8_t>& LeastHops::ports_to(NodeIndex to) {
  const Ports& ports = begins_[number_of_[to]];
  if (ports == shown_) return ports_;
  shown_ = ports;
  ports_.clear();
  for (unsigned w = 0; w < kWords; ++w)
    for (std::uint64_t left = ports[w]; left != 0; left &= left - 1)
      ports_.push_back(static_cast<std::uint8_t>(w * 64 + static_cast<unsigned>(std::countr_zero(left))));
  return ports_;
}

}  // namespace weft
