// The outcome of routing: for each switch and destination LID an output port set, and the lanes messages use.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/routing/forwarding_tables.h"
#include "models/routing/multicast_tables.h"
#include "models/routing/path_sls.h"
#include "models/routing/sl2vl.h"
#include "models/topology/topology.h"
#include "sim/error.h"
#include "sim/schema.h"

namespace weft {

/// All that the fabric needs to know of routing.
struct Routes {
  ForwardingTables lft;  // lft[node][lid]; nodes that are not switches have none
  /// Adaptive routing and LAG: an LFT entry beyond the switch's ports, ports + 1 + g, means "any port of
  /// groups[node][g]". Empty = plain LFTs.
  std::vector<std::vector<std::vector<std::uint8_t>>> groups;  // [node][group] -> ports
  PathSls path_sls;            // of an engine that needs lanes; empty = the traffic chooses its service level
  unsigned vls = 1;            // data VLs the routes need
  std::optional<Sl2Vl> sl2vl;  // the mapping they need; nothing = SL modulo VLs does
  MulticastTables multicast;   // of the groups that traffic needs; no engine fills it
  std::string engine;          // engine that really ran
  std::vector<std::string> warnings;
};

/// What an engine may ask of its surroundings.
struct RoutingContext {
  std::string base_folder;  // relative file names in the scenario start here
  unsigned max_vls = 8;     // data VLs the fabric can operate: OpenSM takes the least VLCap of its ports
  std::string path_of(const std::string& file) const;  // `file` when absolute, else below base_folder
};

/// An engine will not route this fabric: no tree, no roots, too few lanes. What is wrong with the scenario
/// itself (a file that cannot be read, a key out of range) is a BadValue or ConfigError.
class Refusal : public BadValue {
 public:
  /// @param reason a clause that follows "dfsssp refuses this fabric: "
  Refusal(std::string_view engine, const std::string& reason);
};

/// What an engine, with its defaults, holds to on every fabric that it does not refuse. The contract suite
/// holds it to that.
struct RoutingPromises {
  bool any_fabric = false;     // it refuses none
  bool least_hops = true;      // of every path between adapters
  bool deadlock_free = false;  // with the lanes it asks for; without it, on fat trees alone
  bool joins_switches = true;  // switches reach each other's LIDs wherever cables lead
};

class RoutingEngine : public Configurable {
 public:
  /// Engines to take in turn when this one refuses, with their defaults.
  std::vector<std::string> fallback;

  /// Keys all engines have, and then its own.
  void describe(Describe& d) final;
  virtual RoutingPromises promises() const { return {}; }
  /// The routes of a fabric; each plane's by itself, as it is a subnet with a subnet manager of its own.
  /// @throws Refusal when the engine cannot route this fabric
  Routes build(const Topology& topology, const RoutingContext& context) const;

 protected:
  virtual void describe_engine(Describe&) {}
  /// The routes of one subnet. @throws as build
  virtual Routes route(const Topology& topology, const RoutingContext& context) const = 0;
  /// Tables of a file are of all planes.
  virtual bool plane_by_plane() const { return true; }
};

/// The table of engines.
std::span<const Choice<RoutingEngine>> routing_engines();

/// The engine of that name with its defaults; nullptr when there is none.
std::unique_ptr<RoutingEngine> make_routing_engine(std::string_view name);

}  // namespace weft
