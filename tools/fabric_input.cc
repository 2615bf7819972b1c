#include "tools/fabric_input.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/error.h"
#include "sim/suggest.h"
#include "tools/command.h"
#include "tools/json.h"

namespace weft {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kNoFile = "(command line)";

bool is_scenario(const std::string& path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

bool is_about_routing(const std::string& assignment) {
  static constexpr std::string_view kKey = "fabric.routing";
  return assignment.starts_with(kKey) && assignment.find_first_of(".=[", kKey.size()) == kKey.size();
}

/// It would replace the engine, or the file, that an option names.
bool names_an_engine(const std::string& assignment) {
  const std::string key = assignment.substr(0, assignment.find('='));
  return key == "fabric.routing" || key == "fabric.routing.engine" || key == "fabric.routing.file";
}

std::vector<std::string> names_in(const std::string& chain) {
  std::vector<std::string> names{""};
  for (const char c : chain) {
    if (c == ',')
      names.emplace_back();
    else if (c != ' ')
      names.back() += c;
  }
  return names;
}

/// @throws UsageError for a name no engine has
void check_chain(const std::string& option, const std::string& chain) {
  std::vector<std::string_view> known;
  for (const Choice<RoutingEngine>& row : routing_engines())
    if (row.name != "file") known.push_back(row.name);
  for (const std::string& name : names_in(chain)) {
    if (name == "file")
      throw UsageError{fmt::format("{}engine file needs its tables; write {}lft FILE", option, option)};
    if (name.empty()) throw UsageError{fmt::format("an engine's name is missing in `{}`", chain)};
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError{fmt::format("there is no engine `{}`{}", name, did_you_mean(name, known))};
  }
}

/// The choice as YAML; empty when nothing is said.
std::string as_yaml(const RoutesChoice& choice) {
  if (!choice.lft.empty()) return fmt::format("{{engine: file, file: {}}}", json_text(choice.lft));
  if (choice.engine.empty() || choice.engine.starts_with('{')) return choice.engine;
  std::vector<std::string> names = names_in(choice.engine);
  const std::string first = names.front();
  names.erase(names.begin());
  return fmt::format("{{engine: {}, fallback: [{}]}}", first, fmt::join(names, ", "));
}

}  // namespace

void add_fabric_options(po::options_description& options) {
  options.add_options()("input", po::value<std::string>())(
      "set", po::value<std::vector<std::string>>()->composing())("lft", po::value<std::string>())(
      "engine", po::value<std::string>());
}

RoutesChoice routes_choice(const po::variables_map& map, const std::string& prefix) {
  const std::string name = prefix.substr(2);
  RoutesChoice choice;
  choice.prefix = prefix;
  if (map.count(name + "lft")) {
    choice.lft = map[name + "lft"].as<std::string>();
    if (choice.lft.empty()) throw UsageError{fmt::format("{}lft names no file", prefix)};
  }
  if (map.count(name + "engine")) {
    choice.engine = map[name + "engine"].as<std::string>();
    if (choice.engine.find_first_not_of(' ') == std::string::npos)
      throw UsageError{fmt::format("{}engine names no engine", prefix)};
    if (!choice.engine.starts_with('{')) check_chain(prefix, choice.engine);
  }
  if (!choice.lft.empty() && !choice.engine.empty())
    throw UsageError{fmt::format("{}lft and {}engine are two ways to say one thing", prefix, prefix)};
  return choice;
}

FabricArguments fabric_arguments(const po::variables_map& map) {
  FabricArguments arguments;
  if (!map.count("input")) throw UsageError{"which fabric? a scenario (.yaml) or an ibnetdiscover dump"};
  arguments.input = map["input"].as<std::string>();
  arguments.routes = routes_choice(map, "--");
  if (map.count("set"))
    for (const std::string& set : map["set"].as<std::vector<std::string>>()) {
      if (!arguments.routes.silent() && names_an_engine(set))
        throw UsageError{fmt::format("--set {} and --{} are two ways to say one thing", set,
                                     arguments.routes.lft.empty() ? "engine" : "lft")};
      (is_about_routing(set) ? arguments.routes.sets : arguments.sets).push_back(set);
    }
  return arguments;
}

FabricInput::FabricInput(const FabricArguments& arguments) : input_(arguments.input) {
  LoadOptions load;
  load.sets = arguments.sets;
  located_in_input([&] {
    prepared_ = is_scenario(input_)
                    ? load_scenario(input_, load)
                    : prepare(Document::parse(fmt::format("weft: 1\nname: dump\nfabric:\n  topology: {{type: "
                                                          "ibnetdiscover, file: {}}}\n  routing: minhop\n",
                                                          json_text(input_)),
                                              std::string(kNoFile)),
                              "", load);
    document_ = prepared_.document;
    build_topology(prepared_);
  });
}

void FabricInput::route(const RoutesChoice& choice) {
  Prepared& p = prepared_;
  p.document = document_;
  const std::string routing = as_yaml(choice);
  const std::string said = choice.lft.empty() ? fmt::format("{}engine {}", choice.prefix, choice.engine)
                                              : fmt::format("{}lft {}", choice.prefix, choice.lft);
  located_in_input([&] {
    if (!routing.empty()) p.document.set("fabric.routing=" + routing, said);
    for (const std::string& set : choice.sets) p.document.set(from_here(set));
    p.routing_folder.reset();
    if (!routing.empty()) p.routing_folder = "";
    p.scenario = Scenario();
    read_config(p.document, p.scenario);
    p.settings.sl2vl = Sl2Vl(1);
    route_fabric(p);
    route_groups(p);
  });
}

void FabricInput::keep(Routes routes) {
  located_in_input([&] {
    adopt_routes(prepared_, std::move(routes));
    route_groups(prepared_);
  });
}

/// A complaint about the scenario that stands for a dump, which the user never saw, is one about the dump.
template <class Work>
void FabricInput::located_in_input(Work work) {
  try {
    work();
  } catch (const ConfigError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& diagnostic : found)
      if (diagnostic.where.file == kNoFile) diagnostic.where = {input_, 0, 0, {}};
    throw ConfigError(std::move(found));
  }
}

}  // namespace weft
