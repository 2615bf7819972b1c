#include "sim/fingerprint.h"

#include <set>

#include "tests/catch.h"

using weft::Chain;
using weft::Fingerprint;
using weft::mix64;

TEST_CASE("mix64 is MurmurHash3's finaliser", "[fast]") {
  // Computed apart, from the published algorithm (fmix64).
  STATIC_REQUIRE(mix64(0) == 0);
  STATIC_REQUIRE(mix64(1) == 0xb456bcfc34c2cb2c);
  STATIC_REQUIRE(mix64(0x123456789abcdef0) == 0x18b8c062f6f42398);
}

TEST_CASE("a chain depends on what it saw and in which order", "[fast]") {
  const auto of = [](std::initializer_list<std::uint64_t> words) {
    Chain chain(7);
    for (const std::uint64_t w : words) chain.add(w);
    return chain.value();
  };
  CHECK(of({1, 2}) == of({1, 2}));
  CHECK(of({1, 2}) != of({2, 1}));
  CHECK(of({0}) != of({}));
  CHECK(of({0, 0}) != of({0}));
  CHECK(Chain(1).value() != Chain(2).value());
  std::set<std::uint64_t> values;
  for (std::uint64_t word = 0; word < 10'000; ++word) values.insert(of({word}));
  CHECK(values.size() == 10'000);
}

TEST_CASE("a fingerprint does not depend on the order of entities but on each of them", "[fast]") {
  Chain a(1), b(2), c(3);
  a.add(10);
  b.add(20);
  c.add(30);
  Fingerprint forward, backward, other;
  for (const Chain& chain : {a, b, c}) forward.add(chain);
  for (const Chain& chain : {c, b, a}) backward.add(chain);
  CHECK(forward.value() == backward.value());
  b.add(0);
  for (const Chain& chain : {a, b, c}) other.add(chain);
  CHECK(other.value() != forward.value());
  CHECK(forward.value() != Fingerprint{}.value());
}
