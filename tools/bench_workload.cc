#include "tools/bench_workload.h"

#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "sim/config.h"
#include "sim/random.h"

namespace weft {
namespace {

constexpr Ticks kPacketTime = 82'440;            // 4,122 B at 400 Gb/s
constexpr std::uint64_t kExchanged = 64 * 1024;  // bytes a pair of an all-to-all exchanges at least
constexpr std::uint32_t kFanIn = 16;

/// std::shuffle and not RandomStream: any other C++ program can draw the same pairs.
std::vector<BenchSend> permutation(std::uint32_t hosts, std::uint64_t bytes) {
  std::vector<std::uint32_t> to(hosts);
  std::iota(to.begin(), to.end(), 0u);
  std::mt19937 generator(7);
  std::shuffle(to.begin(), to.end(), generator);
  std::vector<BenchSend> sends;
  for (std::uint32_t host = 0; host < hosts; ++host)
    if (to[host] != host) sends.push_back({host, to[host], bytes});
  return sends;
}

std::vector<BenchSend> spread(std::uint32_t hosts, std::uint64_t bytes) {
  std::vector<BenchSend> sends = permutation(hosts, bytes);
  RandomStream random(7, "starts");
  for (BenchSend& send : sends) send.start = static_cast<Ticks>(random.below(kPacketTime));
  return sends;
}

/// To every other host, or where there are too many for `bytes` to as many as it gives, evenly far apart.
std::vector<BenchSend> all_to_all(std::uint32_t hosts, std::uint64_t bytes) {
  const std::uint64_t peers = std::clamp<std::uint64_t>(bytes / kExchanged, 1, hosts - 1);
  std::vector<BenchSend> sends;
  for (std::uint32_t host = 0; host < hosts; ++host)
    for (std::uint64_t i = 0; i < peers; ++i)
      sends.push_back({host, static_cast<std::uint32_t>((host + 1 + i * (hosts - 1) / peers) % hosts),
                       std::max<std::uint64_t>(bytes / peers, 1)});
  return sends;
}

/// Every kFanIn hosts, spread over the fabric, have one target.
std::vector<BenchSend> incast(std::uint32_t hosts, std::uint64_t bytes) {
  const std::uint32_t targets = (hosts + kFanIn - 1) / kFanIn;
  std::vector<BenchSend> sends;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    const std::uint32_t number = host % targets;
    // The last digit varies: tables that spread by destination use all the ways up.
    const std::uint32_t target = (number * kFanIn + number % kFanIn) % hosts;
    if (target != host) sends.push_back({host, target, bytes});
  }
  return sends;
}

constexpr BenchWorkload kWorkloads[] = {
    {"permutation", "each host sends to another chosen at random; all start at once, all cables are alike",
     false, permutation},
    {"spread",
     "the same pairs; starts spread over a packet's time, cables of eight lengths: hardly two events of one "
     "instant",
     true, spread},
    {"all_to_all", "each host sends to all others in turn, or to a selection evenly far apart", false,
     all_to_all},
    {"incast", "every 16 hosts send to one: full buffers, credits run out", false, incast},
};

constexpr BenchSize kSizes[] = {{128, 10'000'000}, {1024, 2'000'000}, {8192, 400'000}, {65'536, 65'536}};

}  // namespace

std::span<const BenchWorkload> bench_workloads() { return kWorkloads; }
std::span<const BenchSize> bench_sizes() { return kSizes; }

std::uint64_t bench_bytes(std::uint32_t hosts) {
  const BenchSize* base = kSizes;
  for (const BenchSize& size : kSizes)
    if (size.hosts <= hosts) base = &size;
  return std::max<std::uint64_t>(4096, base->bytes * base->hosts / hosts);
}

Prepared bench_fabric(std::uint32_t hosts, bool many_lengths, std::uint32_t ack_every) {
  std::uint64_t radix = 2;
  while (radix * radix * radix / 4 < hosts) radix += 2;
  Prepared p;
  p.document = Document::parse(
      fmt::format(
          "weft: 1\nname: bench\nfabric:\n"
          "  topology: {{type: fat_tree, hosts: {}, levels: 3, radix: {}, switch: ideal}}\n"
          "  routing: {{engine: dmodk}}\n"
          // 31 packets of 65 blocks
          "  switch: {{profile: ideal, port_to_port: 130 ns, buffer: 128960 B, queueing: output_fifo}}\n"
          "  links: {{layer: ideal, cable: ideal, length: 5 m}}\n"
          "  lid_space: {}\n"
          "hosts: {{profile: ideal, buffer: 128960 B, ack_every: {}}}\n",
          hosts, radix, hosts > 40'000 ? "extended" : "infiniband", ack_every),
      "(bench)");
  read_config(p.document, p.scenario);
  build_fabric(p);
  if (many_lengths) {
    RandomStream random(7, "cables");
    for (Cable& cable : p.topology.cables)
      cable.link.length = Length{5'000'000 + 800'000 * static_cast<std::int64_t>(random.below(8))};
  }
  return p;
}

}  // namespace weft
