#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "sim/fraction.h"
#include "sim/units.h"

namespace weft {

namespace {

struct Scale {
  std::string_view unit;
  std::uint64_t ticks;
};

constexpr std::uint64_t kKilo = 1'000, kMega = 1'000'000, kGiga = 1'000'000'000, kTera = 1'000'000'000'000;

/// The value in the first of the units (given in falling order) that it reaches, or in the last.
std::string in_unit(Fraction value, std::span<const Scale> scales) {
  const auto reached = std::find_if(scales.begin(), scales.end() - 1,
                                    [&](const Scale& scale) { return value.num / value.den >= scale.ticks; });
  value.den *= reached->ticks;
  return fmt::format("{} {}", number_text(value), reached->unit);
}

std::string signed_text(std::int64_t ticks, std::span<const Scale> scales) {
  const auto raw = static_cast<std::uint64_t>(ticks);
  return (ticks < 0 ? "-" : "") + in_unit({ticks < 0 ? 0 - raw : raw, 1}, scales);
}

}  // namespace

std::string to_text(Time value) {
  static constexpr std::array kLong{Scale{"d", 86'400 * kTera}, Scale{"h", 3'600 * kTera},
                                    Scale{"min", 60 * kTera}};
  static constexpr std::array kScales{Scale{"s", kTera}, Scale{"ms", kGiga}, Scale{"us", kMega},
                                      Scale{"ns", kKilo}, Scale{"ps", 1}};
  if (value == kNever) return "never";
  if (value.count() == 0) return "0 s";
  for (const Scale& scale : kLong) {
    const auto ticks = static_cast<std::int64_t>(scale.ticks);
    if (value.count() % ticks == 0) return fmt::format("{} {}", value.count() / ticks, scale.unit);
  }
  return signed_text(value.count(), kScales);
}

std::string to_text(Bytes value) {
  constexpr std::uint64_t kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi;
  static constexpr std::array kScales{Scale{"TiB", kTi},  Scale{"GiB", kGi},  Scale{"MiB", kMi},
                                      Scale{"KiB", kKi},  Scale{"TB", kTera}, Scale{"GB", kGiga},
                                      Scale{"MB", kMega}, Scale{"kB", kKilo}};
  std::string shortest = fmt::format("{} B", value.count);
  if (value.count == 0) return shortest;
  for (const Scale& scale : kScales) {
    if (value.count % scale.ticks != 0) continue;
    std::string text = fmt::format("{} {}", value.count / scale.ticks, scale.unit);
    if (text.size() < shortest.size()) shortest = std::move(text);
  }
  return shortest;
}

std::string to_text(Rate value) {
  static constexpr std::array kScales{Scale{"Gbps", kGiga}, Scale{"Mbps", kMega}, Scale{"kbps", kKilo},
                                      Scale{"bps", 1}};
  if (value.unlimited()) return "unlimited";
  const Fraction bits{value.bits_per_second.num, value.bits_per_second.den};
  Fraction giga{bits.num, bits.den * kGiga};
  giga.reduce();
  // A fraction is read with 64 bits a side, which one of plain bits always has.
  const bool readable = giga.den <= std::numeric_limits<std::uint64_t>::max();
  return readable ? in_unit(bits, kScales) : in_unit(bits, std::span(kScales).last(1));
}

std::string to_text(Length value) {
  static constexpr std::array kScales{Scale{"km", kGiga}, Scale{"m", kMega}, Scale{"mm", kKilo},
                                      Scale{"um", 1}};
  return value.micrometres == 0 ? "0 m" : signed_text(value.micrometres, kScales);
}

std::string to_text(Ratio value) { return number_text({value.num, value.den}); }

}  // namespace weft
