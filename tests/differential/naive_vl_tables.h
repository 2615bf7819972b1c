// The naive simulator's VL arbitration: two tables walked entry by entry (IBA 7.6.9).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/fabric/qos.h"

namespace weft::test {

class NaiveVlTables {
 public:
  /// The lane to serve among `able`: lane -> wire bytes of the packet that can start.
  unsigned choose(const VlArbTables& programmed, unsigned vls, bool ignores_limit,
                  const std::map<unsigned, std::uint64_t>& able) {
    VlArbTables tables = programmed;
    if (tables.high.empty() && tables.low.empty())
      for (unsigned vl = 0; vl < vls; ++vl) tables.low.push_back({static_cast<std::uint8_t>(vl), 1});
    bool low_has_one = false;
    for (const VlWeight& e : tables.low) low_has_one = low_has_one || (e.weight > 0 && able.contains(e.vl));
    const bool spent = !ignores_limit && tables.high_limit != 255 && high_bytes_ > 0 &&
                       high_bytes_ >= 4096ull * tables.high_limit;
    if (!(spent && low_has_one))
      if (const int vl = serve(tables.high, high_, able); vl >= 0) {
        high_bytes_ += able.at(static_cast<unsigned>(vl));
        return static_cast<unsigned>(vl);
      }
    high_bytes_ = 0;
    const int vl = serve(tables.low, low_, able);
    return vl >= 0 ? static_cast<unsigned>(vl) : able.begin()->first;
  }

 private:
  struct Entry {
    int at = -1;
    std::int64_t left = 0;
  };

  static int serve(const std::vector<VlWeight>& entries, Entry& entry,
                   const std::map<unsigned, std::uint64_t>& able) {
    const auto n = static_cast<int>(entries.size());
    const auto can = [&](int i) { return entries[i].weight > 0 && able.contains(entries[i].vl); };
    if (!(entry.at >= 0 && entry.left > 0 && can(entry.at))) {
      int found = -1;
      for (int step = 1; step <= n && found < 0; ++step)
        if (const int i = (entry.at + step) % n; can(i)) found = i;
      if (found < 0) return -1;
      entry.at = found;
      entry.left = entries[found].weight;
    }
    entry.left -= static_cast<std::int64_t>((able.at(entries[entry.at].vl) + 63) / 64);
    return entries[entry.at].vl;
  }

  Entry high_, low_;
  std::uint64_t high_bytes_ = 0;  // since the last low packet
};

}  // namespace weft::test
