// Dragonflies: groups of fully joined switches, and every two groups joined (Kim, Dally, Scott, Abts,
// "Technology-driven, highly-scalable dragonfly topology", ISCA'08).
//
//   topology: {type: dragonfly, hosts_per_switch: 4}     # p = 4, a = 8, h = 4, g = 33: 1,056 machines
//
// hosts_per_switch is the paper's p, switches_per_group its a, global_per_switch its h, groups its g. With a
// global cable between each two groups there are at most a h + 1 groups; fewer are joined several times.
//
// Ports: machines on 1 .. p, then the other switches of the group in order, then the h global ones, which a
// group counts switch by switch (global_links.h).
//
// Closed forms: a g switches, a p g machines; cables within groups g a (a-1) / 2, between them n g (g-1) / 2
// with n = floor(a h / (g-1)); diameter 3 (local, global, local).
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "models/topology/direct_network.h"
#include "models/topology/global_links.h"
#include "models/topology/topology_builder_rows.h"
#include "sim/error.h"

namespace weft {

namespace {

class Dragonfly : public TopologyBuilder, public DirectNetworkKeys, public GroupKeys {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::optional<std::uint32_t> switches_per_group, global_per_switch;
};

void Dragonfly::describe(Describe& d) {
  describe_network(d, "hosts_per_switch");
  d.field("switches_per_group", switches_per_group, "a: switches in a group. Default: 2 p, a balanced one.")
      .range("1", "254");
  d.field("global_per_switch", global_per_switch,
          "h: ports of a switch to other groups. Default: p, a balanced one.")
      .range("1", "254");
  describe_groups(d);
}

Topology Dragonfly::build(const BuildContext& context) const {
  const std::uint32_t a = switches_per_group.value_or(2 * hosts_per_switch),
                      h = global_per_switch.value_or(hosts_per_switch);
  if (a == 0) throw BadValue("switches_per_group", "a group has at least one switch");
  const std::uint64_t global_ports = std::uint64_t{a} * h;
  const std::uint32_t g = group_count(global_ports);
  const std::uint64_t ports = a - 1 + (g > 1 ? h : 0);
  DirectNetwork network(
      *this, context, {std::uint64_t{a} * g, std::uint64_t{a} * g, ports, 0, "groups", "hosts_per_switch"},
      [a, g](std::uint32_t s) { return numbered("group", s / a, g) + numbered("-sw", s % a, a); });
  const LinkSpec local = local_link.over(network.link(), "local_link"),
                 global = global_link.over(network.link(), "global_link");
  for (std::uint32_t group = 0; group < g; ++group)
    for (std::uint32_t low = 0; low < a; ++low)
      for (std::uint32_t high = low + 1; high < a;
           ++high)  // the others are counted without the switch itself
        network.connect(group * a + low, high - 1, group * a + high, low, local);
  for (const auto& [from, to] : global_cables(global_ports))
    network.connect(from.group * a + from.port / h, a - 1 + from.port % h, to.group * a + to.port / h,
                    a - 1 + to.port % h, global);
  if (const std::string text = left_over(global_ports); !text.empty()) network.warn(text);
  return network.finish();
}

}  // namespace

std::unique_ptr<TopologyBuilder> make_dragonfly() { return std::make_unique<Dragonfly>(); }

}  // namespace weft
