#include "models/topology/hostlist.h"

#include <vector>

#include "tests/catch.h"

using weft::hostlist;
using Names = std::vector<std::string>;

TEST_CASE("names that count are ranges, others stand as they are", "[fast][hostlist]") {
  CHECK(hostlist(Names{}).empty());
  CHECK(hostlist(Names{"login"}) == "login");
  CHECK(hostlist(Names{"h7"}) == "h7");
  CHECK(hostlist(Names{"h3", "h1", "h2"}) == "h[1-3]");
  CHECK(hostlist(Names{"h1", "h2", "h4", "login", "h5", "g1"}) == "h[1-2,4-5],login,g1");
  CHECK(hostlist(Names{"sw0-1-2", "sw0-1-3", "sw0-2-0"}) == "sw0-1-[2-3],sw0-2-0");
  CHECK(hostlist(Names{"7", "8"}) == "[7-8]");
}

TEST_CASE("numbers keep their leading zeros", "[fast][hostlist]") {
  CHECK(hostlist(Names{"h008", "h009", "h010"}) == "h[008-010]");
  CHECK(hostlist(Names{"h8", "h9", "h10"}) == "h[8-10]");
  CHECK(hostlist(Names{"h0999", "h1000"}) == "h[0999-1000]");  // as wide, though without a zero
  CHECK(hostlist(Names{"h01", "h1", "h001"}) == "h01,h1,h001");
  CHECK(hostlist(Names{"h0", "h1"}) == "h[0-1]");
}

TEST_CASE("a range is no longer than Slurm reads, a number no longer than 64 bits", "[fast][hostlist]") {
  Names many;
  for (unsigned i = 0; i < 100'001; ++i) many.push_back("n" + std::to_string(i));
  CHECK(hostlist(many) == "n[0-49999,50000-99999,100000]");
  // 20 digits: the last 18 are the number.
  CHECK(hostlist(Names{"n99999999999999999998", "n99999999999999999999"}) ==
        "n99[999999999999999998-999999999999999999]");
}
