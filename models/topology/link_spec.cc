#include "models/topology/link_spec.h"

#include <array>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

namespace {

using enum Generation;

constexpr std::array<std::pair<std::string_view, Generation>, 9> kGenerations{{
    {"SDR", sdr},
    {"DDR", ddr},
    {"QDR", qdr},
    {"FDR10", fdr10},
    {"FDR", fdr},
    {"EDR", edr},
    {"HDR", hdr},
    {"NDR", ndr},
    {"XDR", xdr},
}};

constexpr std::array<std::pair<std::string_view, CableKind>, 4> kCables{{
    {"dac", CableKind::dac},
    {"acc", CableKind::acc},
    {"aoc", CableKind::aoc},
    {"optics", CableKind::optics},
}};

bool valid_width(unsigned lanes) {
  return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 12;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::optional<unsigned> number(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

Rate lane_rate(Generation generation) {
  switch (generation) {
    case sdr:
      return gigabits_per_second(2);
    case ddr:
      return gigabits_per_second(4);
    case qdr:
      return gigabits_per_second(8);
    case fdr10:
      return gigabits_per_second(10);
    case fdr:
      return Rate{make_ratio(14'062'500'000ull * 64, 66)};
    case edr:
      return gigabits_per_second(25);
    case hdr:
      return gigabits_per_second(50);
    case ndr:
      return gigabits_per_second(100);
    case xdr:
      return gigabits_per_second(200);
  }
  invariant_failed("a link has a known generation", std::to_string(static_cast<int>(generation)));
}

Rate data_rate(const LinkSpec& link) {
  if (link.rate) return *link.rate;
  const Ratio lane = lane_rate(link.generation).bits_per_second;
  return Rate{make_ratio(lane.num * link.width, lane.den)};
}

std::string to_text(Generation generation) {
  for (const auto& [word, value] : kGenerations)
    if (value == generation) return std::string(word);
  invariant_failed("a link has a known generation", std::to_string(static_cast<int>(generation)));
}

std::string speed_text(const LinkSpec& link) {
  return fmt::format("{}x{}", link.width, to_text(link.generation));
}

std::optional<std::pair<std::uint8_t, Generation>> parse_speed(std::string_view text) {
  const std::string word = upper(text);
  std::string_view rest = word;
  std::optional<unsigned> lanes;
  if (const std::size_t x = rest.find('X'); x != 0 && x != std::string_view::npos && x <= 2) {
    lanes = number(rest.substr(0, x));
    if (!lanes || !valid_width(*lanes)) return std::nullopt;
    rest.remove_prefix(x + 1);
  }
  for (const auto& [name, generation] : kGenerations)
    if (rest == name) return std::pair{static_cast<std::uint8_t>(lanes.value_or(4)), generation};
  if (lanes) return std::nullopt;
  // "HDR100": the port's rate in Gb/s says how many lanes it has.
  for (const auto& [name, generation] : kGenerations) {
    if (!rest.starts_with(name)) continue;
    const std::optional<unsigned> gbps = number(rest.substr(name.size()));
    const Ratio lane = lane_rate(generation).bits_per_second;
    if (!gbps || lane.den != 1 || *gbps > 10'000) continue;
    const std::uint64_t rate = *gbps * 1'000'000'000ull;
    if (rate % lane.num == 0 && valid_width(static_cast<unsigned>(rate / lane.num)))
      return std::pair{static_cast<std::uint8_t>(rate / lane.num), generation};
  }
  return std::nullopt;
}

std::pair<std::uint8_t, Generation> speed_of(std::string_view text, std::string_view key) {
  if (const auto speed = parse_speed(text)) return *speed;
  throw BadValue(
      std::string(key),
      fmt::format("`{}` is no link speed; write width and generation, such as 4xNDR, 2xHDR, NDR200 "
                  "(generations: SDR DDR QDR FDR10 FDR EDR HDR NDR XDR; widths 1x 2x 4x 8x 12x)",
                  text));
}

std::span<const std::pair<std::string_view, Generation>> words_of(Generation) { return kGenerations; }
std::span<const std::pair<std::string_view, CableKind>> words_of(CableKind) { return kCables; }

}  // namespace weft
