// weft fabric load: how a traffic pattern loads the links, by counting flows over the routes.
#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "models/routing/lane_drops.h"
#include "models/routing/static_load.h"
#include "models/topology/networks.h"
#include "sim/statistics.h"
#include "tools/fabric_commands.h"
#include "tools/fabric_input.h"
#include "tools/fabric_judge.h"
#include "tools/fabric_report.h"
#include "tools/load_pattern.h"
#include "tools/options.h"

namespace weft {
namespace po = boost::program_options;
namespace {

constexpr std::uint64_t kMostSamples = 1'000'000, kUsualSamples = 100;

/// Counts a pattern, or several of them, and keeps what is said of each.
class Counting {
 public:
  explicit Counting(const Prepared& p)
      : p_(p),
        load_(p.topology, p.routes),
        network_(networks_of(p.topology)),
        drops_(p.settings.sl2vl.drops()) {}

  void count(const FlowList& flows) {
    const std::size_t number = counted_++;
    std::uint64_t across = 0, dropped = 0;
    flows([&](const Flow& flow) {
      across += is_across(flow);
      dropped += is_dropped(flow);
    });
    const LoadReport& report = load_.of(across + dropped == 0 ? flows : [&](const auto& visit) {
      flows([&](const Flow& flow) {
        if (!is_across(flow) && !is_dropped(flow)) visit(flow);
      });
    });
    across_ += across;
    dropped_ += dropped;
    if (across + dropped > 0 && report.flows + report.lost == 0) return;  // nothing of it is left
    const std::uint64_t busiest =
        report.links.empty() ? 0 : std::ranges::max(report.links, {}, &LinkLoad::flows).flows;
    most_flows_.push_back(static_cast<double>(busiest));
    bandwidth_.push_back(report.mean_bandwidth / 1e9);
    mean_share_.push_back(report.mean_share);
    least_share_.push_back(report.least_share);
    lost_ += report.lost;
    if (most_flows_.size() > 1 && busiest <= worst_) return;
    worst_ = busiest;  // shown in full: the worst
    shown_ = report;
    shown_number_ = number;
  }

  const LoadReport& shown() const { return shown_; }
  std::size_t shown_number() const { return shown_number_; }  // from 0, of those given to count()
  bool of_several() const { return most_flows_.size() > 1; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t across() const { return across_; }
  std::uint64_t dropped() const { return dropped_; }

  /// @param drawn they are samples of many more
  void tell(bool drawn, FabricReport& report) const {
    Recorder& recorder = report.recorder;
    const bool several = of_several(), interval = several && drawn;
    recorder.set("patterns_counted", static_cast<std::int64_t>(most_flows_.size()));
    recorder.set("flows", static_cast<std::int64_t>(shown_.flows));
    if (most_flows_.empty()) return;
    std::vector<TableColumn> columns{{"what", ""}, {several ? "mean" : "value", "", 4}};
    if (interval) columns.insert(columns.end(), {{"low", "", 4}, {"high", "", 4}});
    if (several) columns.insert(columns.end(), {{"least", "", 4}, {"most", "", 4}});
    const std::string title = !several ? "Load"
                                       : fmt::format("Load, {} patterns{}", most_flows_.size(),
                                                     interval ? " (mean and its 95 % interval)" : "");
    Table& table = recorder.table("load", title, 1, std::move(columns));
    for (const auto& [what, samples] : {std::pair{"flows over the busiest link", &most_flows_},
                                        std::pair{"bandwidth of a flow, Gb/s", &bandwidth_},
                                        std::pair{"bandwidth of a flow, share of its own", &mean_share_},
                                        std::pair{"bandwidth of the slowest flow, share", &least_share_}}) {
      const Estimate estimate = estimate_mean(*samples);
      std::vector<Value> row{std::string(what), estimate.mean};
      if (interval) row.insert(row.end(), {estimate.low, estimate.high});
      if (several) row.insert(row.end(), {std::ranges::min(*samples), std::ranges::max(*samples)});
      table.add(std::move(row));
    }
  }

 private:
  bool is_across(const Flow& flow) const {
    return !network_.empty() && network_[flow.source] != network_[flow.destination];
  }

  bool is_dropped(const Flow& flow) const {
    if (!drops_ || is_across(flow)) return false;
    const PortRef to = load_.endpoints()[flow.destination].where;
    return lane_drop(p_.topology, p_.routes, p_.settings.sl2vl, load_.endpoints()[flow.source].where,
                     p_.topology.nodes[to.node].port(to.port).lid)
        .has_value();
  }

  const Prepared& p_;
  StaticLoad load_;
  std::vector<std::uint32_t> network_;  // by endpoint; empty: one
  bool drops_;
  std::vector<double> most_flows_, bandwidth_, mean_share_, least_share_;
  std::uint64_t worst_ = 0, lost_ = 0, across_ = 0, dropped_ = 0;
  LoadReport shown_;
  std::size_t counted_ = 0, shown_number_ = 0;
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

}  // namespace

int fabric_load(const std::vector<std::string>& arguments) {
  po::options_description options;
  add_fabric_options(options);
  options.add_options()("pattern", po::value<std::string>()->default_value("all_to_all"))(
      "samples", po::value<std::string>())("seed", po::value<std::string>())("json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {"input"});
  const FabricArguments asked = fabric_arguments(map);
  const std::string text = map["pattern"].as<std::string>();
  const bool every_shift = text == "shifts";
  const LoadPattern pattern(every_shift ? "shift" : text);
  const auto number = [&](const char* name, std::uint64_t usual, std::uint64_t least, std::uint64_t most) {
    if (!map.count(name)) return usual;
    if (!pattern.is_random())
      throw UsageError{fmt::format("--{} is for patterns that are drawn; {} is always the same", name, text)};
    return whole_number(std::string("--") + name, map[name].as<std::string>(), least, most);
  };
  const std::uint64_t samples = number("samples", pattern.is_random() ? kUsualSamples : 1, 1, kMostSamples);
  const std::uint64_t seed = number("seed", 1, 0, std::numeric_limits<std::uint64_t>::max() - kMostSamples);
  FabricInput input(asked);
  input.route(asked.routes);
  const Prepared& p = input.prepared();
  Counting counting(p);
  const auto n = static_cast<std::uint32_t>(p.topology.endpoints().size());
  if (every_shift && n > 1) {
    for (std::uint32_t by = 1; by < n; ++by)
      counting.count([n, by](const auto& visit) {
        for (std::uint32_t source = 0; source < n; ++source) visit(Flow{source, (source + by) % n, 1});
      });
  } else {
    for (std::uint64_t i = 0; i < samples; ++i) counting.count(pattern.flows(p.topology, seed + i));
  }
  FabricReport report;
  report.recorder.set("routing_engine", p.routes.engine);
  report.recorder.set("pattern", text);
  counting.tell(!every_shift, report);
  tell_links(counting.shown(), PortNames(p.topology), report);
  const std::vector<std::string> ends = endpoint_names(p.topology);
  const LoadReport& load = counting.shown();
  const std::string which = counting.of_several()
                                ? fmt::format("the worst, {} {}: ", every_shift ? "shift by" : "seed",
                                              counting.shown_number() + (every_shift ? 1 : seed))
                                : "";
  report.text += fmt::format("routing {}, {}{} flows", p.routes.engine, which, load.flows);
  if (load.flows > 0)
    report.text +=
        fmt::format(" over {:.2f} links each; the slowest, {} -> {}, has {:.1f} Gb/s",
                    static_cast<double>(load.links_taken) / static_cast<double>(load.flows),
                    ends[load.slowest.source], ends[load.slowest.destination], load.least_bandwidth / 1e9);
  report.text += '\n';
  if (p.topology.has_lmc()) report.text += "flows go to the first of the LIDs that an LMC gives a port\n";
  report.recorder.set("flows_lost", static_cast<std::int64_t>(counting.lost() + counting.dropped()));
  if (counting.across() > 0)
    report.text += fmt::format("{} flows lie between separate planes and are left out\n", counting.across());
  if (counting.dropped() > 0)
    report.text += fmt::format(
        "{} flows are DROPPED, as fabric.qos maps their service level to no data VL, and are not counted\n",
        counting.dropped());
  if (counting.lost() > 0)
    report.text += fmt::format("{} flows do NOT arrive and are not counted\n", counting.lost());
  report.tell_notes(p);
  report.print(map["json"].as<bool>());
  return counting.lost() + counting.dropped() == 0 ? kExitOk : kExitExpectation;
}

}  // namespace weft
