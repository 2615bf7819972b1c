#include "sim/units.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "tests/catch.h"

using std::literals::operator""sv;

namespace weft {

namespace {

template <class Parse>
std::string refusal(Parse parse, std::string_view text) {
  try {
    parse(text);
  } catch (const UnitError& error) {
    return error.message;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("times are read exactly", "[fast]") {
  CHECK(parse_time("1 ps") == picoseconds(1));
  CHECK(parse_time("1.5 us") == picoseconds(1'500'000));
  CHECK(parse_time("1.5us") == picoseconds(1'500'000));
  CHECK(parse_time("  82.44\tns ") == picoseconds(82'440));
  CHECK(parse_time("0.001 ns") == picoseconds(1));
  CHECK(parse_time("1.000000000000000000000000000000000000000000 ns") == nanoseconds(1));
  CHECK(parse_time("00000000000000000000000000000000000000001 ns") == nanoseconds(1));
  CHECK(parse_time(".5 ms") == microseconds(500));
  CHECK(parse_time("5. ms") == microseconds(5'000));
  CHECK(parse_time("2e3 us") == microseconds(2'000));
  CHECK(parse_time("2E-3 us") == nanoseconds(2));
  CHECK(parse_time("1/4 us") == nanoseconds(250));
  CHECK(parse_time("0 s") == Time{0});
  CHECK(parse_time("1 min") == parse_time("60 s"));
  CHECK(parse_time("1 h") == parse_time("60 min"));
  CHECK(parse_time("1 d") == parse_time("24 h"));
  CHECK(parse_time("106 d").count() == 106LL * 86'400 * 1'000'000'000'000);
  CHECK(parse_time("never") == kNever);
  CHECK(parse_time("9223372036854775806 ps").count() == std::numeric_limits<std::int64_t>::max() - 1);
}

TEST_CASE("times that cannot be held are refused", "[fast]") {
  CHECK(refusal(parse_time, "0.5 ps") == "`0.5 ps` is finer than 1 ps");
  CHECK(refusal(parse_time, "1/3 us") == "`1/3 us` is finer than 1 ps");
  CHECK(refusal(parse_time, "1e-40 s") == "`1e-40 s` is finer than 1 ps");
  CHECK(refusal(parse_time, "107 d") == "`107 d` is too large; the largest is 106 d");
  CHECK(refusal(parse_time, "1e400 d") == "`1e400 d` is too large; the largest is 106 d");
  CHECK(refusal(parse_time, "1e30 d") == "`1e30 d` is too large; the largest is 106 d");
  CHECK(refusal(parse_time, "9223372036854775807 ps") ==
        "`9223372036854775807 ps` is too large; the largest is 106 d");
  CHECK(refusal(parse_time, "-5 us") == "`-5 us` is negative; a time cannot be");
  CHECK(refusal(parse_time, "1/0 s") == "`1/0 s` divides by zero");
  CHECK(refusal(parse_time, "1.2345678901234567890123456789012345 s") ==
        "`1.2345678901234567890123456789012345 s` has too many digits");
  CHECK(refusal(parse_time, "99999999999999999999/3 s") == "`99999999999999999999/3 s` has too many digits");
}

TEST_CASE("a bare number is refused, with examples", "[fast]") {
  CHECK(refusal(parse_time, "5") == "`5` has no unit; write a time, e.g. `1.5 us` or `30 min`");
  CHECK(refusal(parse_time, "0") == "`0` has no unit; write a time, e.g. `1.5 us` or `30 min`");
  CHECK(refusal(parse_bytes, "4096") == "`4096` has no unit; write a size, e.g. `1 MiB` or `64 kB`");
  CHECK(refusal(parse_rate, "400") == "`400` has no unit; write a rate, e.g. `400 Gbps` or `48.8 GBps`");
  CHECK(refusal(parse_length, "30") == "`30` has no unit; write a length, e.g. `30 m` or `50 cm`");
  CHECK(refusal(parse_time, "") == "there is no value; write a time, e.g. `1.5 us` or `30 min`");
  CHECK(refusal(parse_bytes, "  ") == "there is no value; write a size, e.g. `1 MiB` or `64 kB`");
  CHECK(refusal(parse_time, "soon") == "`soon` is not a time; write e.g. `1.5 us` or `30 min`");
  CHECK(refusal(parse_time, "+5 us") == "`+5 us` is not a time; write e.g. `1.5 us` or `30 min`");
}

TEST_CASE("a wrong dimension is named", "[fast]") {
  CHECK(refusal(parse_bytes, "400 Gbps") ==
        "`400 Gbps` is a rate, but a size is expected, e.g. `1 MiB` or `64 kB`");
  CHECK(refusal(parse_rate, "1 MiB") ==
        "`1 MiB` is a size, but a rate is expected, e.g. `400 Gbps` or `48.8 GBps`");
  CHECK(refusal(parse_time, "30 m") ==
        "`30 m` is a length, but a time is expected, e.g. `1.5 us` or `30 min`; minutes are written `min`");
  CHECK(refusal(parse_length, "3 ms") ==
        "`3 ms` is a time, but a length is expected, e.g. `30 m` or `50 cm`");
  CHECK(refusal(parse_ratio, "3 GB") == "`3 GB` is a size, but a share is expected, e.g. `70 %` or `0.7`");
  CHECK(refusal(parse_time, "70 %") ==
        "`70 %` is a share, but a time is expected, e.g. `1.5 us` or `30 min`");
}

TEST_CASE("bits and bytes are told apart by case", "[fast]") {
  CHECK(parse_rate("8 Gbps") == parse_rate("1 GBps"));
  CHECK(refusal(parse_rate, "400 GBPS") ==
        "unknown unit `GBPS` in `400 GBPS`; did you mean `Gbps` (bits) or `GBps` (bytes)?");
  CHECK(refusal(parse_rate, "400 gbps") ==
        "unknown unit `gbps` in `400 gbps`; did you mean `Gbps` (bits) or `GBps` (bytes)?");
  CHECK(refusal(parse_rate, "400 gb/s") ==
        "unknown unit `gb/s` in `400 gb/s`; did you mean `Gb/s` (bits) or `GB/s` (bytes)?");
  CHECK(refusal(parse_bytes, "1 KB") == "unknown unit `KB` in `1 KB`; did you mean `kB`?");
  CHECK(refusal(parse_bytes, "1 Mib") == "unknown unit `Mib` in `1 Mib`; did you mean `MiB`?");
  CHECK(refusal(parse_time, "1 sec") == "unknown unit `sec` in `1 sec`; valid: ps, ns, us, ms, s, min, h, d");
  CHECK(refusal(parse_time, "1 mins") == "unknown unit `mins` in `1 mins`; did you mean `min`?");
  CHECK(refusal(parse_length, "1 inch") == "unknown unit `inch` in `1 inch`; valid: um, mm, cm, m, km");
  CHECK(refusal(parse_bytes, "1 2 MB") ==
        "unknown unit `2 MB` in `1 2 MB`; valid: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
}

TEST_CASE("sizes", "[fast]") {
  CHECK(parse_bytes("1 MiB").count == 1u << 20);
  CHECK(parse_bytes("64 kB").count == 64'000);
  CHECK(parse_bytes("1.5 KiB").count == 1536);
  CHECK(parse_bytes("2 B").count == 2);
  CHECK(parse_bytes("18446744073709551615 B").count == std::numeric_limits<std::uint64_t>::max());
  CHECK(refusal(parse_bytes, "18446744073709551616 B") ==
        "`18446744073709551616 B` is too large; the largest is 16777215 TiB");
  CHECK(refusal(parse_bytes, "0.3 B") == "`0.3 B` is finer than 1 B");
  CHECK(refusal(parse_bytes, "1.0001 KiB") == "`1.0001 KiB` is finer than 1 B");
}

TEST_CASE("rates", "[fast]") {
  CHECK(parse_rate("400 Gbps") == gigabits_per_second(400));
  CHECK(parse_rate("400 Gb/s") == gigabits_per_second(400));
  CHECK(parse_rate("48.8 GBps").bits_per_second == Ratio{390'400'000'000, 1});
  CHECK(parse_rate("48.8 GB/s") == parse_rate("48.8 GBps"));
  CHECK(parse_rate("1 MiB/s").bits_per_second == Ratio{8 * 1'048'576, 1});
  CHECK(parse_rate("600/11 Gbps").bits_per_second == Ratio{600'000'000'000, 11});
  CHECK(parse_rate("0.1 bps").bits_per_second == Ratio{1, 10});
  CHECK(parse_rate("unlimited").unlimited());
  CHECK(refusal(parse_rate, "0 Gbps") == "`0 Gbps` moves nothing; no limit is written `unlimited`");
  CHECK(refusal(parse_rate, "20000000 Tbps") == "`20000000 Tbps` is too large; the largest is 18446744 Tbps");
  CHECK(refusal(parse_rate, "1/18446744073709551557 bps") ==
        "`1/18446744073709551557 bps` is finer than what fits a ratio of 64-bit numbers");
}

TEST_CASE("lengths and shares", "[fast]") {
  CHECK(parse_length("30 m").micrometres == 30'000'000);
  CHECK(parse_length("50 cm").micrometres == 500'000);
  CHECK(parse_length("10 km").micrometres == 10'000'000'000);
  CHECK(refusal(parse_length, "0.1 um") == "`0.1 um` is finer than 1 um");
  CHECK(parse_ratio("70 %") == Ratio{7, 10});
  CHECK(parse_ratio("70%") == Ratio{7, 10});
  CHECK(parse_ratio("0.7") == Ratio{7, 10});
  CHECK(parse_ratio("2") == Ratio{2, 1});
  CHECK(parse_ratio("0") == Ratio{0, 1});
  CHECK(parse_ratio("2/3") == Ratio{2, 3});
  CHECK(parse_ratio("66/99 %") == make_ratio(2, 300));
  CHECK(refusal(parse_ratio, "-0.1") == "`-0.1` is negative; a share cannot be");
  CHECK(refusal(parse_ratio, "1e20") == "`1e20` is too large; the largest is 18446744073709551615");
  CHECK(refusal(parse_ratio, "1e-20") == "`1e-20` is finer than what fits a ratio of 64-bit numbers");
}

TEST_CASE("texts are what a reader expects", "[fast]") {
  CHECK(to_text(picoseconds(82'440)) == "82.44 ns");
  CHECK(to_text(picoseconds(1'500'000)) == "1.5 us");
  CHECK(to_text(picoseconds(1)) == "1 ps");
  CHECK(to_text(Time{0}) == "0 s");
  CHECK(to_text(parse_time("1.5 s")) == "1.5 s");
  CHECK(to_text(parse_time("90 s")) == "90 s");
  CHECK(to_text(parse_time("90 min")) == "90 min");
  CHECK(to_text(parse_time("2 h")) == "2 h");
  CHECK(to_text(parse_time("48 h")) == "2 d");
  CHECK(to_text(kNever) == "never");
  CHECK(to_text(picoseconds(-1'500)) == "-1.5 ns");
  CHECK(to_text(Time::min()) == "-9223372.036854775808 s");
  CHECK(to_text(Bytes{0}) == "0 B");
  CHECK(to_text(Bytes{1u << 20}) == "1 MiB");
  CHECK(to_text(Bytes{65'536}) == "64 KiB");
  CHECK(to_text(Bytes{64'000}) == "64 kB");
  CHECK(to_text(Bytes{65}) == "65 B");
  CHECK(to_text(gigabits_per_second(400)) == "400 Gbps");
  CHECK(to_text(gigabits_per_second(51'200)) == "51200 Gbps");
  CHECK(to_text(parse_rate("48.8 GBps")) == "390.4 Gbps");
  CHECK(to_text(parse_rate("600/11 Gbps")) == "600/11 Gbps");
  CHECK(to_text(parse_rate("12 Mbps")) == "12 Mbps");
  CHECK(to_text(Rate{}) == "unlimited");
  CHECK(to_text(parse_length("30 m")) == "30 m");
  CHECK(to_text(parse_length("1.5 km")) == "1.5 km");
  CHECK(to_text(parse_length("50 cm")) == "500 mm");
  CHECK(to_text(Length{0}) == "0 m");
  CHECK(to_text(Ratio{7, 10}) == "0.7");
  CHECK(to_text(Ratio{197, 200}) == "0.985");
  CHECK(to_text(Ratio{1, 3}) == "1/3");
  CHECK(to_text(Ratio{2, 1}) == "2");
}

TEST_CASE("a text reads back to its value", "[fast]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t n = random() >> (random() % 64), d = (random() >> (random() % 64)) | 1;
    const Time time{static_cast<std::int64_t>(n >> 1)};
    CAPTURE(n, d);
    REQUIRE(parse_time(to_text(time)) == time);
    REQUIRE(parse_bytes(to_text(Bytes{n})) == Bytes{n});
    const Length length{static_cast<std::int64_t>(n >> 1)};
    REQUIRE(parse_length(to_text(length)) == length);
    const Ratio ratio = make_ratio(n, d);
    REQUIRE(parse_ratio(to_text(ratio)) == ratio);
    const Rate rate{make_ratio((n >> 8) + 1, (d >> 44) + 1)};
    REQUIRE(parse_rate(to_text(rate)) == rate);
  }
}

TEST_CASE("picoseconds per byte are exact", "[fast]") {
  CHECK(picoseconds_per_byte(gigabits_per_second(400)).time_for(4096) == picoseconds(81'920));
  const PicosecondsPerByte fdr = picoseconds_per_byte(parse_rate("600/11 Gbps"));
  CHECK(fdr.num == 440);
  CHECK(fdr.den == 3);
  CHECK(fdr.time_for(1) == picoseconds(146));
  CHECK(fdr.time_for(3'000'000'000) == picoseconds(440'000'000'000));
  CHECK(picoseconds_per_byte(Rate{}).time_for(1'000'000) == Time{0});
  CHECK_THROWS_AS(picoseconds_per_byte(Rate{make_ratio(1, 18'446'744'073'709'551'557u)}), UnitError);
  CHECK_THROWS_AS(make_ratio(Uint128{1} << 64, 3), UnitError);
}

TEST_CASE("ratios compare by value", "[fast]") {
  CHECK(Ratio{1, 3} < Ratio{1, 2});
  CHECK(Ratio{~0ull, 1} > Ratio{~0ull - 1, 1});
  CHECK(make_ratio(50, 100) == Ratio{1, 2});
  CHECK(make_ratio(0, 7) == Ratio{0, 1});
}

TEST_CASE("any bytes are a quantity or a refusal", "[fast]") {
  std::mt19937 random(2);
  const std::string_view alphabet = "0123456789.eE/-+ %psnumihdBkMGTbc\x00\xff"sv;
  std::size_t read = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 9; n > 0; --n) text += alphabet[random() % alphabet.size()];
    const auto attempt = [&](auto parse) {
      const std::string message = refusal(parse, text);
      REQUIRE(!message.empty());
      read += message == "accepted";
    };
    attempt(parse_time);
    attempt(parse_bytes);
    attempt(parse_rate);
    attempt(parse_length);
    attempt(parse_ratio);
  }
  CHECK(read > 100);
}

}  // namespace weft
