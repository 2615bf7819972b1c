// updn, dnup and dor against OpenSM 3.3.23 on the nets of ../shared/data/fabrics, entry by entry, and
// refusals where its log says that minhop was taken instead. (minhop: opensm_lft_test.cc.)
#include <cstdlib>
#include <filesystem>

#include "models/routing/channel_graph.h"
#include "models/routing/lft_file.h"
#include "models/topology/ibnetdiscover.h"
#include "tests/catch.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

fs::path fabrics() {
  const char* shared = std::getenv("WEFT_SHARED");
  const fs::path folder =
      (shared != nullptr ? fs::path(shared) : fs::path(WEFT_SOURCE_DIR) / "../shared") / "data/fabrics";
  if (fs::is_directory(folder)) return folder;
  WARN("skipped, no shared data");
  return {};
}

TextFile load(const fs::path& file) {
  return TextFile::load(fs::exists(file) ? file.string() : file.string() + ".gz");
}

}  // namespace

TEST_CASE("updn's, dnup's and dor's tables are OpenSM's on every net, and so are the refusals") {
  if (fabrics().empty()) return;
  for (const auto& [engine, routed, refused] :
       {std::tuple{"updn", 9u, 2u}, std::tuple{"dnup", 8u, 0u}, std::tuple{"dor", 9u, 0u}}) {
    unsigned equal_nets = 0, refusals = 0;
    for (const fs::directory_entry& net : fs::directory_iterator(fabrics())) {
      const fs::path dump = net.path() / engine;
      if (!fs::exists(dump / "opensm-log-excerpt.txt")) continue;
      CAPTURE(dump);
      const Topology t = read_ibnetdiscover(load(net.path() / "ibnetdiscover.txt"), {});
      const std::string ran = std::string(" ") + engine + " tables configured on all switches";
      if (load(dump / "opensm-log-excerpt.txt").content().find(ran) == std::string_view::npos) {
        CHECK_THROWS_AS(make_routing_engine(engine)->build(t, {}), Refusal);
        ++refusals;
        continue;
      }
      const Routes theirs = routes_from_dump(load(dump / "opensm-lfts.dump"), t);
      const Routes ours = make_routing_engine(engine)->build(t, {});
      std::size_t entries = 0, equal = 0;
      for (NodeIndex n = 0; n < t.nodes.size(); ++n)
        for (Lid lid = 1; lid < theirs.lft[n].size(); ++lid) {
          ++entries;
          equal += theirs.lft[n][lid] == ours.lft[n][lid];
        }
      CHECK(entries > 0);
      CHECK(equal == entries);
      equal_nets += equal == entries;
      if (std::string_view(engine) == "updn")
        CHECK(find_credit_loop(t, ours, Ends::traffic_only).free_of_loops());
    }
    CAPTURE(engine);
    CHECK(equal_nets == routed);
    CHECK(refusals == refused);
  }
}
