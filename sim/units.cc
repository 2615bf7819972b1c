#include "sim/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "sim/error.h"
#include "sim/fraction.h"
#include "sim/suggest.h"

namespace weft {

namespace {

enum class Dimension { time, size, rate, length, share };

/// A unit is num/den ticks of its dimension: 1 ps, 1 byte, 1 bit/s, 1 um, 1.
struct Unit {
  std::string_view name;
  Dimension dimension;
  std::uint64_t num;
  std::uint64_t den = 1;
};

constexpr std::uint64_t kSecond = 1'000'000'000'000;
constexpr std::uint64_t kKi = 1024, kMi = kKi * kKi, kGi = kMi * kKi, kTi = kGi * kKi;

constexpr std::array kUnits{
    Unit{"ps", Dimension::time, 1},
    Unit{"ns", Dimension::time, 1'000},
    Unit{"us", Dimension::time, 1'000'000},
    Unit{"ms", Dimension::time, 1'000'000'000},
    Unit{"s", Dimension::time, kSecond},
    Unit{"min", Dimension::time, 60 * kSecond},
    Unit{"h", Dimension::time, 3'600 * kSecond},
    Unit{"d", Dimension::time, 86'400 * kSecond},
    Unit{"B", Dimension::size, 1},
    Unit{"kB", Dimension::size, 1'000},
    Unit{"MB", Dimension::size, 1'000'000},
    Unit{"GB", Dimension::size, 1'000'000'000},
    Unit{"TB", Dimension::size, 1'000'000'000'000},
    Unit{"KiB", Dimension::size, kKi},
    Unit{"MiB", Dimension::size, kMi},
    Unit{"GiB", Dimension::size, kGi},
    Unit{"TiB", Dimension::size, kTi},
    Unit{"bps", Dimension::rate, 1},
    Unit{"kbps", Dimension::rate, 1'000},
    Unit{"Mbps", Dimension::rate, 1'000'000},
    Unit{"Gbps", Dimension::rate, 1'000'000'000},
    Unit{"Tbps", Dimension::rate, 1'000'000'000'000},
    Unit{"Bps", Dimension::rate, 8},
    Unit{"kBps", Dimension::rate, 8'000},
    Unit{"MBps", Dimension::rate, 8'000'000},
    Unit{"GBps", Dimension::rate, 8'000'000'000},
    Unit{"TBps", Dimension::rate, 8'000'000'000'000},
    Unit{"b/s", Dimension::rate, 1},
    Unit{"kb/s", Dimension::rate, 1'000},
    Unit{"Mb/s", Dimension::rate, 1'000'000},
    Unit{"Gb/s", Dimension::rate, 1'000'000'000},
    Unit{"Tb/s", Dimension::rate, 1'000'000'000'000},
    Unit{"B/s", Dimension::rate, 8},
    Unit{"kB/s", Dimension::rate, 8'000},
    Unit{"MB/s", Dimension::rate, 8'000'000},
    Unit{"GB/s", Dimension::rate, 8'000'000'000},
    Unit{"TB/s", Dimension::rate, 8'000'000'000'000},
    Unit{"KiB/s", Dimension::rate, 8 * kKi},
    Unit{"MiB/s", Dimension::rate, 8 * kMi},
    Unit{"GiB/s", Dimension::rate, 8 * kGi},
    Unit{"um", Dimension::length, 1},
    Unit{"mm", Dimension::length, 1'000},
    Unit{"cm", Dimension::length, 10'000},
    Unit{"m", Dimension::length, 1'000'000},
    Unit{"km", Dimension::length, 1'000'000'000},
    Unit{"%", Dimension::share, 1, 100},
};

std::string_view name_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return "a time";
    case Dimension::size:
      return "a size";
    case Dimension::rate:
      return "a rate";
    case Dimension::length:
      return "a length";
    case Dimension::share:
      return "a share";
  }
  return {};
}

std::string_view examples_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return "`1.5 us` or `30 min`";
    case Dimension::size:
      return "`1 MiB` or `64 kB`";
    case Dimension::rate:
      return "`400 Gbps` or `48.8 GBps`";
    case Dimension::length:
      return "`30 m` or `50 cm`";
    case Dimension::share:
      return "`70 %` or `0.7`";
  }
  return {};
}

std::string_view tick_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return "1 ps";
    case Dimension::size:
      return "1 B";
    case Dimension::length:
      return "1 um";
    case Dimension::rate:
    case Dimension::share:
      return "what fits a ratio of 64-bit numbers";
  }
  return {};
}

[[noreturn]] void refuse(std::string message) { throw UnitError{std::move(message)}; }

[[noreturn]] void too_fine(std::string_view text, Dimension dimension) {
  refuse(fmt::format("{} is finer than {}", quote(text), tick_of(dimension)));
}

[[noreturn]] void too_large(std::string_view text, std::string_view largest) {
  refuse(fmt::format("{} is too large; the largest is {}", quote(text), largest));
}

constexpr Uint128 kMax128 = ~Uint128{0};
constexpr std::uint64_t kMax64 = std::numeric_limits<std::uint64_t>::max();

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

NumberText take_number(std::string_view text, Dimension dimension, std::string_view largest) {
  using Found = NumberText::Found;
  const NumberText number = read_number(trimmed(text));
  switch (number.found) {
    case Found::number:
      break;
    case Found::nothing:
      if (trimmed(text).empty())
        refuse(
            fmt::format("there is no value; write {}, e.g. {}", name_of(dimension), examples_of(dimension)));
      refuse(fmt::format("{} is not {}; write e.g. {}", quote(text), name_of(dimension),
                         examples_of(dimension)));
    case Found::negative:
      refuse(fmt::format("{} is negative; {} cannot be", quote(text), name_of(dimension)));
    case Found::too_many_digits:
      refuse(fmt::format("{} has too many digits", quote(text)));
    case Found::division_by_zero:
      refuse(fmt::format("{} divides by zero", quote(text)));
    case Found::too_small:
      too_fine(text, dimension);
    case Found::too_large:
      too_large(text, largest);
  }
  return number;
}

[[noreturn]] void refuse_unit(std::string_view text, std::string_view name, Dimension expected) {
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    refuse(fmt::format("{} is {}, but {} is expected, e.g. {}{}", quote(text), name_of(unit.dimension),
                       name_of(expected), examples_of(expected),
                       name == "m" && expected == Dimension::time ? "; minutes are written `min`" : ""));
  }
  std::vector<std::string_view> names;
  std::string other_case;
  for (const Unit& unit : kUnits) {
    if (unit.dimension != expected) continue;
    names.push_back(unit.name);
    const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
    if (!std::equal(name.begin(), name.end(), unit.name.begin(), unit.name.end(), same)) continue;
    other_case += fmt::format("{}`{}`", other_case.empty() ? "" : " or ", unit.name);
    if (expected == Dimension::rate)
      other_case += unit.name.find('B') != std::string_view::npos ? " (bytes)" : " (bits)";
  }
  refuse(fmt::format("unknown unit {} in {}{}", quote(name), quote(text),
                     other_case.empty() ? did_you_mean(name, names) : "; did you mean " + other_case + "?"));
}

/// The value of `text` in ticks of `dimension`, reduced.
Fraction parse_quantity(std::string_view text, Dimension dimension, std::string_view largest) {
  const NumberText number = take_number(text, dimension, largest);
  const std::string_view name = trimmed(number.rest);
  if (name.empty()) {
    if (dimension == Dimension::share) return number.value;
    refuse(fmt::format("{} has no unit; write {}, e.g. {}", quote(text), name_of(dimension),
                       examples_of(dimension)));
  }
  const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) {
    return u.dimension == dimension && u.name == name;
  });
  if (unit == kUnits.end()) refuse_unit(text, name, dimension);
  // Reduced across, so that the product below is reduced and overflows only where the value itself does.
  Fraction a{unit->num, number.value.den}, b{number.value.num, unit->den};
  a.reduce();
  b.reduce();
  if (b.num != 0 && a.num > kMax128 / b.num) too_large(text, largest);
  if (a.den > kMax128 / b.den) too_fine(text, dimension);
  return {a.num * b.num, a.den * b.den};
}

/// A whole number of ticks up to `maximum`.
std::uint64_t parse_ticks(std::string_view text, Dimension dimension, std::uint64_t maximum,
                          std::string_view largest) {
  const Fraction value = parse_quantity(text, dimension, largest);
  if (value.num / value.den > maximum) too_large(text, largest);
  if (value.den != 1) too_fine(text, dimension);
  return static_cast<std::uint64_t>(value.num);
}

Ratio parse_fraction(std::string_view text, Dimension dimension, std::string_view largest) {
  const Fraction value = parse_quantity(text, dimension, largest);
  if (value.num / value.den > kMax64) too_large(text, largest);
  if (value.num > kMax64 || value.den > kMax64) too_fine(text, dimension);
  return {static_cast<std::uint64_t>(value.num), static_cast<std::uint64_t>(value.den)};
}

}  // namespace

Ratio make_ratio(Uint128 num, Uint128 den) {
  Fraction value{num, den};
  value.reduce();
  if (value.num > kMax64 || value.den > kMax64) refuse("a ratio does not fit two 64-bit numbers");
  return {static_cast<std::uint64_t>(value.num), static_cast<std::uint64_t>(value.den)};
}

PicosecondsPerByte picoseconds_per_byte(Rate rate) {
  if (rate.unlimited()) return {};
  const Ratio ratio = make_ratio(Uint128{8 * kSecond} * rate.bits_per_second.den, rate.bits_per_second.num);
  return {ratio.num, ratio.den};
}

Time parse_time(std::string_view text) {
  if (trimmed(text) == "never") return kNever;
  constexpr auto kLargest = static_cast<std::uint64_t>(Time::max().count()) - 1;
  return Time{static_cast<std::int64_t>(parse_ticks(text, Dimension::time, kLargest, "106 d"))};
}

Bytes parse_bytes(std::string_view text) {
  return {parse_ticks(text, Dimension::size, kMax64, "16777215 TiB")};
}

Rate parse_rate(std::string_view text) {
  if (trimmed(text) == "unlimited") return Rate{};
  const Rate rate{parse_fraction(text, Dimension::rate, "18446744 Tbps")};
  if (rate.unlimited()) refuse(fmt::format("{} moves nothing; no limit is written `unlimited`", quote(text)));
  // The engine multiplies by its inverse, which must fit as well.
  Fraction inverse{Uint128{8 * kSecond} * rate.bits_per_second.den, rate.bits_per_second.num};
  inverse.reduce();
  if (inverse.num > kMax64) too_fine(text, Dimension::rate);
  return rate;
}

Length parse_length(std::string_view text) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return {static_cast<std::int64_t>(parse_ticks(text, Dimension::length, kLargest, "9223372036 km"))};
}

Ratio parse_ratio(std::string_view text) {
  return parse_fraction(text, Dimension::share, "18446744073709551615");
}

}  // namespace weft
