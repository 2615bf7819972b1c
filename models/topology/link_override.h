// Changes to single links of a fabric: a slow cable, a longer one, another rate.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/topology/topology.h"
#include "sim/schema.h"

namespace weft {

/// Which links, and what is different about them.
struct LinkOverride : Configurable {
  void describe(Describe& d) override;
  std::string match;
  std::string speed;
  std::optional<Rate> rate;
  std::string cable;
  std::optional<Length> length;
};

/// Applies each in turn, later ones over earlier ones. `key` is the path of the list ("links"). A pattern is
/// `name[port]` with * and ? on either end of a link (no brackets: any port), or `tier: leaf-spine` (also
/// host, spine-core, core-supercore) in a generated tree.
/// @throws BadValue ("links[2].match") for a pattern that matches nothing or an override that changes nothing
void apply_overrides(Topology& topology, std::span<const LinkOverride> overrides, std::string_view key);

}  // namespace weft
