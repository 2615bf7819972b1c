#include "models/routing/guid_file.h"

#include <fmt/format.h>

#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

std::vector<NamedGuid> read(const std::string& text, const Topology& t) {
  return read_guid_file(TextFile("roots.txt", text), t);
}

std::string complaint(const std::string& text, const Topology& t) {
  try {
    read(text, t);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a GUID file names switches, adapters and their ports") {
  const Topology t = ring(3);
  const NodeIndex host = t.find("h1");
  const std::string text =
      fmt::format("# roots\n\n 0x{:x} # sw1\n{:016x}\trest of the line\n0x{:x}\n0x{:x}\n", t.nodes[1].guid,
                  t.nodes[2].guid, t.nodes[host].port(1).guid, t.nodes[1].guid);
  const std::vector<NamedGuid> named = read(text, t);
  REQUIRE(named.size() == 3);
  CHECK((named[0].node == 1 && named[0].port == 0));
  CHECK(named[1].node == 2);
  CHECK((named[2].node == host && named[2].port == 1));
}

TEST_CASE("a GUID file that cannot be meant is refused where it goes wrong") {
  const Topology t = ring(3);
  CHECK_THAT(complaint("0x1\n", t),
             ContainsSubstring("roots.txt:1:1: error: no node of this fabric has the GUID"));
  CHECK_THAT(complaint("\n  spine00\n", t), ContainsSubstring("roots.txt:2:3: error: `spine00` is no GUID"));
  CHECK_THAT(complaint("0x11112222333344445\n", t), ContainsSubstring("is no GUID"));
  CHECK_THAT(complaint("0x\n", t), ContainsSubstring("is no GUID"));
  CHECK_THAT(complaint("# nothing\n", t), ContainsSubstring("the file names no GUID"));
  CHECK_THAT(complaint("", t), ContainsSubstring("the file names no GUID"));
}
