// What `weft bench` runs: traffic on k-ary trees of three levels, 400 Gb/s, ideal adapters, MTU 4096.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scenarios/loader.h"

namespace weft {

/// A message to send. Those of one source stand together, in the order in which they are sent; the first
/// starts at `start`, each other when the one before it is done.
struct BenchSend {
  std::uint32_t source, destination;
  std::uint64_t bytes;
  Ticks start = 0;
};

struct BenchWorkload {
  std::string_view name;
  std::string_view summary;
  bool many_lengths;  // cables of eight lengths instead of one
  /// What `hosts` endpoints send, about `bytes` each.
  std::vector<BenchSend> (*sends)(std::uint32_t hosts, std::uint64_t bytes);
};

/// The table: permutation, spread, all_to_all, incast.
std::span<const BenchWorkload> bench_workloads();

/// A size of fabric, and the bytes that make a run of a second or a few of it.
struct BenchSize {
  std::uint32_t hosts;
  std::uint64_t bytes;
};
/// The full trees of 8, 16, 32 and 64-port switches.
std::span<const BenchSize> bench_sizes();
/// Bytes a host for any other number of hosts: about the packet-hops of the next smaller of bench_sizes.
std::uint64_t bench_bytes(std::uint32_t hosts);

/// The fabric, routed: a tree of switches with as few ports as it takes for `hosts` (hosts = ports^3 / 4 fill
/// it).
/// @param ack_every HcaProfile::ack_every
Prepared bench_fabric(std::uint32_t hosts, bool many_lengths, std::uint32_t ack_every);

}  // namespace weft
