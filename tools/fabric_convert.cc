// weft fabric convert: the fabric, its routes and its lanes in the form of other programs.
#include <algorithm>

#include <fmt/format.h>

#include "sim/error.h"
#include "sim/suggest.h"
#include "tools/fabric_commands.h"
#include "tools/fabric_formats.h"
#include "tools/fabric_input.h"
#include "tools/options.h"
#include "tools/write_file.h"

namespace weft {
namespace po = boost::program_options;

int fabric_convert(const std::vector<std::string>& arguments) {
  po::options_description options;
  add_fabric_options(options);
  options.add_options()("to", po::value<std::string>()->default_value(std::string(fabric_formats()[0].name)))(
      "out", po::value<std::string>()->default_value(""));
  const po::variables_map map = parse_options(arguments, options, {"input"});
  const FabricArguments asked = fabric_arguments(map);
  const std::string to = map["to"].as<std::string>();
  const auto format = std::ranges::find(fabric_formats(), to, &FabricFormat::name);
  if (format == fabric_formats().end()) {
    std::vector<std::string_view> names;
    for (const FabricFormat& known : fabric_formats()) names.push_back(known.name);
    throw UsageError{fmt::format("no format `{}`{}", to, did_you_mean(to, names))};
  }
  FabricInput input(asked);
  if (format->of_routes) input.route(asked.routes);
  const std::string text = format->write(input.prepared());
  for (const std::vector<std::string>& warnings :
       {input.prepared().topology.warnings, input.prepared().routes.warnings})
    for (const std::string& warning : warnings) fmt::print(stderr, "note: {}\n", printable(warning));
  const std::string out = map["out"].as<std::string>();
  if (out.empty())
    fmt::print("{}", text);
  else
    write_file(out, text);
  return kExitOk;
}

}  // namespace weft
