// weft fabric: look at a fabric, prove its routes, convert it. The fabric comes from a scenario (.yaml) or
// straight from an ibnetdiscover dump; the routes from the scenario, from --lft, or from --engine.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "models/routing/channel_graph.h"
#include "models/routing/validate.h"
#include "scenarios/loader.h"
#include "sim/error.h"
#include "sim/suggest.h"
#include "tools/command.h"
#include "tools/fabric_formats.h"
#include "tools/json.h"
#include "tools/options.h"
#include "tools/terminal.h"
#include "tools/write_file.h"

namespace weft {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kNoFile = "(command line)";

bool is_scenario(const std::string& path) {
  const auto ends_with = [&](std::string_view end) {
    return path.size() >= end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with(".yaml") || ends_with(".yml");
}

/// A YAML scalar in double quotes.
std::string quoted(const std::string& text) { return json_text(text); }

void check_engine(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Choice<RoutingEngine>& row : routing_engines())
    if (row.name != "file") names.push_back(row.name);
  if (name == "file") throw UsageError{"--engine file needs its tables; write --lft FILE"};
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
    throw UsageError{fmt::format("there is no engine `{}`{}", name, did_you_mean(name, names))};
}

/// The scenario a dump stands for.
Prepared from_dump(const std::string& path, const std::string& lft, const std::string& engine) {
  const std::string routing = lft.empty() ? fmt::format("{{engine: {}}}", engine.empty() ? "minhop" : engine)
                                          : fmt::format("{{engine: file, file: {}}}", quoted(lft));
  Prepared p;
  p.document = Document::parse(
      fmt::format("weft: 1\nname: dump\nfabric:\n  topology: {{type: ibnetdiscover, file: {}}}\n"
                  "  routing: {}\n",
                  quoted(path), routing),
      std::string(kNoFile));
  read_config(p.document, p.scenario);
  return p;
}

/// Builds it; a complaint about the scenario that stands for a dump, which the user never saw, is one about
/// the dump.
void build(Prepared& p, const std::string& input) {
  try {
    build_fabric(p);
  } catch (const ConfigError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& diagnostic : found)
      if (diagnostic.where.file == kNoFile) diagnostic.where = {input, 0, 0, {}};
    throw ConfigError(std::move(found));
  }
}

void show(const Prepared& p, Recorder& recorder) {
  const Topology& t = p.topology;
  Table& nodes =
      recorder.table("nodes", "Nodes", 1, {{"kind", ""}, {"nodes", ""}, {"ports", ""}, {"cabled", ""}});
  for (const NodeKind kind :
       {NodeKind::switch_, NodeKind::hca, NodeKind::aggregation_node, NodeKind::router}) {
    std::int64_t count = 0, ports = 0, cabled = 0;
    for (const Node& node : t.nodes) {
      if (node.kind != kind) continue;
      ++count;
      ports += static_cast<std::int64_t>(node.ports.size());
      cabled += std::count_if(node.ports.begin(), node.ports.end(),
                              [](const Port& port) { return port.peer_node != kNone; });
    }
    if (count > 0) nodes.add({std::string(to_text(kind)), count, ports, cabled});
  }
  std::map<std::string, std::array<std::int64_t, 2>> by_speed;
  for (const Cable& cable : t.cables) {
    const auto is_switch = [&](PortRef end) { return t.nodes[end.node].kind == NodeKind::switch_; };
    ++by_speed[speed_text(cable.link)][is_switch(cable.a) && is_switch(cable.b) ? 0 : 1];
  }
  Table& links =
      recorder.table("links", "Links", 1, {{"speed", ""}, {"switch_to_switch", ""}, {"to_adapters", ""}});
  for (const auto& [speed, counts] : by_speed) links.add({speed, counts[0], counts[1]});
  Table& switches = recorder.table("switches", "Switches", 1,
                                   {{"switch", ""},
                                    {"lid", ""},
                                    {"ports", ""},
                                    {"to_switches", ""},
                                    {"to_adapters", ""},
                                    {"to_aggregation", ""}});
  switches.on_terminal = t.count(NodeKind::switch_) <= 64;
  const std::vector<std::string> names = t.display_names();
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
    const Node& node = t.nodes[n];
    if (node.kind != NodeKind::switch_) continue;
    std::array<std::int64_t, 4> to{};
    for (const Port& port : node.ports)
      if (port.peer_node != kNone) ++to[static_cast<std::size_t>(t.nodes[port.peer_node].kind)];
    switches.add({names[n], std::int64_t{node.lid}, static_cast<std::int64_t>(node.ports.size()),
                  to[static_cast<std::size_t>(NodeKind::switch_)],
                  to[static_cast<std::size_t>(NodeKind::hca)],
                  to[static_cast<std::size_t>(NodeKind::aggregation_node)]});
  }
}

std::string loop_verdict(const Topology& t, const CreditLoopReport& report) {
  if (report.free_of_loops())
    return fmt::format("no credit loop ({} channels, {} dependencies)", report.channels, report.dependencies);
  std::string text = fmt::format("CREDIT LOOP over {} channels:", report.cycle.size());
  for (const Channel& channel : report.cycle) {
    const Port& port = t.nodes[channel.from.node].port(channel.from.port);
    text += fmt::format("\n    {} -> {}  VL {}", t.display_name(channel.from),
                        t.display_name(PortRef{port.peer_node, port.peer_port}), channel.vl);
  }
  return text;
}

/// Returns the exit status: 0 when every pair is reached and the traffic ends have no credit loop.
int validate(const Prepared& p, Recorder& recorder, std::string& text) {
  const Topology& t = p.topology;
  const RouteReport report = check_routes(t, p.routes);
  recorder.set("routing_engine", p.routes.engine);
  recorder.set("pairs", static_cast<std::int64_t>(report.pairs));
  recorder.set("reached", static_cast<std::int64_t>(report.reached));
  text += fmt::format("routing {}: {} of {} pairs reached\n", p.routes.engine, report.reached, report.pairs);
  if (report.across_planes > 0)
    text += fmt::format("{} pairs lie in separate planes and are left out\n", report.across_planes);
  Table& hops = recorder.table("hops", "Pairs by switches on the path", 1, {{"switches", ""}, {"pairs", ""}});
  for (const auto& [switches, pairs] : report.pairs_by_hops)
    hops.add({std::int64_t{switches}, static_cast<std::int64_t>(pairs)});
  if (!report.broken.empty()) {
    Table& broken = recorder.table("broken", "Paths that do not arrive (the first 20)", 2,
                                   {{"from", ""}, {"to", ""}, {"why", ""}, {"path", ""}});
    for (const BrokenPath& path : report.broken) {
      std::string ports;
      for (const PortRef& port : path.ports) ports += (ports.empty() ? "" : " ") + t.display_name(port);
      broken.add(
          {t.display_name(path.source.where), t.display_name(path.destination.where), path.reason, ports});
    }
  }
  if (!report.subscription.empty()) {
    const auto& all = report.subscription;
    double sum = 0;
    for (const auto& s : all) sum += static_cast<double>(s.flows);
    recorder.set("subscription_max", static_cast<std::int64_t>(all.front().flows));
    recorder.set("subscription_mean", sum / static_cast<double>(all.size()));
    recorder.set("subscription_min", static_cast<std::int64_t>(all.back().flows));
    text += fmt::format("flows over a switch-to-switch link, all-to-all: max {}, mean {:.1f}, min {}\n",
                        all.front().flows, sum / static_cast<double>(all.size()), all.back().flows);
    Table& hot = recorder.table("subscription", "Most subscribed links, all-to-all", 1,
                                {{"port", ""}, {"peer", ""}, {"flows", ""}});
    for (std::size_t i = 0; i < std::min<std::size_t>(5, all.size()); ++i) {
      const Port& port = t.nodes[all[i].port.node].port(all[i].port.port);
      hot.add({t.display_name(all[i].port), t.display_name(PortRef{port.peer_node, port.peer_port}),
               static_cast<std::int64_t>(all[i].flows)});
    }
  }
  std::vector<std::uint8_t> sls;  // all that traffic may choose; none where each path has its own
  if (p.routes.path_sls.empty())
    for (unsigned sl = 0; sl < (p.settings.data_vls == 1 ? 1u : 16u); ++sl)
      sls.push_back(static_cast<std::uint8_t>(sl));
  const VlOf vl_of = [&](NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) {
    return p.settings.sl2vl.vl(node, in, out, sl);
  };
  const CreditLoopReport traffic = find_credit_loop(t, p.routes, Ends::traffic_only, sls, vl_of);
  const bool aggregation = t.count(NodeKind::aggregation_node) > 0;
  const CreditLoopReport with_an =
      aggregation ? find_credit_loop(t, p.routes, Ends::with_aggregation_nodes, sls, vl_of) : traffic;
  recorder.set("credit_loop", std::int64_t{!traffic.free_of_loops()});
  recorder.set("credit_loop_with_aggregation_nodes", std::int64_t{!with_an.free_of_loops()});
  text += fmt::format("between the {} adapters: {}\n", t.endpoints().size(), loop_verdict(t, traffic));
  if (aggregation)
    text += fmt::format("with the {} aggregation nodes as ends: {}\n", t.count(NodeKind::aggregation_node),
                        loop_verdict(t, with_an));
  if (!traffic.free_of_loops() && p.settings.data_vls == 1)
    text +=
        "note: every path is judged on one VL; tables made for several (dfsssp, lash, torus-2QoS) avoid "
        "loops by "
        "the service level of each path, which these files do not hold\n";
  return report.reached == report.pairs && traffic.free_of_loops() ? kExitOk : kExitExpectation;
}

int convert(const Prepared& p, const std::string& to, const std::string& out) {
  const auto format = std::ranges::find(fabric_formats(), to, &FabricFormat::name);
  if (format == fabric_formats().end()) {
    std::vector<std::string_view> names;
    for (const FabricFormat& known : fabric_formats()) names.push_back(known.name);
    throw UsageError{fmt::format("no format `{}`{}", to, did_you_mean(to, names))};
  }
  const std::string text = format->write(p);
  if (out.empty()) {
    fmt::print("{}", text);
    return kExitOk;
  }
  write_file(out, text);
  return kExitOk;
}

std::string json_of(const Recorder& recorder) {
  std::string out = "{";
  for (const auto& [name, value] : recorder.values())
    out += fmt::format("\n  {}: {},", json_text(name), json_value(value));
  out += "\n  \"tables\": {";
  for (std::size_t i = 0; i < recorder.tables().size(); ++i)
    out += fmt::format("{}\n    {}: {}", i == 0 ? "" : ",", json_text(recorder.tables()[i].name),
                       json_table(recorder.tables()[i]));
  return out + "\n  }\n}\n";
}

}  // namespace

int fabric_command(const std::vector<std::string>& arguments) {
  po::options_description options;
  options.add_options()("what", po::value<std::string>())("input", po::value<std::string>())(
      "set", po::value<std::vector<std::string>>()->composing())(
      "lft", po::value<std::string>()->default_value(""))("engine",
                                                          po::value<std::string>()->default_value(""))(
      "to", po::value<std::string>()->default_value("ibnetdiscover"))(
      "out", po::value<std::string>()->default_value(""))("json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"what", "input"});
  static constexpr std::array<std::string_view, 3> kWhat{"show", "validate", "convert"};
  const std::string what = map.count("what") ? map["what"].as<std::string>() : "";
  if (std::find(kWhat.begin(), kWhat.end(), what) == kWhat.end())
    throw UsageError{what.empty() ? std::string("show, validate or convert?")
                                  : fmt::format("cannot `{}` a fabric{}", what, did_you_mean(what, kWhat))};
  if (!map.count("input")) throw UsageError{"which fabric? a scenario (.yaml) or an ibnetdiscover dump"};
  const std::string input = map["input"].as<std::string>();
  const std::string lft = map["lft"].as<std::string>(), engine = map["engine"].as<std::string>();
  check_engine(engine);
  if (!lft.empty() && !engine.empty()) throw UsageError{"--lft and --engine are two ways to say one thing"};
  Prepared p;
  if (is_scenario(input)) {
    LoadOptions load;
    if (map.count("set")) load.sets = map["set"].as<std::vector<std::string>>();
    if (!lft.empty())
      load.sets.push_back(fmt::format("fabric.routing={{engine: file, file: {}}}",
                                      quoted(std::filesystem::absolute(lft).string())));
    if (!engine.empty()) load.sets.push_back(fmt::format("fabric.routing={{engine: {}}}", engine));
    p = load_scenario(input, load);
  } else {
    if (map.count("set")) throw UsageError{"--set changes a scenario; this is a dump"};
    p = from_dump(input, lft, engine);
  }
  build(p, input);
  if (what == "convert") return convert(p, map["to"].as<std::string>(), map["out"].as<std::string>());
  Recorder recorder;
  std::string text;
  int status = kExitOk;
  if (what == "show")
    show(p, recorder);
  else
    status = validate(p, recorder, text);
  if (map["json"].as<bool>()) {
    fmt::print("{}", json_of(recorder));
    return status;
  }
  for (const Table& table : recorder.tables())
    if (table.on_terminal && !table.rows.empty()) fmt::print("{}\n", terminal_table(table));
  fmt::print("{}", text);
  for (const std::string& warning : p.routes.warnings) fmt::print("note: {}\n", warning);
  return status;
}

}  // namespace weft
