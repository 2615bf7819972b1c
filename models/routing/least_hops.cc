#include "models/routing/least_hops.h"

#include <algorithm>
#include <bit>
#include <utility>

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
  const std::span<const SwitchLink> links = graph_.links(node);
  words_ = links.empty() ? 1 : (links.back().port - 1u) / 64 + 1;
  begins_.assign(distance_.size() * words_, 0);
  shown_.assign(words_, 0);
  ports_.clear();
  for (const SwitchLink& link : links) {
    const unsigned bit = link.port - 1u;
    begins_[number_of_[link.peer] * words_ + bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  switch (words_) {
    case 1:
      return search<1>(number_of_[node]);
    case 2:
      return search<2>(number_of_[node]);
    case 3:
      return search<3>(number_of_[node]);
    default:
      return search<4>(number_of_[node]);
  }
}

template <unsigned words>
void LeastHops::search(std::uint32_t start) {
  std::ranges::fill(distance_, SwitchGraph::kUnreached);
  distance_[start] = 0;
  order_.assign(1, start);
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const std::uint32_t at = order_[next], farther = distance_[at] + 1;
    if (order_.size() == distance_.size() && distance_[order_.back()] < farther) return;  // none is farther
    for (std::uint32_t i = first_[at]; i < first_[at + 1]; ++i) {
      const std::uint32_t to = neighbours_[i];
      if (distance_[to] == SwitchGraph::kUnreached) {
        distance_[to] = farther;
        order_.push_back(to);
      }
      if (distance_[to] != farther) continue;
      for (unsigned w = 0; w < words; ++w)  // the start's own are none, which its neighbours keep
        begins_[to * words + w] |= begins_[at * words + w];
    }
  }
}

const std::vector<std::uint8_t>& LeastHops::ports_to(NodeIndex to) {
  const std::uint64_t* ports = begins_.data() + std::size_t{number_of_[to]} * words_;
  if (std::equal(shown_.begin(), shown_.end(), ports)) return ports_;
  shown_.assign(ports, ports + words_);
  ports_.clear();
  for (unsigned w = 0; w < words_; ++w)
    for (std::uint64_t left = ports[w]; left != 0; left &= left - 1)
      ports_.push_back(static_cast<std::uint8_t>(w * 64 + static_cast<unsigned>(std::countr_zero(left)) + 1));
  return ports_;
}

}  // namespace weft
