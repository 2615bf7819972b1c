#include "models/topology/link_spec.h"

#include "sim/error.h"
#include "tests/catch.h"

using weft::Generation;
using weft::LinkSpec;

TEST_CASE("a lane's data rate is what line coding and FEC leave", "[fast][link_spec]") {
  CHECK(lane_rate(Generation::sdr) == weft::gigabits_per_second(2));
  CHECK(lane_rate(Generation::ddr) == weft::gigabits_per_second(4));
  CHECK(lane_rate(Generation::qdr) == weft::gigabits_per_second(8));
  CHECK(lane_rate(Generation::fdr10) == weft::gigabits_per_second(10));
  CHECK(lane_rate(Generation::edr) == weft::gigabits_per_second(25));
  CHECK(lane_rate(Generation::hdr) == weft::gigabits_per_second(50));
  CHECK(lane_rate(Generation::ndr) == weft::gigabits_per_second(100));
  CHECK(lane_rate(Generation::xdr) == weft::gigabits_per_second(200));
  // 14.0625 Gb/s x 64/66 = 150/11 Gb/s, exactly.
  CHECK(lane_rate(Generation::fdr).bits_per_second == weft::Ratio{150'000'000'000, 11});
}

TEST_CASE("a link's data rate is width times lane, or what is stated", "[fast][link_spec]") {
  LinkSpec link;
  CHECK(data_rate(link) == weft::gigabits_per_second(400));
  link.generation = Generation::fdr;
  CHECK(data_rate(link).bits_per_second == weft::Ratio{600'000'000'000, 11});
  link.width = 12;
  link.generation = Generation::qdr;
  CHECK(data_rate(link) == weft::gigabits_per_second(96));
  link.rate = weft::gigabits_per_second(7);
  CHECK(data_rate(link) == weft::gigabits_per_second(7));
}

TEST_CASE("link speeds are read as the field writes them", "[fast][link_spec]") {
  const auto speed = [](std::string_view text) {
    const auto read = weft::parse_speed(text);
    if (!read) return std::string("none");
    LinkSpec link;
    link.width = read->first;
    link.generation = read->second;
    return speed_text(link);
  };
  CHECK(speed("4xNDR") == "4xNDR");
  CHECK(speed("1xXDR") == "1xXDR");
  CHECK(speed("12xDDR") == "12xDDR");
  CHECK(speed("4xFDR10") == "4xFDR10");
  CHECK(speed("fdr10") == "4xFDR10");
  CHECK(speed("NDR") == "4xNDR");
  CHECK(speed("HDR100") == "2xHDR");
  CHECK(speed("HDR200") == "4xHDR");
  CHECK(speed("NDR200") == "2xNDR");
  CHECK(speed("ndr400") == "4xNDR");
  CHECK(speed("XDR800") == "4xXDR");
  CHECK(speed("EDR100") == "4xEDR");
  for (const char* bad : {"", "x", "4x", "4xZDR", "3xNDR", "44xNDR", "NDR150", "HDR0", "NDR99999999999",
                          "FDR56", "xNDR", "4x NDR", "4xNDR200", "-1xNDR"})
    CHECK(speed(bad) == "none");
}

TEST_CASE("a speed no one knows names its key and the forms that exist", "[fast][link_spec]") {
  try {
    weft::speed_of("4xGDR", "links[2].speed");
    FAIL("accepted");
  } catch (const weft::BadValue& error) {
    CHECK(error.key == "links[2].speed");
    CHECK_THAT(error.what(), ContainsSubstring("`4xGDR` is no link speed") && ContainsSubstring("4xNDR"));
  }
}

TEST_CASE("every generation's name reads back", "[fast][link_spec]") {
  for (const auto& [word, generation] : words_of(Generation{})) {
    CHECK(to_text(generation) == word);
    CHECK(weft::parse_speed(word)->second == generation);
  }
}
