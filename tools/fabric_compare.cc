// weft fabric compare: two ways to route one fabric, side by side.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "models/routing/table_difference.h"
#include "tools/fabric_commands.h"
#include "tools/fabric_difference.h"
#include "tools/fabric_input.h"
#include "tools/fabric_report.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;

int fabric_compare(const std::vector<std::string>& arguments) {
  po::options_description options;
  add_fabric_options(options);
  options.add_options()("with-lft", po::value<std::string>())("with-engine", po::value<std::string>())(
      "json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"input"});
  const FabricArguments asked = fabric_arguments(map);
  const RoutesChoice other = routes_choice(map, "--with-");
  if (other.silent()) throw UsageError{"compared with what? write --with-engine or --with-lft"};
  FabricInput input(asked);
  FabricReport report;
  report.tell_notes(input.prepared());
  const auto route = [&](const RoutesChoice& choice) {
    input.route(choice);
    for (const std::string& warning : input.prepared().routes.warnings)
      report.recorder.warn(fmt::format("{}: {}", choice.name(input.prepared().routes), warning));
    return Side{choice.name(input.prepared().routes), judge(input.prepared()), input.prepared().routes.lft};
  };
  const Side first = route(asked.routes), second = route(other);
  const Topology& topology = input.prepared().topology;
  const PortNames names(topology);
  const TableDifference difference = compare_tables(topology, first.lft, second.lft);
  tell_sides(first, second, report);
  tell_tables(difference, names, report);
  tell_links(link_changes(first.judgement.paths.subscription, second.judgement.paths.subscription), names,
             report);
  report.text +=
      difference.different == 0
          ? fmt::format("all {} entries are equal\n", difference.entries)
          : fmt::format("{} of {} entries differ, in {} switches; {} of {} pairs take another path\n",
                        difference.different, difference.entries, difference.switches.size(),
                        difference.changed, difference.pairs);
  report.print(map["json"].as<bool>());
  return difference.different == 0 ? kExitOk : kExitDiffer;
}

}  // namespace weft
