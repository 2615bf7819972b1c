#include "models/routing/ranked_hops.h"

#include <algorithm>
#include <bit>

namespace weft {
namespace {

constexpr std::uint8_t kNoWay = 255;
constexpr unsigned kMostHops = 64;  // OpenSM's limit of a path

}  // namespace

RankedHops::RankedHops(const Topology& topology, const SwitchGraph& graph,
                       const std::function<Direction(NodeIndex from, NodeIndex to)>& direction,
                       const TurnRules& rules)
    : switches_(graph.switches().size()), number_of_(topology.nodes.size(), kNone) {
  for (std::uint32_t s = 0; s < switches_; ++s) number_of_[graph.switches()[s]] = s;
  for (const NodeIndex node : graph.switches()) {
    first_.push_back(static_cast<std::uint32_t>(steps_.size()));
    words_ = std::max(words_, (topology.nodes[node].ports.size() + 63) / 64);
    for (const SwitchLink& link : graph.links(node))
      steps_.push_back({number_of_[link.peer], topology.nodes[node].port(link.port).peer_port,
                        direction(node, link.peer)});
  }
  first_.push_back(static_cast<std::uint32_t>(steps_.size()));
  best_.resize(switches_ * switches_ * words_);
  hops_.resize(switches_ * 256);
  entered_.resize(switches_);
  waiting_.resize(switches_);
  for (std::uint32_t to = 0; to < switches_; ++to) {
    search(to, rules, !rules.free.empty() && rules.free[graph.switches()[to]]);
    for (std::uint32_t from = 0; from < switches_; ++from) {
      const std::uint8_t* hops = hops_.data() + std::size_t{from} * 256;
      if (from == to || hops[0] == kNoWay) continue;
      most_hops_ = std::max<unsigned>(most_hops_, hops[0]);
      for (std::size_t port = 1; port <= topology.nodes[graph.switches()[from]].ports.size(); ++port)
        if (hops[port] == hops[0])
          best_[word(from, to) + (port - 1) / 64] |= std::uint64_t{1} << (port - 1) % 64;
    }
  }
}

void RankedHops::search(std::uint32_t destination, const TurnRules& rules, bool free) {
  std::ranges::fill(hops_, kNoWay);
  hops_[std::size_t{destination} * 256] = 0;
  entered_[destination] = rules.start;
  queue_.assign(1, destination);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::uint32_t at = queue_[next];
    waiting_[at] = false;
    const Direction entered = entered_[at];
    for (std::uint32_t s = first_[at]; s < first_[at + 1]; ++s) {
      const Step& step = steps_[s];
      std::uint8_t* hops = hops_.data() + std::size_t{step.to} * 256;
      unsigned here = hops_[std::size_t{at} * 256];
      if (!free && entered == rules.before && step.direction == rules.after) {
        if (rules.penalty == 0 || here + rules.penalty >= kMostHops) continue;
        here += rules.penalty;
      }
      if (here + 1 >= hops[step.port]) continue;
      hops[step.port] = static_cast<std::uint8_t>(here + 1);
      hops[0] = std::min(hops[0], hops[step.port]);
      if (waiting_[step.to]) continue;
      entered_[step.to] = step.direction;
      waiting_[step.to] = true;
      queue_.push_back(step.to);
    }
  }
}

const std::vector<std::uint8_t>& RankedHops::ports_to(NodeIndex to) {
  ports_.clear();
  const std::size_t first = word(from_, number_of_[to]);
  for (std::size_t w = 0; w < words_; ++w)
    for (std::uint64_t left = best_[first + w]; left != 0; left &= left - 1)
      ports_.push_back(static_cast<std::uint8_t>(w * 64 + static_cast<unsigned>(std::countr_zero(left)) + 1));
  return ports_;
}

}  // namespace weft
