// lash against OpenSM 3.3.23 on the nets of ../shared/data/fabrics: tables entry by entry, the lanes and how
// full they are, each path's service level where they were asked for, and the proof of freedom from deadlock.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/routing/channel_graph.h"
#include "models/routing/lash/lanes.h"
#include "models/routing/lft_file.h"
#include "models/routing/opensm_order.h"
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

/// Paths in each layer, after the balancing, as the log has them last.
std::vector<std::uint32_t> logged_fill(const TextFile& log) {
  std::vector<std::uint32_t> fill;
  for (std::size_t n = 1; n <= log.line_count(); ++n) {
    const std::string line(log.line(n));
    const std::size_t at = line.find("Lanes in layer ");
    unsigned layer = 0, paths = 0;
    if (at == std::string::npos ||
        std::sscanf(line.c_str() + at, "Lanes in layer %u: %u", &layer, &paths) != 2)
      continue;
    fill.resize(layer);
    fill.push_back(paths);
  }
  return fill;
}

Routes lash(const Topology& t) { return make_routing_engine("lash")->build(t, {"", 8}); }

}  // namespace

TEST_CASE("lash's tables and lanes are OpenSM's on every net it routed") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  std::size_t nets = 0;
  for (const fs::directory_entry& net : fs::directory_iterator(folder)) {
    const fs::path dump = net.path() / "lash";
    if (!fs::exists(dump)) continue;
    CAPTURE(dump);
    const TextFile log = load(dump / "opensm-log-excerpt.txt");
    REQUIRE(log.content().find("lash tables configured on all switches") != std::string_view::npos);
    ++nets;
    const Topology t = read_ibnetdiscover(load(net.path() / "ibnetdiscover.txt"), {});
    const Routes theirs = routes_from_dump(load(dump / "opensm-lfts.dump"), t);
    const Routes ours = lash(t);
    std::size_t entries = 0, equal = 0;
    for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
      for (Lid lid = 1; lid < theirs.lft[n].size(); ++lid) {
        ++entries;
        equal += theirs.lft[n][lid] == ours.lft[n][lid];
      }
    }
    CHECK(entries > 0);
    CHECK(equal == entries);
    const SwitchGraph graph(t);
    const LashWays ways(lash_links(graph, opensm_switches(t, graph), false));
    const LashLanes lanes(ways, 8);
    CHECK(lanes.fill() == logged_fill(log));
    CHECK(ours.vls == lanes.lanes());
    CHECK(find_credit_loop(t, ours, Ends::traffic_only).free_of_loops());
  }
  CHECK(nets == 8);
}

TEST_CASE("lash's service levels are those of OpenSM's path records") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  const Topology t = read_ibnetdiscover(load(folder / "irregular-24/ibnetdiscover.txt"), {});
  const Routes ours = lash(t);
  std::map<Lid, NodeIndex> home;
  for (const LidOwner& owner : lid_owners(t)) home[owner.base] = owner.home;
  const TextFile records = load(folder / "irregular-24/lash/path-sl.txt");
  std::map<unsigned, std::size_t> paths;  // by service level
  std::size_t equal = 0;
  for (std::size_t n = 1; n <= records.line_count(); ++n) {
    unsigned from = 0, to = 0, sl = 0;
    if (std::sscanf(std::string(records.line(n)).c_str(), "%u %u %x", &from, &to, &sl) != 3) continue;
    ++paths[sl];
    equal += ours.path_sls.sl(home.at(from), to) == sl;
  }
  CHECK(paths.size() == 2);
  CHECK(paths[0] + paths[1] == 39 * 38);
  CHECK(equal == 39 * 38);
}
