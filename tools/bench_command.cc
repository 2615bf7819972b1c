// weft bench: the packet engine's speed and memory on this machine, beside a bare engine on the same traffic.
// Times are of the run loop alone. Compare ratios of one invocation, not times of two.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <set>

#include <fmt/format.h>

#include "sim/error.h"
#include "sim/suggest.h"
#include "tools/bench_apart.h"
#include "tools/command.h"
#include "tools/json.h"
#include "tools/options.h"
#include "tools/terminal.h"

namespace weft {
namespace po = boost::program_options;
namespace {

constexpr double kMebi = 1024.0 * 1024.0;

Value known(double number) { return std::isnan(number) ? Value{} : Value{number}; }
Value whole(std::uint64_t number) { return static_cast<std::int64_t>(number); }

/// What was measured, as tables.
class Report {
 public:
  explicit Report(std::uint32_t runs)
      : speed_(recorder_.table(
            "speed", fmt::format("Speed (rates in M data packet-hops/s, median and ends of {} runs)", runs),
            2,
            {{"hosts", ""},
             {"workload", ""},
             {"data_hops", ""},
             {"ack_hops", ""},
             {"events", "/hop", 3},
             {"rate", ""},
             {"slowest", ""},
             {"fastest", ""},
             {"per_hop", "ns", 1},
             {"per_event", "ns", 1}})),
        against_(recorder_.table(
            "against_yardstick",
            "Against a bare packet engine on the same pairs (ratio: Weft's rate over its, turn by "
            "turn)",
            2,
            {{"hosts", ""},
             {"workload", ""},
             {"yardstick", ""},
             {"slowest", ""},
             {"fastest", ""},
             {"ratio", ""},
             {"ratio_min", ""},
             {"ratio_max", ""},
             {"instructions", "/hop", 1}})),
        memory_(recorder_.table(
            "memory", "Memory (of the first run; allocations: calls of operator new in its run loop)", 2,
            {{"hosts", ""},
             {"workload", ""},
             {"engine", "B/host", 0},
             {"resident", "B/host", 0},
             {"allocations", ""},
             {"second_half", ""},
             {"loop_growth", "MiB", 1},
             {"peak_rss", "MiB", 1}})) {}

  bool empty() const { return speed_.rows.empty(); }

  void add(const BenchCase& bench, const BenchResult& r) {
    const std::string name(bench.workload->name);
    const std::int64_t hosts = bench.size.hosts;
    const double events = static_cast<double>(r.events) / static_cast<double>(r.data_hops);
    const double per_hop = 1e9 / r.rate.median;
    speed_.add({hosts, name, whole(r.data_hops), whole(r.ack_hops), events, r.rate.median / 1e6,
                r.rate.low / 1e6, r.rate.high / 1e6, per_hop, per_hop / events});
    against_.add({hosts, name, known(r.yardstick_rate.median / 1e6), known(r.yardstick_rate.low / 1e6),
                  known(r.yardstick_rate.high / 1e6), known(r.ratio.median), known(r.ratio.low),
                  known(r.ratio.high), known(r.instructions)});
    memory_.add({hosts, name, static_cast<double>(r.engine_bytes) / static_cast<double>(hosts),
                 static_cast<double>(r.resident_growth) / static_cast<double>(hosts), whole(r.allocations),
                 whole(r.late_allocations), static_cast<double>(r.loop_growth) / kMebi,
                 static_cast<double>(r.peak_resident) / kMebi});
    costs_.push_back({bench.workload, bench.size.hosts, per_hop, 1e9 / r.yardstick_rate.median});
  }

  /// How the cost of a hop grows from the smallest size of each workload to its largest.
  void add_growth() {
    Table& growth =
        recorder_.table("growth", "Cost of a packet-hop, largest size over smallest", 1,
                        {{"workload", ""}, {"from", ""}, {"to", ""}, {"weft", ""}, {"yardstick", ""}});
    for (const BenchWorkload& workload : bench_workloads()) {
      const Cost *least = nullptr, *most = nullptr;
      for (const Cost& cost : costs_) {
        if (cost.workload != &workload) continue;
        if (least == nullptr || cost.hosts < least->hosts) least = &cost;
        if (most == nullptr || cost.hosts > most->hosts) most = &cost;
      }
      if (least == nullptr || least->hosts == most->hosts) continue;
      growth.add({std::string(workload.name), std::int64_t{least->hosts}, std::int64_t{most->hosts},
                  most->weft / least->weft, known(most->yardstick / least->yardstick)});
    }
  }

  std::string text() const {
    std::string out;
    for (Table table : recorder_.tables()) {
      if (table.rows.empty()) continue;
      for (auto& row : table.rows)
        for (Value& value : row)
          if (std::holds_alternative<std::monostate>(value)) value = "-";
      out += (out.empty() ? "" : "\n") + terminal_table(table);
    }
    return out;
  }

  std::string json() const {
    std::string out;
    for (const Table& table : recorder_.tables())
      out += fmt::format("{}  {}: {}", out.empty() ? "" : ",\n", json_text(table.name), json_table(table));
    return "{\n" + out + "\n}\n";
  }

 private:
  struct Cost {
    const BenchWorkload* workload;
    std::uint32_t hosts;
    double weft, yardstick;  // ns a hop
  };
  Recorder recorder_;
  Table &speed_, &against_, &memory_;
  std::vector<Cost> costs_;
};

/// The options that may be given several values, each value once.
std::vector<std::string> values_of(const po::variables_map& map, const std::string& option) {
  std::vector<std::string> values;
  if (map.count(option))
    for (const std::string& value : map[option].as<std::vector<std::string>>())
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  return values;
}

std::vector<BenchSize> sizes_of(const po::variables_map& map) {
  std::vector<BenchSize> sizes;
  for (const std::string& text : values_of(map, "hosts")) {
    const auto hosts = static_cast<std::uint32_t>(whole_number("--hosts", text, 2, 100'000));
    sizes.push_back({hosts, bench_bytes(hosts)});
  }
  if (sizes.empty()) sizes.assign(bench_sizes().begin(), bench_sizes().end());
  if (map.count("bytes"))
    for (BenchSize& size : sizes)
      size.bytes = whole_number("--bytes", map["bytes"].as<std::string>(), 1, 1'000'000'000);
  return sizes;
}

std::vector<const BenchWorkload*> workloads_of(const po::variables_map& map) {
  std::vector<const BenchWorkload*> chosen;
  std::vector<std::string_view> names;
  for (const BenchWorkload& workload : bench_workloads()) names.push_back(workload.name);
  for (const std::string& text : values_of(map, "workload")) {
    const auto known_name = std::find(names.begin(), names.end(), text);
    if (known_name == names.end())
      throw UsageError{fmt::format("no workload `{}`{}", printable(text), did_you_mean(text, names))};
    chosen.push_back(&bench_workloads()[static_cast<std::size_t>(known_name - names.begin())]);
  }
  if (chosen.empty())
    for (const BenchWorkload& workload : bench_workloads()) chosen.push_back(&workload);
  return chosen;
}

}  // namespace

int bench_command(const std::vector<std::string>& arguments) {
  po::options_description options;
  const auto list = [] { return po::value<std::vector<std::string>>()->multitoken()->composing(); };
  options.add_options()("hosts", list())("workload", list())("bytes", po::value<std::string>())(
      "runs", po::value<std::string>()->default_value("5"))(
      "ack-every", po::value<std::string>()->default_value("0"))("no-yardstick", po::bool_switch())(
      "json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {});
  const std::vector<BenchSize> sizes = sizes_of(map);
  const std::vector<const BenchWorkload*> workloads = workloads_of(map);
  BenchCase bench;
  bench.runs = static_cast<std::uint32_t>(whole_number("--runs", map["runs"].as<std::string>(), 1, 1000));
  bench.ack_every = static_cast<std::uint32_t>(
      whole_number("--ack-every", map["ack-every"].as<std::string>(), 0, 1'000'000));
  bench.yardstick = !map["no-yardstick"].as<bool>();
  const bool json = map["json"].as<bool>(), terminal = !json && isatty(STDERR_FILENO) == 1;

  Report report(bench.runs);
  std::exception_ptr failure;
  try {
    for (const BenchSize& size : sizes)
      for (const BenchWorkload* workload : workloads) {
        bench.size = size;
        bench.workload = workload;
        const auto progress = [&](std::uint32_t turn) {
          if (!terminal) return;
          fmt::print(stderr, "\r\033[K{} hosts, {}: run {} of {}", size.hosts, workload->name, turn,
                     bench.runs);
          std::fflush(stderr);
        };
        const BenchResult result = measure_apart(bench, progress);
        report.add(bench, result);
      }
  } catch (...) {
    failure = std::current_exception();  // what is measured is not lost
  }
  if (terminal) fmt::print(stderr, "\r\033[K");
  report.add_growth();
  if (!report.empty()) fmt::print("{}", json ? report.json() : report.text());
  if (failure) std::rethrow_exception(failure);
  return kExitOk;
}

}  // namespace weft
