// How the groups of a dragonfly are joined: which global port of a group leads to which group.
//
// Every two groups are joined by the same number of cables. Count a group's global ports switch by switch;
// with g groups the first g - 1 of them go to the others once, the next g - 1 once more, and so on, so that
// parallel cables lie on different switches where g - 1 is no less than a switch's global ports. Within such
// a round port q of group i leads to
//   absolute    group q, or q + 1 from i on: in order of number (the arrangement of Kim et al. 2008)
//   relative    group i + q + 1: in order of distance
//   circulant   groups i + 1, i - 1, i + 2, i - 2 ...: a switch has both neighbours at a distance
// all modulo g. Source: Hastings, Rincon-Cruz, Spehlmann, Meyers, Xu, Bunde, Leung, "Comparing global link
// arrangements for dragonfly networks", CLUSTER 2015: they differ in bisection, by up to a third where global
// links are faster than local ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/topology/generator.h"

namespace weft {

enum class Arrangement : std::uint8_t { absolute, relative, circulant };
std::span<const std::pair<std::string_view, Arrangement>> words_of(Arrangement);

/// A global port, as its group counts them.
struct GlobalPort {
  std::uint32_t group = 0;
  std::uint32_t port = 0;
  friend bool operator==(GlobalPort, GlobalPort) = default;
};

/// The other end of port `from.port` (below groups - 1) of group `from.group`. Its own inverse.
GlobalPort global_peer(Arrangement arrangement, std::uint32_t groups, GlobalPort from);

/// The keys of the groups and what joins them.
struct GroupKeys {
  void describe_groups(Describe& d);
  /// Each cable between groups once, in order of group and port; `ports` are a group's.
  /// @throws BadValue ("groups", "parallel")
  std::vector<std::pair<GlobalPort, GlobalPort>> global_cables(std::uint64_t ports) const;
  /// As given, else as many as the ports reach.
  std::uint32_t group_count(std::uint64_t ports) const;
  /// What to say where ports stay over; empty where none does, or where `parallel` leaves them free.
  std::string left_over(std::uint64_t ports) const;

  std::optional<std::uint32_t> groups;
  Arrangement arrangement = Arrangement::absolute;
  std::optional<std::uint32_t> parallel;
  LinkKeys local_link, global_link;
};

}  // namespace weft
