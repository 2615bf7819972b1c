// The files that ibdmchk and ibdiagnet read, as OpenSM 3.3.23 wrote them on the nets of ../shared/data/fabrics.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <string_view>

#include "models/routing/fdbs_writer.h"
#include "models/routing/lft_file.h"
#include "models/routing/sl2vl_writer.h"
#include "models/routing/subnet_list_writer.h"
#include "models/topology/ibnetdiscover.h"
#include "tests/catch.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

fs::path file_of(const fs::path& name) { return fs::exists(name) ? name : fs::path(name.string() + ".gz"); }

/// Calls `look(topology, engine's folder)` for each dump of `name` there is.
template <class Look>
std::size_t for_each_dump(const std::string& name, Look look) {
  const char* shared = std::getenv("WEFT_SHARED");
  const fs::path folder =
      (shared != nullptr ? fs::path(shared) : fs::path(WEFT_SOURCE_DIR) / "../shared") / "data/fabrics";
  if (!fs::is_directory(folder)) {
    WARN("skipped, no shared data");
    return 0;
  }
  std::size_t dumps = 0;
  for (const fs::directory_entry& net : fs::directory_iterator(folder)) {
    const fs::path discovered = file_of(net.path() / "ibnetdiscover.txt");
    if (!fs::exists(discovered)) continue;
    const Topology t = read_ibnetdiscover(TextFile::load(discovered.string()), {});
    for (const fs::directory_entry& engine : fs::directory_iterator(net.path())) {
      const fs::path dump = file_of(engine.path() / name);
      if (!engine.is_directory() || !fs::exists(dump)) continue;
      CAPTURE(dump);
      ++dumps;
      look(t, engine.path(), TextFile::load(dump.string()));
    }
  }
  CHECK(dumps > 0);
  return dumps;
}

/// Only the columns of LID and port.
std::string ports_alone(std::string_view fdbs) {
  std::string ports;
  while (!fdbs.empty()) {
    const std::string_view line = fdbs.substr(0, fdbs.find('\n'));
    fdbs.remove_prefix(std::min(fdbs.size(), line.size() + 1));
    ports += line.starts_with("0x") ? line.substr(0, 12) : line;
    ports += '\n';
  }
  return ports;
}

}  // namespace

TEST_CASE("the fdbs of OpenSM's own tables are OpenSM's") {
  for_each_dump("opensm.fdbs", [](const Topology& t, const fs::path& engine, const TextFile& fdbs) {
    const TextFile lfts = TextFile::load(file_of(engine / "opensm-lfts.dump").string());
    const std::string ours = write_fdbs(t, routes_from_dump(lfts, t));
    CHECK(ports_alone(ours) == ports_alone(fdbs.content()));
    // Hops are those of the links taken; these engines tell OpenSM other numbers than their tables have.
    const std::string name = engine.filename().string();
    if (name != "nue" && name != "dnup" && name != "dfsssp") CHECK((ours == fdbs.content()));
  });
}

TEST_CASE("the subnet list is OpenSM's, but for its own mark and revisions") {
  for_each_dump("opensm-subnet.lst", [](const Topology& t, const fs::path&, const TextFile& list) {
    std::string theirs(list.content());
    theirs = std::regex_replace(theirs, std::regex("CA-SM"), "CA");
    theirs = std::regex_replace(theirs, std::regex("Rev:[0-9A-F]{8}"), "Rev:00000000");
    CHECK((write_subnet_list(t) == theirs));
  });
}

TEST_CASE("SL2VL tables are written as OpenSM writes them") {
  for_each_dump("opensm-sl2vl.dump", [](const Topology& t, const fs::path& engine, const TextFile& dump) {
    if (engine.filename() == "torus-2QoS") return;  // has its own mapping: opensm_torus_test compares it
    CHECK((write_sl2vl(t, Sl2Vl(8)) == dump.content()));  // ibsim's ports operate 8 lanes
  });
}
