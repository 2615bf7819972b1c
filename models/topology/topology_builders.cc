#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "models/topology/explicit.h"
#include "models/topology/fat_tree.h"
#include "models/topology/ibnetdiscover.h"
#include "models/topology/topology_builder.h"
#include "sim/error.h"

namespace weft {

namespace {

template <class T>
std::unique_ptr<TopologyBuilder> make() {
  return std::make_unique<T>();
}

constexpr std::array<Choice<TopologyBuilder>, 3> kBuilders{{
    {"fat_tree",
     "Leaves, spines and cores, generated: one to four levels of switches of one kind, full bisection or "
     "tapered, with "
     "one or many rails a machine (rails on the same leaves, rail-optimised, or as separate planes). Choose "
     "it to plan "
     "a cluster: most InfiniBand fabrics are fat trees. Trees filled in part get only the switches they "
     "need.",
     make<FatTree>},
    {"explicit",
     "Switches, machines and cables written out one by one or in ranges (leaf{0..3}). Choose it for small "
     "test beds, "
     "irregular fabrics and drawings that no generator knows.",
     make<ExplicitTopology>},
    {"ibnetdiscover",
     "The fabric you have: the text `ibnetdiscover` printed on it, with its names, GUIDs, LIDs, ports and "
     "link speeds, "
     "or an ibsim .net file. Choose it to study a real network, or to route exactly what a subnet manager "
     "routed.",
     make<IbnetdiscoverTopology>},
}};

}  // namespace

std::span<const Choice<TopologyBuilder>> topology_builders() { return kBuilders; }

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
