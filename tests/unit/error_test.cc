#include "sim/error.h"

#include <string>

#include "tests/catch.h"

namespace weft {

TEST_CASE("a located finding shows its line and a caret", "[fast]") {
  CHECK(to_text(Diagnostic{{"a.yaml", 3, 5, "x:  hostz"}, "unknown key `hostz`"}) ==
        "a.yaml:3:5: error: unknown key `hostz`\n"
        "  x:  hostz\n"
        "      ^");
}

TEST_CASE("a finding shows as much place as is known", "[fast]") {
  CHECK(to_text(Diagnostic{{"a.yaml", 0, 0, ""}, "empty"}) == "a.yaml: error: empty");
  CHECK(to_text(Diagnostic{{"a.yaml", 3, 0, "text"}, "bad"}) == "a.yaml:3: error: bad");
  CHECK(to_text(Diagnostic{{"a.yaml", 3, 1, ""}, "bad"}) == "a.yaml:3:1: error: bad");
  CHECK(to_text(Diagnostic{{}, "bad"}) == "error: bad");
  CHECK(to_text(Diagnostic{{"--set a.b=x", 0, 0, ""}, "bad"}) == "--set a.b=x: error: bad");
}

TEST_CASE("the caret counts characters, not bytes", "[fast]") {
  CHECK(to_text(Diagnostic{{"f", 1, 6, "\xC3\xA9\xC3\xA9 x"}, "m"}) ==
        "f:1:6: error: m\n"
        "  \xC3\xA9\xC3\xA9 x\n"
        "     ^");
}

TEST_CASE("nothing of the user's text reaches the terminal as a command", "[fast]") {
  CHECK(to_text(Diagnostic{{"f", 1, 3, "a\tb\x1B[31mc\xFF"}, "m\x1B\nn\x7F"}) ==
        "f:1:3: error: m  n \n"
        "  a b [31mc?\n"
        "    ^");
  CHECK(printable("\xC2\x9B x") == "  x");
  CHECK(printable("\xED\xA0\x80") == "???");
  CHECK(printable("\xE2\x82") == "??");
}

TEST_CASE("a long line is cut around the caret", "[fast]") {
  const std::string line = std::string(500, 'a') + "X" + std::string(500, 'b');
  CHECK(to_text(Diagnostic{{"f", 1, 501, line}, "m"}) ==
        "f:1:501: error: m\n"
        "  ..." +
            std::string(50, 'a') + "X" + std::string(49, 'b') + "...\n" + "  " + std::string(53, ' ') + "^");
  CHECK(to_text(Diagnostic{{"f", 1, 1, line}, "m"}) ==
        "f:1:1: error: m\n  " + std::string(100, 'a') + "...\n  ^");
  CHECK(to_text(Diagnostic{{"f", 1, 1002, line}, "m"}) ==
        "f:1:1002: error: m\n  ..." + std::string(100, 'b') + "\n  " + std::string(103, ' ') + "^");
  const std::string huge = std::string(50'000'000, 'a') + "X" + std::string(1'000, 'b');
  CHECK_THAT(to_text(Diagnostic{{"f", 1, 50'000'001, huge}, "m"}), ContainsSubstring("aX"));
}

TEST_CASE("a column beyond the line points at its end", "[fast]") {
  CHECK(to_text(Diagnostic{{"f", 1, 900, "abc"}, "m"}) == "f:1:900: error: m\n  abc\n     ^");
}

TEST_CASE("long quotes are cut between characters", "[fast]") {
  CHECK(quote("abc") == "`abc`");
  CHECK(quote(std::string(60, 'x')) == "`" + std::string(60, 'x') + "`");
  CHECK(quote(std::string(61, 'x')) == "`" + std::string(57, 'x') + "...`");
  CHECK(quote(std::string(56, 'x') + "\xC3\xA9" + std::string(10, 'y')) ==
        "`" + std::string(56, 'x') + "...`");
}

TEST_CASE("findings are collected up to the limit", "[fast]") {
  Diagnostics found(2);
  CHECK(found.empty());
  CHECK_NOTHROW(found.check());
  found.add({"f", 1, 0, ""}, "first");
  CHECK_FALSE(found.empty());
  CHECK_THROWS_AS(found.check(), ConfigError);
  try {
    found.add({"f", 2, 0, ""}, "second");
    FAIL("the limit was not kept");
  } catch (const ConfigError& error) {
    CHECK(error.diagnostics().size() == 2);
    CHECK(error.what() == std::string("f:1: error: first\nf:2: error: second"));
  }
}

TEST_CASE("a bad value keeps its key", "[fast]") {
  const BadValue error("links[2].rate", "too fast");
  CHECK(error.key == "links[2].rate");
  CHECK(error.what() == std::string("too fast"));
}

}  // namespace weft
