#include "sim/suggest.h"

#include <array>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace weft {

namespace {

constexpr std::array<std::string_view, 5> kWords{"hosts", "levels", "taper", "switch", "rails"};

}  // namespace

TEST_CASE("the nearest word is found", "[fast]") {
  CHECK(nearest_word("hostz", kWords) == "hosts");
  CHECK(nearest_word("host", kWords) == "hosts");
  CHECK(nearest_word("ohsts", kWords) == "hosts");
  CHECK(nearest_word("lvels", kWords) == "levels");
  CHECK(nearest_word("hosts", kWords) == "hosts");
}

TEST_CASE("what is no slip has no neighbour", "[fast]") {
  CHECK(nearest_word("bandwidth", kWords).empty());
  CHECK(nearest_word("", kWords).empty());
  CHECK(nearest_word("x", {}).empty());
  CHECK(nearest_word(std::string(100'000, 'x'), kWords).empty());
}

TEST_CASE("a difference of case counts half", "[fast]") {
  constexpr std::array<std::string_view, 2> words{"abz", "ABc"};
  CHECK(nearest_word("abc", words) == "abz");
  constexpr std::array<std::string_view, 2> one_case{"abz", "abC"};
  CHECK(nearest_word("abc", one_case) == "abC");
  CHECK(nearest_word("HOSTS", kWords).empty());  // 2.5 edits, 1 allowed
}

TEST_CASE("of equals the first is taken", "[fast]") {
  constexpr std::array<std::string_view, 2> words{"cat", "bat"};
  CHECK(nearest_word("rat", words) == "cat");
}

TEST_CASE("the phrase suggests, or lists", "[fast]") {
  CHECK(did_you_mean("hostz", kWords) == "; did you mean `hosts`?");
  CHECK(did_you_mean("zzzzzz", kWords) == "; valid: hosts, levels, taper, switch, rails");
  CHECK(did_you_mean("x", {}).empty());
  std::vector<std::string> many;
  for (int i = 0; i < 15; ++i) many.push_back("word" + std::to_string(100 + i));
  const std::vector<std::string_view> views(many.begin(), many.end());
  CHECK(did_you_mean("q", views) ==
        "; valid: word100, word101, word102, word103, word104, word105, word106, word107, word108, word109, "
        "word110, "
        "word111 and 3 more");
}

}  // namespace weft
