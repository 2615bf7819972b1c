#include "models/topology/global_links.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

std::span<const std::pair<std::string_view, Arrangement>> words_of(Arrangement) {
  static constexpr std::array<std::pair<std::string_view, Arrangement>, 3> kWords{{
      {"absolute", Arrangement::absolute},
      {"relative", Arrangement::relative},
      {"circulant", Arrangement::circulant},
  }};
  return kWords;
}

GlobalPort global_peer(Arrangement arrangement, std::uint32_t groups, GlobalPort from) {
  const auto [group, q] = from;
  switch (arrangement) {
    case Arrangement::absolute:
      return q < group ? GlobalPort{q, group - 1} : GlobalPort{q + 1, group};
    case Arrangement::relative:
      return {(group + q + 1) % groups, groups - 2 - q};
    case Arrangement::circulant: {
      const std::uint32_t distance = q / 2 + 1;
      if (distance * 2 == groups) return {(group + distance) % groups, q};  // as far either way
      const bool up = q % 2 == 0;
      return {(group + (up ? distance : groups - distance)) % groups, up ? q + 1 : q - 1};
    }
  }
  invariant_failed("an arrangement is one of three", std::to_string(static_cast<int>(arrangement)));
}

void GroupKeys::describe_groups(Describe& d) {
  d.field("groups", groups, "g: groups. Default: as many as the global ports of one reach, and that one.")
      .range("1", "1000000");
  d.field("arrangement", arrangement,
          "Which global port leads to which group. absolute: in order of number. relative: in order of "
          "distance. circulant: next, previous, second next, second previous ...")
      .source("Kim et al. 2008");
  d.field("parallel", parallel,
          "Cables between each two groups. Default: as many as the global ports of a group give.")
      .range("1", "100000");
  d.group("local_link", local_link, "Cables within a group.");
  d.group("global_link", global_link, "Cables between groups.");
}

std::uint32_t GroupKeys::group_count(std::uint64_t ports) const {
  return groups.value_or(static_cast<std::uint32_t>(std::min<std::uint64_t>(ports + 1, kMostSwitchPorts)));
}

std::string GroupKeys::left_over(std::uint64_t ports) const {
  const std::uint64_t others = group_count(ports) - 1;
  if (parallel || others == 0 || ports % others == 0) return {};
  return fmt::format(
      "{} of the {} global ports of each group stay free: they are too few for one more cable to each of {} "
      "other groups",
      ports % others, ports, others);
}

std::vector<std::pair<GlobalPort, GlobalPort>> GroupKeys::global_cables(std::uint64_t ports) const {
  const std::uint32_t g = group_count(ports);
  std::vector<std::pair<GlobalPort, GlobalPort>> cables;
  if (g <= 1) return cables;
  const std::uint64_t most = ports / (g - 1);
  if (most == 0)
    throw BadValue("groups",
                   fmt::format("{} groups cannot all be joined: the {} global ports of each reach {}", g,
                               ports, ports + 1));
  if (parallel && (*parallel == 0 || *parallel > most))
    throw BadValue("parallel", fmt::format("the {} global ports of a group give 1 to {} cables to each of {} "
                                           "others, not {}",
                                           ports, most, g - 1, *parallel));
  const auto rounds = static_cast<std::uint32_t>(parallel.value_or(static_cast<std::uint32_t>(most)));
  cables.reserve(std::size_t{g} * (g - 1) / 2 * rounds);
  for (std::uint32_t group = 0; group < g; ++group)
    for (std::uint32_t round = 0; round < rounds; ++round)
      for (std::uint32_t q = 0; q + 1 < g; ++q) {
        GlobalPort peer = global_peer(arrangement, g, {group, q});
        if (peer.group < group) continue;
        peer.port += round * (g - 1);
        cables.emplace_back(GlobalPort{group, round * (g - 1) + q}, peer);
      }
  return cables;
}

}  // namespace weft
