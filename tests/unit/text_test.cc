#include "sim/text.h"

#include <utility>

#include "tests/catch.h"

using namespace weft;

TEST_CASE("a text holds what it was given, of any length and with any characters") {
  CHECK(Text().empty());
  CHECK(Text().view() == "");
  CHECK(Text("").empty());
  CHECK(Text("leaf03[7]") == "leaf03[7]");
  const std::string long_text(10'000, 'x'), with_zero("a\0b", 3);
  CHECK(Text(long_text) == long_text);
  CHECK(Text(with_zero).view() == std::string_view(with_zero));
  CHECK_FALSE(Text("a") == Text("b"));
  CHECK_FALSE(Text("a") == "");
}

TEST_CASE("a text's copies are its own") {
  Text a("one"), b(a), c;
  c = a;
  a = "two";
  CHECK(b == "one");
  CHECK(c == "one");
  a = std::move(b);
  CHECK(a == "one");
  a = a.view().substr(1);  // a part of itself
  CHECK(a == "ne");
  const Text& same = a;
  a = same;
  CHECK(a == "ne");
}
