// Exact quantities: simulated time, link rate, data size, cable length, share.
//
// Whatever enters time or credit arithmetic is an integer or a ratio of integers. What a user writes (`1.5
// us`, `400 Gbps`, `48.8 GBps`, `1 MiB`, `30 m`, `70 %`) is read exactly or refused, never rounded: see
// parse_* below.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/int128.h"

namespace weft {

/// 128-bit intermediate results, so that products of 64-bit quantities never overflow. Not ISO C++, hence the
/// marker.
__extension__ typedef unsigned __int128 Uint128;

/// Simulated time and durations: integer picoseconds, horizon 106 days.
using Time = std::chrono::duration<std::int64_t, std::pico>;

inline constexpr Time kNever = Time::max();

constexpr Time picoseconds(std::int64_t n) { return Time{n}; }
constexpr Time nanoseconds(std::int64_t n) { return Time{n * 1'000}; }
constexpr Time microseconds(std::int64_t n) { return Time{n * 1'000'000}; }

/// A number of bytes (decimal and binary prefixes are told apart: kB = 1000, KiB = 1024).
struct Bytes {
  std::uint64_t count = 0;
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
};

/// A cable length in whole micrometres.
struct Length {
  std::int64_t micrometres = 0;
  friend constexpr auto operator<=>(Length, Length) = default;
};

/// A non-negative share or factor kept as a reduced ratio (`70 %`, `0.985`, `2`).
struct Ratio {
  std::uint64_t num = 1;
  std::uint64_t den = 1;
  friend constexpr bool operator==(Ratio, Ratio) = default;
  friend constexpr auto operator<=>(Ratio a, Ratio b) {
    return static_cast<Uint128>(a.num) * b.den <=> static_cast<Uint128>(b.num) * a.den;
  }
  double value() const { return static_cast<double>(num) / static_cast<double>(den); }
};

/// The reduced ratio num/den; den > 0. @throws UnitError when it does not fit two 64-bit numbers
Ratio make_ratio(Uint128 num, Uint128 den);

/// A data rate as bits per second, kept as a reduced ratio so that 4x FDR (54.5454... Gb/s) is exact.
/// Zero means "not limited" where a profile says so.
struct Rate {
  Ratio bits_per_second{0, 1};
  friend constexpr bool operator==(Rate, Rate) = default;
  friend constexpr auto operator<=>(Rate a, Rate b) { return a.bits_per_second <=> b.bits_per_second; }
  bool unlimited() const { return bits_per_second.num == 0; }
  double gbps() const { return bits_per_second.value() / 1e9; }
};

constexpr Rate gigabits_per_second(std::uint64_t n) { return Rate{{n * 1'000'000'000, 1}}; }

/// Time to move bytes at a rate, as the reduced ratio picoseconds / byte: what the packet engine multiplies
/// by. {0, 1} for an unlimited rate.
struct PicosecondsPerByte {
  friend constexpr bool operator==(PicosecondsPerByte, PicosecondsPerByte) = default;
  std::uint64_t num = 0;
  std::uint64_t den = 1;
  /// floor(bytes * num / den), exact for every 64-bit `bytes` whose result fits 63 bits.
  constexpr Time time_for(std::uint64_t bytes) const {
    if (den == 1) return Time{static_cast<std::int64_t>(bytes * num)};
    return Time{static_cast<std::int64_t>(static_cast<Uint128>(bytes) * num / den)};
  }
};

/// @throws UnitError when the ratio does not fit (a rate of absurd precision)
PicosecondsPerByte picoseconds_per_byte(Rate rate);

/// Raised by parse_*: says what was expected and, where the text has the wrong dimension, which one it has.
struct UnitError {
  std::string message;
};

// Each takes the text of one scalar and throws UnitError. A number is decimal (`1.5`, `2e3`) or a fraction
// (`600/11`). A bare number is refused for every dimensioned quantity (Ratio excepted), as are a wrong
// dimension (`400 Gbps` for a size), an unknown unit (with the nearest known one), a negative value, one
// finer than the tick (1 ps, 1 byte, 1 um), and one beyond the representable range. A rate of zero is written
// `unlimited`, as that is what it means.
Time parse_time(std::string_view text);    // ps ns us ms s min h d; `never`
Bytes parse_bytes(std::string_view text);  // B kB MB GB TB KiB MiB GiB TiB
Rate parse_rate(std::string_view text);  // bps kbps Mbps Gbps Tbps (also Gb/s), Bps kBps MBps GBps TBps (also
                                         // GB/s), KiB/s MiB/s GiB/s; `unlimited`
Length parse_length(std::string_view text);  // um mm cm m km
Ratio parse_ratio(std::string_view text);    // `70 %`, `0.7`, `2/3`

// Exact text that parse_* reads back to the same value, in the unit a reader expects (`82.44 ns`, `1 MiB`,
// `600/11 Gbps`).
std::string to_text(Time value);
std::string to_text(Bytes value);
std::string to_text(Rate value);
std::string to_text(Length value);
std::string to_text(Ratio value);

}  // namespace weft
