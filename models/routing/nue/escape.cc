#include "models/routing/nue/escape.h"

namespace weft {

void reserve_escape_paths(const NueSubnet& subnet, const NueTree& tree,
                          std::span<const std::uint32_t> destinations, NueDependencies& dependencies) {
  std::vector<std::vector<std::uint32_t>> below(subnet.size());  // by switch: channels to its children
  for (const std::uint32_t into : tree)
    if (into != kNone) below[subnet.from[into]].push_back(into);
  const auto is_root = [&](std::uint32_t sw) { return tree[sw] == kNone; };

  // Outwards from the root, all the way to every switch.
  for (const std::uint32_t into : tree)
    if (into != kNone && !is_root(subnet.from[into])) dependencies.reserve(tree[subnet.from[into]], into);

  // From switches with destinations inwards to the root, and at each switch on the way outwards again.
  std::vector<bool> passed(subnet.size());
  for (const std::uint32_t destination : destinations) {
    for (std::uint32_t sw = subnet.homes[destination]; !is_root(sw) && !passed[sw];) {
      passed[sw] = true;
      const std::uint32_t parent = subnet.from[tree[sw]];
      if (is_root(parent)) break;
      dependencies.reserve(subnet.reverse[tree[sw]], subnet.reverse[tree[parent]]);
      for (const std::uint32_t into : below[parent])
        if (into != tree[sw]) dependencies.reserve(subnet.reverse[tree[sw]], into);
      sw = parent;
    }
  }

  // At the root from every child to every other.
  for (std::uint32_t sw = 0; sw < subnet.size(); ++sw) {
    if (!is_root(sw)) continue;
    for (const std::uint32_t in : below[sw])
      for (const std::uint32_t out : below[sw])
        if (in != out) dependencies.reserve(subnet.reverse[in], out);
  }
}

}  // namespace weft
