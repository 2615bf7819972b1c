// weft explain: the reference of the scenario language, from the same describe() that reads it.
#include <fmt/format.h>

#include "scenarios/scenario.h"
#include "sim/config.h"
#include "tools/command.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;

int explain_command(const std::vector<std::string>& arguments) {
  po::options_description options;
  options.add_options()("path", po::value<std::string>()->default_value(""))("schema", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"path"});
  Scenario scenario;
  if (map["schema"].as<bool>())
    fmt::print("{}\n", json_schema(scenario, "weft scenario"));
  else
    fmt::print("{}", explain_config(scenario, map["path"].as<std::string>()));
  return kExitOk;
}

}  // namespace weft
