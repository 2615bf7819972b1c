#include "models/routing/lash/ways.h"

#include <algorithm>
#include <utility>

namespace weft {

LashLinks lash_links(const SwitchGraph& graph, const std::vector<NodeIndex>& switches, bool merge_parallel) {
  std::vector<std::uint32_t> number_of(switches.empty() ? 0 : *std::ranges::max_element(switches) + 1u);
  for (std::uint32_t i = 0; i < switches.size(); ++i) number_of[switches[i]] = i;
  LashLinks links(switches.size());
  for (std::uint32_t i = 0; i < switches.size(); ++i) {
    for (const SwitchLink& cable : graph.links(switches[i])) {
      const std::uint32_t peer = number_of[cable.peer];
      const auto same = merge_parallel ? std::ranges::find(links[i], peer, &LashLink::peer) : links[i].end();
      if (same != links[i].end())
        same->ports.push_back(cable.port);
      else
        links[i].push_back({peer, {cable.port}});
    }
  }
  return links;
}

LashWays::LashWays(LashLinks links)
    : links_(std::move(links)),
      out_(links_.size() * links_.size(), kNoLink),
      parent_(links_.size()),
      parents_link_(links_.size()) {
  std::uint32_t channels = 0;
  for (const std::vector<LashLink>& own : links_) {
    first_channel_.push_back(channels);
    channels += static_cast<std::uint32_t>(own.size());
  }
  first_channel_.push_back(channels);
  for (std::uint32_t root = 0; root < switches(); ++root) grow_from(root);
}

void LashWays::grow_from(std::uint32_t root) {
  std::ranges::fill(parent_, kNone);
  parent_[root] = root;
  order_.assign(1, root);
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const std::uint32_t at = order_[next];
    for (std::size_t link = 0; link < links_[at].size(); ++link) {
      const std::uint32_t peer = links_[at][link].peer;
      if (parent_[peer] != kNone) continue;
      parent_[peer] = at;
      parents_link_[peer] = static_cast<std::uint8_t>(link);
      order_.push_back(peer);
    }
  }
  for (const std::uint32_t to : order_) {
    for (std::uint32_t at = to; at != root; at = parent_[at]) {
      std::uint8_t& known = out_[std::size_t{parent_[at]} * links_.size() + to];
      if (known == kNoLink) known = parents_link_[at];
    }
  }
}

void LashWays::follow(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& path) const {
  path.clear();
  while (from != to) {
    path.push_back(first_channel_[from] + out(from, to));
    from = first_link(from, to).peer;
  }
}

}  // namespace weft
