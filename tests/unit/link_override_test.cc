#include "models/topology/link_override.h"

#include <array>

#include "models/topology/fat_tree.h"
#include "sim/error.h"
#include "tests/catch.h"

using weft::LinkOverride;

namespace {

weft::Topology tree() {
  weft::FatTree builder;
  builder.hosts = 16;
  builder.levels = 3;
  builder.radix = 4;
  return builder.build({});
}

LinkOverride slower(std::string match) {
  LinkOverride o;
  o.match = std::move(match);
  o.speed = "2xNDR";
  return o;
}

std::size_t changed(std::string match) {
  weft::Topology t = tree();
  const std::array overrides{slower(std::move(match))};
  apply_overrides(t, overrides, "links");
  std::size_t count = 0;
  for (const weft::Cable& cable : t.cables) count += cable.link.width == 2;
  return count;
}

std::string refusal(const LinkOverride& o) {
  weft::Topology t = tree();
  const std::array overrides{slower("*"), o};
  try {
    apply_overrides(t, overrides, "links");
  } catch (const weft::BadValue& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("overrides find links by either end or by tier", "[fast][link_override]") {
  CHECK(changed("*") == 48);
  CHECK(changed("leaf03[1]") == 1);
  CHECK(changed("leaf03") == 4);
  CHECK(changed("leaf*[4]") == 8);
  CHECK(changed("core0?[1]") == 4);
  CHECK(changed("host0007*") == 1);
  CHECK(changed("tier: host") == 16);
  CHECK(changed("tier:leaf-spine") == 16);
  CHECK(changed("tier: spine-core") == 16);
}

TEST_CASE("an override changes what it states, later ones over earlier", "[fast][link_override]") {
  weft::Topology t = tree();
  std::array<LinkOverride, 3> overrides{slower("leaf03[1]"), slower("leaf03[1]"), slower("leaf03[1]")};
  overrides[0].rate = weft::gigabits_per_second(90);
  overrides[0].cable = "aoc";
  overrides[0].length = weft::Length{30'000'000};
  overrides[1].speed = "4xHDR";
  overrides[2].speed.clear();
  overrides[2].length = weft::Length{5'000'000};
  apply_overrides(t, std::span(overrides).first(1), "links");
  const weft::NodeIndex leaf = t.find("leaf03");
  const weft::LinkSpec& link = t.cables[t.nodes[leaf].port(1).cable].link;
  CHECK(data_rate(link) == weft::gigabits_per_second(90));
  apply_overrides(t, overrides, "links");
  CHECK(data_rate(link) == weft::gigabits_per_second(200));  // a new speed takes the old rate away
  CHECK(link.cable == "aoc");
  CHECK(link.length == weft::Length{5'000'000});
}

TEST_CASE("an override that matches or changes nothing is refused", "[fast][link_override]") {
  CHECK(refusal(slower("leaf3")) == "links[1].match: `leaf3` matches no link; did you mean `leaf03`?");
  CHECK(refusal(slower("leaf03[9]")) ==
        "links[1].match: `leaf03[9]` matches no link; did you mean `leaf03`?");
  CHECK(refusal(slower("pod*")) == "links[1].match: `pod*` matches no link");
  CHECK(refusal(slower("tier: core-supercore")) == "links[1].match: `tier: core-supercore` matches no link");
  CHECK(refusal(slower("tier: leaf-spin")) ==
        "links[1].match: there is no tier `leaf-spin`; did you mean `leaf-spine`?");
  CHECK_THAT(refusal(slower("leaf03[")), ContainsSubstring("should end in a port in brackets"));
  CHECK_THAT(refusal(slower("leaf03[]")), ContainsSubstring("should end in a port in brackets"));
  LinkOverride nothing;
  nothing.match = "*";
  CHECK(refusal(nothing) == "links[1].match: `*` changes nothing: give speed, rate, cable or length");
  LinkOverride stopped = nothing;
  stopped.rate = weft::Rate{};
  CHECK(refusal(stopped) == "links[1].rate: a link's rate is above zero");
  LinkOverride odd = nothing;
  odd.speed = "5xNDR";
  CHECK_THAT(refusal(odd), ContainsSubstring("links[1].speed: `5xNDR` is no link speed"));
}
