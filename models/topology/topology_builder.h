// A way to obtain a Topology: one file and one row of the table each.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "models/topology/topology.h"
#include "sim/schema.h"

namespace weft {

/// What a builder may ask about the devices a scenario names.
struct BuildContext {
  std::string base_folder;  // relative file names in the scenario start here
  /// Port count, generation and width of a switch profile ("qm9700" -> 64, NDR, 4).
  struct SwitchShape {
    unsigned ports = 0;
    Generation generation = Generation::ndr;
    std::uint8_t width = 4;
  };
  /// @throws BadValue for an unknown profile
  std::function<SwitchShape(const std::string& profile)> switch_shape;
  /// The same, the BadValue naming `key`. @throws BadValue also when no profiles are at hand
  SwitchShape shape_of(const std::string& profile, const std::string& key) const;
  /// `file` as it stands when absolute, else below base_folder.
  std::string path_of(const std::string& file) const;
};

/// Reads its keys by `describe`, then builds. One object, one topology.
class TopologyBuilder : public Configurable {
 public:
  /// @throws BadValue (a key of this struct) or ConfigError (a place in a file it read)
  virtual Topology build(const BuildContext& context) const = 0;
};

/// The table, in topology_builders.cc. Where a row's example reads a file, it is named after what is in it
/// (`fabric.ibnetdiscover`).
std::span<const Choice<TopologyBuilder>> topology_builders();

}  // namespace weft
