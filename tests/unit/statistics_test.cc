#include "sim/statistics.h"

#include <vector>

#include "tests/catch.h"

using namespace weft;

TEST_CASE("Student's t is the published table's") {
  const std::vector<std::pair<std::size_t, double>> table{
      {1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},  {6, 2.447},
      {9, 2.262},  {15, 2.131}, {30, 2.042}, {60, 2.000}, {99, 1.984}, {999, 1.962}};
  for (const auto& [degrees, t] : table) CHECK(student_t(degrees) == Approx(t).epsilon(0.001));
}

TEST_CASE("the interval of a mean") {
  const std::vector<double> four{1, 2, 3, 6};  // mean 3, variance 14/3
  const Estimate e = estimate_mean(four);
  CHECK(e.mean == Approx(3));
  CHECK(e.high - e.mean == Approx(3.18245 * 2.160247 / 2).epsilon(0.001));
  CHECK(e.mean - e.low == Approx(e.high - e.mean));
  const std::vector<double> one{7};
  CHECK(estimate_mean(one).low == 7);
  CHECK(estimate_mean(one).high == 7);
  CHECK(estimate_mean({}).mean == 0);
}
