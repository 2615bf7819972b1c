// What the commands of `weft fabric` have in common: which fabric, and how it is routed.
#pragma once

#include <string>
#include <vector>

#include <boost/program_options.hpp>

#include "scenarios/loader.h"

namespace weft {

/// One way to route, as the command line says it; nothing said: as the scenario does, a dump by minhop.
struct RoutesChoice {
  std::string lft;                // tables: a file
  std::string engine;             // `ftree`, a chain of fallbacks `ftree,updn`, or `{engine: updn, ...}`
  std::vector<std::string> sets;  // `fabric.routing...=value`, on top of these
  std::string prefix = "--";      // of the options that said so

  bool silent() const { return lft.empty() && engine.empty(); }
  /// "minhop", "a.lfts", for a heading.
  std::string name(const Routes& made) const { return lft.empty() ? made.engine : lft; }
};

struct FabricArguments {
  std::string input;
  std::vector<std::string> sets;  // but those of the routing
  RoutesChoice routes;
};

/// `FABRIC --set PATH=VALUE... --lft FILE --engine ENGINE`, FABRIC being the first positional option.
void add_fabric_options(boost::program_options::options_description& options);
/// @throws UsageError
FabricArguments fabric_arguments(const boost::program_options::variables_map& map);
/// The options `PREFIXlft` and `PREFIXengine`. @throws UsageError for both, or a name no engine has
RoutesChoice routes_choice(const boost::program_options::variables_map& map, const std::string& prefix);

/// A fabric that can be routed one way after another.
class FabricInput {
 public:
  /// Reads a scenario (.yaml, .yml), or an ibnetdiscover dump that stands for a small scenario, and builds
  /// its topology. @throws ConfigError
  explicit FabricInput(const FabricArguments& arguments);

  /// Makes the routes and lanes of prepared(). @throws ConfigError, also when the engine refuses
  void route(const RoutesChoice& choice);
  /// Keeps the routes as they are, on a topology that has changed since.
  void keep(Routes routes);
  Prepared& prepared() { return prepared_; }

 private:
  template <class Work>
  void located_in_input(Work work);

  std::string input_;
  Document document_;  // without the routing of the command line
  Prepared prepared_;
};

/// What `weft fabric COMMAND --help` says of the options all have.
inline constexpr std::string_view kFabricHelp =
    "  FABRIC            a scenario (its name ends in .yaml or .yml), or what ibnetdiscover printed\n"
    "  --set PATH=VALUE  change the scenario, as for run; a dump stands for one that names it\n"
    "  --lft FILE        route by these tables (opensm-lfts.dump, dump_lfts)\n"
    "  --engine ENGINE   route by this engine (`weft list engines`); `ftree,updn`: by the first that does "
    "not\n"
    "                    refuse; '{engine: updn, KEY: VALUE}': with options, files being in this folder\n";

}  // namespace weft
