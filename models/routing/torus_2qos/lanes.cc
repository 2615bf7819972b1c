#include "models/routing/torus_2qos/lanes.h"

#include "models/routing/torus_2qos/way.h"

namespace weft {
namespace {

constexpr unsigned kLevelBit = kTorusDimensions;  // of an SL

constexpr unsigned bit(unsigned value, unsigned number) { return value >> number & 1; }

/// Of a port between switches along `dimension`.
SlMap lanes_along(unsigned dimension, bool against_order, unsigned lanes) {
  SlMap map{};
  for (unsigned sl = 0; sl < map.size(); ++sl) {
    unsigned vl = bit(sl, dimension);
    if (lanes >= 4 && against_order) vl |= 2;
    if (lanes >= 8) vl |= bit(sl, kLevelBit) << 2;
    map[sl] = static_cast<std::uint8_t>(vl);
  }
  return map;
}

SlMap lanes_of_ends() {
  SlMap map{};
  for (unsigned sl = 0; sl < map.size(); ++sl) map[sl] = static_cast<std::uint8_t>(bit(sl, kLevelBit));
  return map;
}

}  // namespace

std::uint8_t torus_sl(const TorusGrid& grid, const TorusPlace& from, const TorusPlace& to,
                      bool second_level) {
  unsigned sl = second_level ? 1u << kLevelBit : 0;
  for (unsigned d = 0; d < kTorusDimensions; ++d)
    if (shorter_over_dateline(from[d], to[d], grid.size(d))) sl |= 1u << d;
  return static_cast<std::uint8_t>(sl);
}

Sl2Vl torus_sl2vl(const TorusGrid& grid, unsigned lanes) {
  Sl2Vl sl2vl(lanes_of_ends());
  for (const TorusSwitch& sw : grid.switches()) {
    for (unsigned out = 0; out < kTorusDirections; ++out) {
      const SlMap straight = lanes_along(out / 2, false, lanes), turned = lanes_along(out / 2, true, lanes);
      for (const std::uint8_t port : sw.ports[out]) {
        sl2vl.set(sw.node, kAnyPort, port, straight);
        if (lanes < 4) continue;
        for (unsigned in = 2 * (out / 2) + 2; in < kTorusDirections; ++in)
          for (const std::uint8_t from : sw.ports[in]) sl2vl.set(sw.node, from, port, turned);
      }
    }
  }
  return sl2vl;
}

}  // namespace weft
