#include "models/fabric/qos.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "models/fabric/packet.h"
#include "sim/error.h"

namespace weft {

std::vector<VlWeight> parse_vl_weights(const std::string& text, unsigned data_vls, const std::string& key) {
  std::vector<VlWeight> table;
  const auto number = [&](std::string_view word, unsigned maximum, std::string_view what) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || word.empty() || value > maximum)
      throw BadValue(key, fmt::format("`{}` is not {} (0 to {}) in the VL arbitration table `{}`; "
                                      "expected VL:weight pairs such as `0:64,1:128`",
                                      word, what, maximum, text));
    return value;
  };
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t colon = pair.find(':');
    if (colon == std::string_view::npos)
      throw BadValue(
          key, fmt::format("`{}` is not a VL:weight pair in the VL arbitration table `{}`", pair, text));
    const unsigned vl = number(pair.substr(0, colon), data_vls - 1, "a data VL of this fabric");
    table.push_back({static_cast<std::uint8_t>(vl),
                     static_cast<std::uint8_t>(number(pair.substr(colon + 1), 255, "a weight"))});
  }
  if (table.size() > 64)  // IBA §7.6.9.1: at most 64 entries a table
    throw BadValue(key, fmt::format("{} entries in a VL arbitration table; InfiniBand has 64", table.size()));
  return table;
}

namespace {

/// Serves from one table: the current entry while weight is left, else the next eligible one. -1: none is
/// eligible.
int serve(const std::vector<VlWeight>& table, std::uint8_t& at, std::int16_t& left, std::uint32_t eligible,
          const std::uint16_t* bytes) {
  const std::size_t n = table.size();
  const auto can = [&](std::size_t i) { return table[i].weight > 0 && (eligible >> table[i].vl & 1) != 0; };
  const bool stays = at < n && left > 0 && can(at);
  if (!stays) {
    std::size_t i = at < n ? at : n - 1;
    std::size_t tried = 0;
    do {
      i = i + 1 == n ? 0 : i + 1;
      ++tried;
    } while (tried <= n && !can(i));
    if (tried > n) return -1;
    at = static_cast<std::uint8_t>(i);
    left = table[i].weight;
  }
  const unsigned vl = table[at].vl;
  left = static_cast<std::int16_t>(left - static_cast<int>(credit_blocks(bytes[vl])));
  return static_cast<int>(vl);
}

}  // namespace

unsigned VlArbiter::choose(const VlArbTables& tables, std::uint32_t eligible, const std::uint16_t* bytes) {
  if (eligible >> 15 & 1) return 15;
  const auto served_by = [&](const std::vector<VlWeight>& table) {
    return std::any_of(table.begin(), table.end(),
                       [&](VlWeight e) { return e.weight > 0 && (eligible >> e.vl & 1) != 0; });
  };
  const bool limited = tables.high_limit != 255 && !tables.ignores_high_limit && high_bytes > 0 &&
                       high_bytes >= std::uint32_t{tables.high_limit} * 4096;
  if (!tables.high.empty() && !(limited && served_by(tables.low))) {
    if (const int vl = serve(tables.high, high_at, high_left, eligible, bytes); vl >= 0) {
      high_bytes += bytes[vl];
      return static_cast<unsigned>(vl);
    }
  }
  high_bytes = 0;
  if (!tables.low.empty())
    if (const int vl = serve(tables.low, low_at, low_left, eligible, bytes); vl >= 0)
      return static_cast<unsigned>(vl);
  return static_cast<unsigned>(std::countr_zero(eligible));
}

}  // namespace weft
