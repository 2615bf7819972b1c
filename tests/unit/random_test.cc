// Known answers were computed apart from the published algorithms (splitmix64 and xoshiro256**; from the
// state 1, 2, 3, 4 that script gives 11520, 0, 1509978240, 1215971899390074240, the vector of the reference
// implementation).
#include "sim/random.h"

#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.h"

using weft::RandomStream;

TEST_CASE("a stream is the same on every platform", "[fast]") {
  const auto check = [](RandomStream stream, std::array<std::uint64_t, 4> expected) {
    for (const std::uint64_t value : expected) CHECK(stream.next() == value);
  };
  check({1, "traffic[0]"}, {0xde2e582f1b69a0f3, 0x8f1a45b6d57554f4, 0xadd29096d3b497cf, 0x48ce0e21a0298643});
  check({1, "traffic[1]"}, {0xb2f74687128f4529, 0xe93d8d58979773f8, 0xf476bf96aec21112, 0xc9fba2168db8f317});
  check({0, ""}, {0x37a3525de7597f98, 0x799d710c7905e5d6, 0xa24deb677ac965, 0x726d76f3fcca9113});
  check({~std::uint64_t{0}, "x"},
        {0x2c557355b78b0b07, 0xd4f75bfc86b47832, 0xcf660b4b7b509f9a, 0xaa5ebd835a6dd158});
}

TEST_CASE("below gives the known answers of Lemire's method, rejection included", "[fast]") {
  RandomStream stream(42, "below");
  const std::uint64_t half = (std::uint64_t{1} << 63) + 1;  // rejects almost every second draw
  const std::array<std::pair<std::uint64_t, std::uint64_t>, 9> answers{
      {{1, 0},
       {2, 1},
       {3, 0},
       {10, 9},
       {1000, 472},
       {half, 1849232189965195824},
       {half, 6286942901815219264},
       {~std::uint64_t{0}, 16952122741522859078u},
       {7, 6}}};
  for (const auto& [bound, answer] : answers) CHECK(stream.below(bound) == answer);
}

TEST_CASE("below is unbiased", "[fast]") {
  // Chi-square with a fixed seed: mean `bound - 1`, deviation sqrt(2 (bound - 1)); four deviations either
  // way.
  for (const std::uint64_t bound : {2u, 3u, 7u, 64u, 1000u}) {
    RandomStream stream(7, "chi " + std::to_string(bound));
    const std::uint64_t draws = 1000 * bound;
    std::vector<std::uint64_t> seen(bound);
    for (std::uint64_t i = 0; i < draws; ++i) {
      const std::uint64_t value = stream.below(bound);
      REQUIRE(value < bound);
      ++seen[value];
    }
    double chi = 0;
    for (const std::uint64_t n : seen) chi += std::pow(static_cast<double>(n) - 1000.0, 2) / 1000.0;
    const auto degrees = static_cast<double>(bound - 1);
    CHECK(std::abs(chi - degrees) < 4 * std::sqrt(2 * degrees));
  }
  // With a bound of 3/4 of the range, plain multiplication without rejection would give every third value
  // twice as often.
  RandomStream stream(3, "large");
  const std::uint64_t bound = std::uint64_t{3} << 62;
  std::array<std::uint64_t, 3> residues{};
  for (int i = 0; i < 30'000; ++i) ++residues[stream.below(bound) % 3];
  for (const std::uint64_t n : residues) CHECK(std::abs(static_cast<double>(n) - 10'000) < 400);
}

TEST_CASE("between includes both its ends, and the whole range", "[fast]") {
  RandomStream stream(5, "between");
  std::set<std::int64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(stream.between(-2, 2));
  CHECK(seen == std::set<std::int64_t>{-2, -1, 0, 1, 2});
  CHECK(stream.between(9, 9) == 9);
}

TEST_CASE("chance is the ratio it is given", "[fast]") {
  RandomStream stream(5, "chance");
  int yes = 0;
  for (int i = 0; i < 100'000; ++i) yes += stream.chance(3, 10);
  CHECK(std::abs(yes - 30'000) < 4 * 145);  // sqrt(n p q) = 145
  CHECK(stream.chance(1, 1));
  CHECK_FALSE(stream.chance(0, 1));
}

TEST_CASE("streams of different names and seeds are independent", "[fast]") {
  // Bits of two streams agree half of the time, and the order in which streams are used changes nothing.
  const std::vector<std::pair<std::uint64_t, std::string>> names = {
      {1, "a"}, {1, "b"}, {2, "a"}, {1, "ab"}, {1, ""}};
  std::vector<std::vector<std::uint64_t>> values;
  for (const auto& [seed, name] : names) {
    RandomStream stream(seed, name);
    values.emplace_back();
    for (int i = 0; i < 1000; ++i) values.back().push_back(stream.next());
  }
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = a + 1; b < values.size(); ++b) {
      int agree = 0;
      for (std::size_t i = 0; i < 1000; ++i) agree += 64 - __builtin_popcountll(values[a][i] ^ values[b][i]);
      CHECK(std::abs(agree - 32'000) < 5 * 127);  // sqrt(64,000 / 4) = 126.5
    }
  std::vector<RandomStream> together;
  for (const auto& [seed, name] : names) together.emplace_back(seed, name);
  for (std::size_t i = 0; i < 1000; ++i)
    for (std::size_t s = 0; s < together.size(); ++s) REQUIRE(together[s].next() == values[s][i]);
}

TEST_CASE("shuffle gives every order equally often", "[fast]") {
  RandomStream stream(11, "shuffle");
  std::array<int, 6> seen{};
  for (int i = 0; i < 60'000; ++i) {
    std::array<int, 3> items{0, 1, 2};
    stream.shuffle(std::span<int>(items));
    ++seen[static_cast<std::size_t>(items[0] * 2 + (items[1] > items[2]))];
  }
  for (const int n : seen) CHECK(std::abs(n - 10'000) < 4 * 92);
  std::vector<int> none;
  stream.shuffle(std::span<int>(none));
  CHECK(none.empty());
}
