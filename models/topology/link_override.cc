#include "models/topology/link_override.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "sim/error.h"
#include "sim/suggest.h"

namespace weft {

namespace {

constexpr std::array<std::string_view, 4> kTiers{"host", "leaf-spine", "spine-core", "core-supercore"};

// * any run, ? any character; linear in text x pattern.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

struct EndPattern {
  std::string_view name, port;  // port empty: any

  bool matches(const Topology& topology, PortRef end) const {
    return glob(name, topology.nodes[end.node].name) &&
           (port.empty() || glob(port, std::to_string(end.port)));
  }
};

EndPattern end_pattern(std::string_view match, const std::string& key) {
  const std::size_t open = match.find('[');
  if (open == std::string_view::npos) return {match, {}};
  if (!match.ends_with(']') || match.size() < open + 3)
    throw BadValue(key,
                   fmt::format("`{}` should end in a port in brackets, as leaf03[7] or leaf*[*]", match));
  return {match.substr(0, open), match.substr(open + 1, match.size() - open - 2)};
}

// Which tier a cable belongs to, or kTiers.size() where the tree's levels are not known.
std::size_t tier_of(const Topology& topology, const Cable& cable) {
  const Node &a = topology.nodes[cable.a.node], &b = topology.nodes[cable.b.node];
  if (a.kind == NodeKind::hca || b.kind == NodeKind::hca) return 0;
  if (a.level < 0 || b.level < 0 || a.level == b.level) return kTiers.size();
  return static_cast<std::size_t>(std::min(a.level, b.level)) + 1;
}

void change(LinkSpec& link, const LinkOverride& to, const std::string& speed_key) {
  if (!to.speed.empty()) {
    std::tie(link.width, link.generation) = speed_of(to.speed, speed_key);
    link.rate.reset();
  }
  if (to.rate) link.rate = to.rate;
  if (!to.cable.empty()) link.cable = to.cable;
  if (to.length) link.length = to.length;
}

}  // namespace

void LinkOverride::describe(Describe& d) {
  d.field("match", match,
          "Which links: leaf03[7], leaf*[*], h0017* (* and ? on either end's name and port), or `tier: "
          "leaf-spine`.")
      .required();
  d.field("speed", speed, "Width and generation they run at: 2xNDR.");
  d.field("rate", rate, "Data rate instead of the generation's.").range("1 bps", "");
  d.field("cable", cable, "Cable profile by name.");
  d.field("length", length, "Cable length.").range("0 m", "");
}

void apply_overrides(Topology& topology, std::span<const LinkOverride> overrides, std::string_view key) {
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    const LinkOverride& to = overrides[i];
    const std::string match_key = fmt::format("{}[{}].match", key, i),
                      speed_key = fmt::format("{}[{}].speed", key, i);
    if (to.speed.empty() && !to.rate && to.cable.empty() && !to.length)
      throw BadValue(match_key,
                     fmt::format("`{}` changes nothing: give speed, rate, cable or length", to.match));
    if (to.rate && to.rate->unlimited())
      throw BadValue(fmt::format("{}[{}].rate", key, i), "a link's rate is above zero");
    std::size_t tier = kTiers.size();
    EndPattern pattern;
    if (to.match.starts_with("tier:")) {
      std::string_view name = std::string_view(to.match).substr(5);
      name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
      const auto known = std::ranges::find(kTiers, name);
      if (known == kTiers.end())
        throw BadValue(match_key, fmt::format("there is no tier `{}`{}", name, did_you_mean(name, kTiers)));
      tier = static_cast<std::size_t>(known - kTiers.begin());
    } else {
      pattern = end_pattern(to.match, match_key);
    }
    std::size_t matched = 0;
    for (Cable& cable : topology.cables) {
      const bool fits = tier < kTiers.size()
                            ? tier_of(topology, cable) == tier
                            : pattern.matches(topology, cable.a) || pattern.matches(topology, cable.b);
      if (!fits) continue;
      ++matched;
      change(cable.link, to, speed_key);
    }
    if (matched > 0) continue;
    std::vector<std::string_view> names;
    for (const Node& node : topology.nodes) names.push_back(node.name);
    const std::string hint = tier < kTiers.size() || to.match.find_first_of("*?") != std::string::npos
                                 ? std::string()
                                 : did_you_mean(pattern.name, names);
    throw BadValue(match_key, fmt::format("`{}` matches no link{}", to.match, hint));
  }
}

}  // namespace weft
