// Service levels to virtual lanes (IBA vol. 1 §7.6.6): the SL2VL tables of a fabric.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/topology/topology.h"

namespace weft {

inline constexpr unsigned kMaxDataVls = 15;
inline constexpr std::uint8_t kAnyPort = 255;
inline constexpr std::uint8_t kDropVl = 15;  // SL2VL entry 15: packets of that SL are dropped

/// SL -> VL, for one (input port, output port).
using SlMap = std::array<std::uint8_t, 16>;

/// The SL2VL mapping of the whole fabric: one default, and exceptions by (node, in, out).
class Sl2Vl {
 public:
  /// SL modulo the number of lanes, everywhere.
  explicit Sl2Vl(unsigned data_vls = 1);
  explicit Sl2Vl(const SlMap& everywhere) : maps_{everywhere} {}

  /// Sets the map for packets that enter `node` by `in` and leave by `out` (numbered from 1; in = 0 is the
  /// node's own traffic; kAnyPort = every port). The latest word on a pair of ports counts.
  void set(NodeIndex node, std::uint8_t in, std::uint8_t out, const SlMap& map);

  /// What `other` has at its node `theirs`, at `node`.
  void take(NodeIndex node, const Sl2Vl& other, NodeIndex theirs);

  /// Whether some map has no lane for some service level.
  bool drops() const;

  std::uint8_t vl(NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) const {
    if (node >= grid_of_.size() || grid_of_[node] == kNone) return maps_[0][sl];
    return maps_[grids_[grid_of_[node]].at(in, out)][sl];
  }

 private:
  /// Of one node: which map holds for which ports. The last line and column stand for all ports from there
  /// on.
  struct Grid {
    unsigned side = 0;
    std::vector<std::uint16_t> map_of;
    std::uint16_t at(unsigned in, unsigned out) const {
      return map_of[(in < side ? in : side - 1) * side + (out < side ? out : side - 1)];
    }
    void reach(unsigned port);  // a line and a column of its own for every port up to this one
  };

  std::uint16_t index_of(const SlMap& map);

  std::vector<SlMap> maps_;             // no two alike; the first is the default
  std::vector<std::uint32_t> grid_of_;  // by node; kNone = none
  std::vector<Grid> grids_;
};

}  // namespace weft
