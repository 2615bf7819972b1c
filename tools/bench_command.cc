// weft bench: the packet engine's speed here, on k-ary fat trees under permutation traffic (RC SEND with
// ACKs, ideal adapters, counters and attribution on). Times are of the run loop alone; compare ratios of one
// run, not runs.
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "scenarios/run.h"
#include "sim/config.h"
#include "tools/command.h"
#include "tools/json.h"
#include "tools/options.h"
#include "tools/terminal.h"

namespace weft {
namespace po = boost::program_options;
namespace {

struct Size {
  std::uint32_t hosts;
  std::uint64_t bytes;  // a message: chosen for a few million packet-hops
};
constexpr std::array<Size, 3> kSizes{{{128, 10'000'000}, {1024, 2'000'000}, {8192, 400'000}}};

Prepared prepare(const Size& size, std::uint64_t seed) {
  std::uint32_t radix = 2;
  while (radix * radix * radix / 4 < size.hosts) radix += 2;
  Prepared p;
  p.document = Document::parse(
      fmt::format("weft: 1\nname: bench-{0}\nfabric:\n"
                  "  topology: {{type: fat_tree, hosts: {0}, levels: 3, radix: {1}, switch: ideal}}\n"
                  "  routing: {{engine: dmodk}}\n"
                  "  switch: {{port_to_port: 130 ns, buffer: 128960 B}}\n"  // 31 packets of 65 blocks
                  "  links: {{layer: ideal, cable: ideal, length: 5 m}}\n"
                  "hosts: {{profile: ideal}}\n"
                  "traffic: [{{pattern: permutation, message: {2} B}}]\nrun: {{seed: {3}}}\n",
                  size.hosts, radix, size.bytes, seed),
      "(bench)");
  read_config(p.document, p.scenario);
  build_fabric(p);
  return p;
}

double peak_rss_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int bench_command(const std::vector<std::string>& arguments) {
  po::options_description options;
  options.add_options()("hosts", po::value<std::vector<std::string>>()->multitoken()->composing())(
      "runs", po::value<std::string>()->default_value("3"))("json", po::bool_switch());
  const po::variables_map map = parse_options(arguments, options, {});
  std::vector<Size> sizes(kSizes.begin(), kSizes.end());
  if (map.count("hosts")) {
    sizes.clear();
    for (const std::string& text : map["hosts"].as<std::vector<std::string>>()) {
      const auto hosts = static_cast<std::uint32_t>(whole_number("--hosts", text, 2, 100'000));
      sizes.push_back({hosts, std::max<std::uint64_t>(4096, 1'280'000'000 / hosts)});
    }
  }
  const std::uint64_t runs = whole_number("--runs", map["runs"].as<std::string>(), 1, 1000);
  Recorder recorder;
  Table& table = recorder.table("bench", "Packet engine, medians of the run loop", 1,
                                {{"hosts", ""},
                                 {"data_hops", ""},
                                 {"ack_hops", ""},
                                 {"events_per_hop", "", 3},
                                 {"rate", "M hops/s"},
                                 {"slowest", "M hops/s"},
                                 {"fastest", "M hops/s"},
                                 {"per_hop", "ns", 1},
                                 {"peak_rss", "MiB", 1}});
  for (const Size& size : sizes) {
    const Prepared prepared = prepare(size, 7);
    std::vector<double> rates;
    RunResult result;
    for (std::uint64_t i = 0; i < runs; ++i) {
      Recorder ignored;
      result = run_scenario(prepared, ignored, {});
      rates.push_back(static_cast<double>(result.counts.data_hops) / result.run_seconds / 1e6);
    }
    std::sort(rates.begin(), rates.end());
    const double median = rates[rates.size() / 2];
    table.add({std::int64_t{size.hosts}, static_cast<std::int64_t>(result.counts.data_hops),
               static_cast<std::int64_t>(result.counts.ack_hops),
               static_cast<double>(result.counts.events) / static_cast<double>(result.counts.data_hops),
               median, rates.front(), rates.back(), 1e3 / median, peak_rss_mib()});
  }
  if (map["json"].as<bool>())
    fmt::print("{{\n  \"bench\": {}\n}}\n", json_table(table));
  else
    fmt::print("{}", terminal_table(table));
  return kExitOk;
}

}  // namespace weft
