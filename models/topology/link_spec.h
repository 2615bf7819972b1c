// A link's generation, width and cable: from these follow its data rate, its delay and its FEC.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/units.h"

namespace weft {

/// InfiniBand generations (IBA speeds), in order of rate. FDR10 is Mellanox's 10.3125 Gb/s x 64/66 lane.
enum class Generation : std::uint8_t { sdr, ddr, qdr, fdr10, fdr, edr, hdr, ndr, xdr };

/// Cable kinds, by what sets their delay and FEC.
enum class CableKind : std::uint8_t { dac, acc, aoc, optics };

struct LinkSpec {
  Generation generation = Generation::ndr;
  std::uint8_t width = 4;        // lanes: 1, 2, 4, 8, 12
  std::string cable;             // cable profile by name ("dac", "aoc"); empty = the fabric's default
  std::optional<Length> length;  // absent = the fabric's default
  std::optional<Rate> rate;      // an explicit data rate that replaces generation x width
  friend bool operator==(const LinkSpec&, const LinkSpec&) = default;
};

/// Net data rate of one lane after line coding and FEC parity: SDR 2, DDR 4, QDR 8, FDR10 10, FDR
/// 14.0625*64/66, EDR 25, HDR 50, NDR 100, XDR 200 Gb/s. Source: IBA link speeds; facts in models/README.md.
Rate lane_rate(Generation generation);

/// Net data rate of the link: `rate` if given, else width x lane_rate.
Rate data_rate(const LinkSpec& link);

/// "4xNDR", "2xHDR"; and back ("4xNDR", also "NDR" = 4x, "HDR100" = 2xHDR, "NDR200" = 2xNDR; any case).
/// nullopt if unknown.
std::string to_text(Generation generation);
std::string speed_text(const LinkSpec& link);
std::optional<std::pair<std::uint8_t, Generation>> parse_speed(std::string_view text);
/// The same for a key the user wrote. @throws BadValue naming `key`
std::pair<std::uint8_t, Generation> speed_of(std::string_view text, std::string_view key);

std::span<const std::pair<std::string_view, Generation>> words_of(Generation);
std::span<const std::pair<std::string_view, CableKind>> words_of(CableKind);

}  // namespace weft
