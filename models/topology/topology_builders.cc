// The table of topologies: what `weft list` prints, what the scenario's `topology: {type: ...}` may name.
#include <filesystem>

#include <fmt/format.h>

#include "models/topology/topology_builder_rows.h"
#include "sim/error.h"

namespace weft {

std::span<const Choice<TopologyBuilder>> topology_builders() {
  static constexpr Choice<TopologyBuilder> kBuilders[] = {
      {"fat_tree",
       "Leaves, spines and cores, generated: one to four levels of switches of one kind, full bisection or "
       "tapered, with one or many rails a machine (rails on the same leaves, rail-optimised, or as separate "
       "planes). Choose it to plan a cluster: most InfiniBand fabrics are fat trees. Trees filled in part "
       "get only the switches they need.",
       make_fat_tree, "{type: fat_tree, hosts: 6, levels: 3, radix: 4}"},
      {"xgft",
       "Extended generalised fat trees by their vectors: children, parents and parallel cables of each "
       "level, "
       "with switches and link rates of their own where a level differs. Choose it for a tree that fat_tree "
       "does not work out by itself: tapered above the leaves, of mixed switches, or of more than four "
       "levels. Where each switch has as much bandwidth up as down it is full, and D-mod-K routes every "
       "shift "
       "without contention.",
       make_xgft, "{type: xgft, children: [2, 3], parents: [1, 2]}"},
      {"torus",
       "Tori and meshes of one to eight dimensions, machines on every switch. Choose it for short cables and "
       "neighbour traffic: it grows by adding switches of few ports, and its bisection shrinks beside that. "
       "Shortest paths round a ring hold credit loops: route it with torus-2QoS, dfsssp or nue, a mesh with "
       "dor.",
       make_torus, "{type: torus, size: [3, 3]}"},
      {"hyperx",
       "HyperX: a lattice whose lines are fully joined, one hop a dimension; flattened butterflies, "
       "hypercubes and full meshes are special cases. Choose it for low diameter at less cost than a tree, "
       "where traffic is spread; adversarial patterns need non-minimal routes. dor is free of credit loops "
       "on it.",
       make_hyperx, "{type: hyperx, size: [3, 2], hosts_per_switch: 2}"},
      {"dragonfly",
       "Groups of fully joined switches, and every two groups joined: three hops across, few long cables. "
       "Choose it for very large machines of mixed traffic. Shortest paths hold credit loops (route it with "
       "dfsssp or nue), and traffic between two groups has one way only, unless it goes by a third.",
       make_dragonfly, "{type: dragonfly, hosts_per_switch: 2, switches_per_group: 3, global_per_switch: 1}"},
      {"dragonfly_plus",
       "Dragonfly+: groups of leaves and spines, and every two groups joined between spines. Choose it where "
       "a dragonfly's groups should be larger, or easier to build, than full meshes: machines of a group "
       "have "
       "a non-blocking tree between them, and a fabric grows group by group.",
       make_dragonfly_plus, "{type: dragonfly_plus, hosts_per_leaf: 2, groups: 3}"},
      {"slim_fly",
       "Slim Fly: any two switches at most two hops apart, with nearly as many switches as that allows. "
       "Choose it for "
       "the lowest diameter and cost a host among direct networks, where cables may be long. Shortest paths "
       "hold "
       "credit loops: route it with dfsssp or nue.",
       make_slim_fly, "{type: slim_fly, q: 3}"},
      {"explicit",
       "Switches, machines and cables written out one by one or in ranges (leaf{0..3}). Choose it for small "
       "test beds, irregular fabrics and drawings that no generator knows.",
       make_explicit,
       "{type: explicit, switches: [{name: s, ports: 4}], hosts: [{name: 'h{0..2}'}], cables: [{a: "
       "'h{0..2}', b: 's[{1..3}]'}]}"},
      {"ibnetdiscover",
       "The fabric you have: the text `ibnetdiscover` printed on it, with its names, GUIDs, LIDs, ports and "
       "link speeds, or an ibsim .net file. Choose it to study a real network, or to route exactly what a "
       "subnet manager routed.",
       make_ibnetdiscover, "{type: ibnetdiscover, file: fabric.ibnetdiscover}"},
  };
  return kBuilders;
}

BuildContext::SwitchShape BuildContext::shape_of(const std::string& profile, const std::string& key) const {
  if (!switch_shape)
    throw BadValue(key, fmt::format("no switch profiles are at hand to look `{}` up in", profile));
  try {
    return switch_shape(profile);
  } catch (const BadValue& error) {
    throw BadValue(key, error.what());
  }
}

std::string BuildContext::path_of(const std::string& file) const {
  const std::filesystem::path path(file);
  if (path.is_absolute() || base_folder.empty()) return file;
  return (std::filesystem::path(base_folder) / path).string();
}

}  // namespace weft
