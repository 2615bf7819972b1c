#include "sim/histogram.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/random.h"
#include "tests/catch.h"

using weft::Histogram;
using weft::RandomStream;

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

/// Values spread over every magnitude.
std::vector<std::int64_t> values_of(std::uint64_t seed, std::size_t n) {
  RandomStream random(seed, "histogram");
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(random.between(0, kLargest >> random.below(63)));
  return values;
}

}  // namespace

TEST_CASE("an empty histogram has nothing", "[fast]") {
  const Histogram h;
  CHECK(h.count() == 0);
  CHECK(h.minimum() == 0);
  CHECK(h.maximum() == 0);
  CHECK(h.mean() == 0);
  CHECK(h.quantile(1, 2) == 0);
}

TEST_CASE("a quantile is never below the exact one and at most 1/64 above it", "[fast]") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    auto values = values_of(seed, 1 + seed * 50);
    Histogram h;
    for (const std::int64_t v : values) h.add(v);
    std::sort(values.begin(), values.end());
    CHECK(h.count() == values.size());
    CHECK(h.minimum() == values.front());
    CHECK(h.maximum() == values.back());
    for (const auto& [num, den] :
         {std::pair{0, 1}, {1, 100}, {1, 4}, {1, 2}, {9, 10}, {99, 100}, {999, 1000}, {1, 1}}) {
      const std::size_t rank = (values.size() * num + den - 1) / den;
      const std::int64_t exact = values[rank == 0 ? 0 : rank - 1];
      const std::int64_t got = h.quantile(num, den);
      CHECK(got >= exact);
      CHECK(got - exact <= exact / 64);
    }
    CHECK(h.quantile(1, 1) == values.back());
  }
}

TEST_CASE("values below 128 are exact", "[fast]") {
  for (std::int64_t v = 0; v < 128; ++v) {
    Histogram h;
    h.add(v);
    h.add(1'000'000);
    CHECK(h.quantile(1, 2) == v);
  }
}

TEST_CASE("the mean is exact, far beyond 64 bits of sum", "[fast]") {
  Histogram h;
  h.add(kLargest, 1'000'000);
  CHECK(h.mean() == static_cast<double>(kLargest));
  CHECK(h.quantile(1, 2) == kLargest);
  Histogram small;
  for (int i = 1; i <= 100; ++i) small.add(i);
  CHECK(small.mean() == 50.5);
  small.add(7, 0);
  CHECK(small.count() == 100);
}

TEST_CASE("merging gives what adding everything to one gives", "[fast]") {
  const auto a = values_of(1, 500), b = values_of(2, 777);
  Histogram left, right, both;
  for (const std::int64_t v : a) left.add(v), both.add(v);
  for (const std::int64_t v : b) right.add(v), both.add(v);
  left.merge(right);
  left.merge(Histogram{});
  Histogram from_empty;
  from_empty.merge(left);
  for (const Histogram* h : {&left, &from_empty}) {
    CHECK(h->count() == both.count());
    CHECK(h->minimum() == both.minimum());
    CHECK(h->maximum() == both.maximum());
    CHECK(h->mean() == both.mean());
    for (std::uint64_t q = 0; q <= 100; ++q) CHECK(h->quantile(q, 100) == both.quantile(q, 100));
  }
}
