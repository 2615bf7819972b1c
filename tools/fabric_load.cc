// weft fabric load: how a traffic pattern loads the links, by counting flows over the routes.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/routing/static_load.h"
#include "models/workload/pattern.h"
#include "sim/config.h"
#include "sim/error.h"
#include "sim/statistics.h"
#include "tools/fabric_commands.h"
#include "tools/fabric_input.h"
#include "tools/fabric_judge.h"
#include "tools/fabric_report.h"
#include "tools/json.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;
namespace {

struct PatternChoice : Configurable {
  std::unique_ptr<Pattern> pattern;
  void describe(Describe& d) override {
    d.choice("traffic", pattern, patterns(), "pattern", "What is sent.");
  }
};

/// `shift=3`, `permutation`, `sends.csv` or a mapping, as a scenario's traffic would say it.
std::string as_yaml(const std::string& text) {
  if (text.starts_with('{')) return text;
  if (text.ends_with(".csv") || text.ends_with(".csv.gz"))
    return fmt::format("{{pattern: csv, file: {}}}", json_text(text));
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && text.substr(0, equals) == "shift")
    return fmt::format("{{pattern: shift, by: {}}}", json_text(text.substr(equals + 1)));
  return fmt::format("{{pattern: {}}}", json_text(text));
}

/// Counts a pattern, or several of them, and keeps what is said of each.
class Counting {
 public:
  explicit Counting(const Prepared& p) : load_(p.topology, p.routes) {}

  void count(const FlowList& flows) {
    const LoadReport& report = load_.of(flows);
    std::uint64_t busiest = 0;
    for (const LinkLoad& link : report.links) busiest = std::max(busiest, link.flows);
    most_flows_.push_back(static_cast<double>(busiest));
    mean_share_.push_back(report.mean_share);
    least_share_.push_back(report.least_share);
    lost_ += report.lost;
    if (most_flows_.size() == 1 || busiest > worst_) {  // shown in full: the worst
      worst_ = busiest;
      shown_ = report;
      shown_number_ = most_flows_.size();
    }
  }

  const LoadReport& shown() const { return shown_; }
  std::size_t shown_number() const { return shown_number_; }
  std::uint64_t lost() const { return lost_; }

  void tell(FabricReport& report) const {
    Recorder& recorder = report.recorder;
    recorder.set("patterns_counted", static_cast<std::int64_t>(most_flows_.size()));
    recorder.set("flows", static_cast<std::int64_t>(shown_.flows));
    Table& table = recorder.table(
        "load",
        most_flows_.size() == 1
            ? "Load"
            : fmt::format("Load, {} patterns (mean and its 95 % interval)", most_flows_.size()),
        1,
        {{"what", ""}, {"mean", "", 4}, {"low", "", 4}, {"high", "", 4}, {"least", "", 4}, {"most", "", 4}});
    for (const auto& [what, samples] : {std::pair{"flows over the busiest link", &most_flows_},
                                        std::pair{"bandwidth of a flow, share of its own", &mean_share_},
                                        std::pair{"bandwidth of the slowest flow", &least_share_}}) {
      const Estimate estimate = estimate_mean(*samples);
      table.add({std::string(what), estimate.mean, estimate.low, estimate.high,
                 *std::ranges::min_element(*samples), *std::ranges::max_element(*samples)});
    }
  }

 private:
  StaticLoad load_;
  std::vector<double> most_flows_, mean_share_, least_share_;
  std::uint64_t worst_ = 0, lost_ = 0;
  LoadReport shown_;
  std::size_t shown_number_ = 0;
};

void tell_links(const LoadReport& load, const PortNames& names, FabricReport& report) {
  Table& hot = report.recorder.table("links", "Most loaded links", 1,
                                     {{"port", ""}, {"peer", ""}, {"flows", ""}, {"load", "", 3}});
  for (const LinkLoad& link : most_loaded(load, 5))
    hot.add({names[link.port], names.peer(link.port), static_cast<std::int64_t>(link.flows), link.load});
  std::map<std::uint64_t, std::int64_t> links_by_flows;
  for (const LinkLoad& link : load.links) ++links_by_flows[link.flows];
  Table& histogram =
      report.recorder.table("histogram", "Links by the flows they carry", 1, {{"flows", ""}, {"links", ""}});
  for (const auto& [flows, links] : links_by_flows) histogram.add({static_cast<std::int64_t>(flows), links});
  histogram.on_terminal = links_by_flows.size() <= 16;
}

std::uint64_t positive(const po::variables_map& map, const char* name) {
  const std::uint64_t value = map[name].as<std::uint64_t>();
  if (value == 0 || value > 1'000'000) throw UsageError{fmt::format("--{} takes 1 to 1000000", name)};
  return value;
}

}  // namespace

int fabric_load(const std::vector<std::string>& arguments) {
  po::options_description options;
  add_fabric_options(options);
  options.add_options()("pattern", po::value<std::string>()->default_value("all_to_all"))(
      "samples", po::value<std::uint64_t>()->default_value(1))(
      "seed", po::value<std::uint64_t>()->default_value(1))("json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"input"});
  const FabricArguments asked = fabric_arguments(map);
  const std::string text = map["pattern"].as<std::string>();
  const std::uint64_t samples = positive(map, "samples"), seed = positive(map, "seed");
  const bool every_shift = text == "shifts";
  PatternChoice choice;
  if (!every_shift)
    read_config(Document::parse("traffic: " + as_yaml(text) + "\n", "--pattern " + text), choice);
  FabricInput input(asked);
  input.route(asked.routes);
  const Prepared& p = input.prepared();
  PatternContext context = pattern_context(p);
  context.base_folder = "";
  context.name = "traffic[0]";
  const auto n = static_cast<std::uint32_t>(context.endpoints.size());
  if (n < 2) throw UsageError{fmt::format("this fabric has {} endpoints: nobody to send to", n)};
  Counting counting(p);
  if (every_shift) {
    for (std::uint32_t by = 1; by < n; ++by)
      counting.count([n, by](const auto& visit) {
        for (std::uint32_t source = 0; source < n; ++source) visit(Flow{source, (source + by) % n, 1});
      });
  } else {
    for (std::uint64_t i = 0; i < samples; ++i) {
      context.seed = seed + i;
      try {
        counting.count(choice.pattern->flows(context));
      } catch (const BadValue& error) {
        throw UsageError{fmt::format("--pattern {}: {}", text, error.what())};
      }
    }
  }
  FabricReport report;
  report.recorder.set("routing_engine", p.routes.engine);
  report.recorder.set("pattern", text);
  counting.tell(report);
  tell_links(counting.shown(), PortNames(p.topology), report);
  const std::vector<std::string> ends = endpoint_names(p.topology);
  const LoadReport& load = counting.shown();
  const std::string which = every_shift ? fmt::format("the worst, shift by {}: ", counting.shown_number())
                            : samples > 1
                                ? fmt::format("the worst, seed {}: ", seed + counting.shown_number() - 1)
                                : "";
  report.text += fmt::format(
      "routing {}, {}{} flows over {:.2f} links each; the slowest, {} -> {}, has {:.1f} Gb/s\n",
      p.routes.engine, which, load.flows,
      load.flows == 0 ? 0.0 : static_cast<double>(load.links_taken) / static_cast<double>(load.flows),
      ends[load.slowest.source], ends[load.slowest.destination], load.least_bandwidth / 1e9);
  if (counting.lost() > 0)
    report.text += fmt::format("{} flows do NOT arrive and are not counted\n", counting.lost());
  for (const std::string& warning : p.routes.warnings) report.recorder.warn(warning);
  report.print(map["json"].as<bool>());
  return counting.lost() == 0 ? kExitOk : kExitExpectation;
}

}  // namespace weft
