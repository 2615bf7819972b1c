// The service level each path must use: what an engine that needs lanes tells the ends, as OpenSM does in its
// path records.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

/// By source switch and destination LID: ends on one switch share their way from there on, and their own
/// links to it are in no circle.
class PathSls {
 public:
  /// Of an engine that leaves the service level to the traffic.
  PathSls() = default;
  /// SL 0 for every path of `topology`.
  explicit PathSls(const Topology& topology);

  bool empty() const { return sls_.empty(); }
  /// 0 where nothing was set, and for a source that hangs on no switch.
  std::uint8_t sl(NodeIndex from_switch, Lid to) const {
    if (from_switch >= row_of_.size() || row_of_[from_switch] == kNone || to >= lids_) return 0;
    return sls_[std::size_t{row_of_[from_switch]} * lids_ + to];
  }
  void set(NodeIndex from_switch, Lid to, std::uint8_t sl) {
    sls_[std::size_t{row_of_[from_switch]} * lids_ + to] = sl;
  }
  /// The highest in use.
  std::uint8_t highest() const { return sls_.empty() ? std::uint8_t{0} : *std::ranges::max_element(sls_); }

  friend bool operator==(const PathSls&, const PathSls&) = default;

 private:
  std::size_t lids_ = 0;
  std::vector<std::uint32_t> row_of_;  // by node; kNone: no switch
  std::vector<std::uint8_t> sls_;      // [row * lids_ + lid]
};

/// The switch an end hangs on; its own node when it is cabled to another end.
inline NodeIndex home_of(const Topology& topology, PortRef end) {
  const NodeIndex peer = topology.nodes[end.node].port(end.port).peer_node;
  return peer != kNone && topology.nodes[peer].kind == NodeKind::switch_ ? peer : end.node;
}

}  // namespace weft
