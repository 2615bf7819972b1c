// weft check: everything a run would refuse, without running.
#include <fmt/format.h>

#include "scenarios/loader.h"
#include "sim/error.h"
#include "tools/command.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;

int check_command(const std::vector<std::string>& arguments) {
  po::options_description options;
  options.add_options()("scenario", po::value<std::string>())(
      "set", po::value<std::vector<std::string>>()->composing())("resolved", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"scenario"});
  if (!map.count("scenario")) throw UsageError{"which scenario?"};
  LoadOptions load;
  if (map.count("set")) load.sets = map["set"].as<std::vector<std::string>>();
  Prepared prepared = load_scenario(map["scenario"].as<std::string>(), load);
  build_fabric(prepared);
  make_world(prepared, check_paths(prepared));
  make_workloads(prepared);
  if (map["resolved"].as<bool>()) {
    fmt::print("{}", dump_config(prepared.document, prepared.scenario));
    return kExitOk;
  }
  fmt::print("{} is sound: {} endpoints, {} switches, {} cables, routing {}, {} traffic streams\n",
             map["scenario"].as<std::string>(), prepared.topology.endpoints().size(),
             prepared.topology.count(NodeKind::switch_), prepared.topology.cables.size(),
             prepared.routes.engine, prepared.scenario.traffic.size());
  for (const std::vector<std::string>& notes : {prepared.routes.warnings, prepared.notes})
    for (const std::string& note : notes) fmt::print("note: {}\n", printable(note));
  return kExitOk;
}

}  // namespace weft
