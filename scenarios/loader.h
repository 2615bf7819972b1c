// From a scenario file to everything a run needs: read, resolved against profiles, built, routed, checked.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/world.h"
#include "models/routing/validate.h"
#include "scenarios/profile_store.h"
#include "scenarios/scenario.h"
#include "sim/config.h"

namespace weft {

/// What the command line adds to the file.
struct LoadOptions {
  std::vector<std::string> sets;  // "path=value"
  std::optional<std::uint64_t> seed;
};

struct Prepared {
  Document document;
  Scenario scenario;
  std::string base_folder;                    // of the scenario file
  std::optional<std::string> routing_folder;  // where file names of fabric.routing start, when not there
  Topology topology;
  Routes routes;
  std::vector<std::uint32_t> group_of_stream;  // the multicast group each sends to; Message::kNoGroup
  Devices devices;
  FabricSettings settings;
  std::vector<std::string> notes;  // choices made where the scenario was silent
};

/// Reads and checks the scenario alone: no topology is built. @throws ConfigError
Prepared load_scenario(const std::string& path, const LoadOptions& options);
/// The same of a scenario that is no file.
Prepared prepare(Document document, std::string base_folder, const LoadOptions& options);

/// `path=value` as a user says it on the command line: a relative `...file=NAME` starts in the folder the
/// user stands in, not in the scenario's.
std::string from_here(const std::string& assignment);

/// Builds topology, routes and devices. @throws ConfigError located in the scenario or in a file it names
void build_fabric(Prepared& prepared);
/// Its two halves: topology and devices; then routes and lanes, which may be made anew when the scenario's
/// routing or the topology have changed.
void build_topology(Prepared& prepared);
/// What the patterns of a scenario are told; the name of their stream is still to come.
PatternContext pattern_context(const Prepared& prepared);
void route_fabric(Prepared& prepared);
/// Takes routes made otherwise for that topology, and settles the lanes.
void adopt_routes(Prepared& prepared, Routes routes);
/// Trees for the multicast groups that the traffic sends to.
void route_groups(Prepared& prepared);

/// Walks every path. @throws ConfigError when one loops: its packets would circle for ever
RouteReport check_paths(const Prepared& prepared);

/// The engine, with the scenario's events scheduled. @param paths of check_paths
/// @throws ConfigError, also when the longest path takes longer than a packet's row can count
std::unique_ptr<World> make_world(const Prepared& prepared, const RouteReport& paths);

/// The workload of each traffic stream. @throws ConfigError for traffic that does not fit the fabric or the
/// run
std::vector<std::unique_ptr<Workload>> make_workloads(const Prepared& prepared);

}  // namespace weft
