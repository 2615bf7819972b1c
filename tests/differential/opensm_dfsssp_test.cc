// sssp and dfsssp against OpenSM 3.3.23 on the nets of ../shared/data/fabrics: tables entry by entry, lanes,
// and the proof of freedom from deadlock.
#include <cstdlib>
#include <filesystem>
#include <map>

#include "models/routing/channel_graph.h"
#include "models/routing/lft_file.h"
#include "models/routing/sssp.h"
#include "models/routing/virtual_layers.h"
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

/// The net's engines of this name that the log says really ran.
std::vector<fs::path> dumps(const std::string& engine) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& net : fs::directory_iterator(fabrics())) {
    const fs::path folder = net.path() / engine;
    if (!fs::exists(folder / "opensm-log-excerpt.txt")) continue;
    const TextFile log = load(folder / "opensm-log-excerpt.txt");
    if (log.content().find(" " + engine + " tables configured on all switches") != std::string_view::npos)
      found.push_back(folder);
  }
  return found;
}

Topology net_of(const fs::path& dump) {
  return read_ibnetdiscover(load(dump.parent_path() / "ibnetdiscover.txt"), {});
}

Routes build(const std::string& engine, const Topology& t, unsigned max_vls = 8) {
  return make_routing_engine(engine)->build(t, {"", max_vls});
}

}  // namespace

TEST_CASE("sssp's and dfsssp's tables are OpenSM's on every net") {
  if (fabrics().empty()) return;
  for (const auto& [engine, nets] : {std::pair{"sssp", 8u}, std::pair{"dfsssp", 10u}}) {
    const std::vector<fs::path> all = dumps(engine);
    CHECK(all.size() == nets);
    for (const fs::path& dump : all) {
      CAPTURE(dump);
      const Topology t = net_of(dump);
      const Routes theirs = routes_from_dump(load(dump / "opensm-lfts.dump"), t);
      const Routes ours = build(engine, t);
      std::size_t entries = 0, equal = 0;
      for (NodeIndex n = 0; n < t.nodes.size(); ++n)
        for (Lid lid = 1; lid < theirs.lft[n].size(); ++lid) {
          ++entries;
          equal += theirs.lft[n][lid] == ours.lft[n][lid];
        }
      CHECK(entries > 0);
      CHECK(equal == entries);
      if (std::string_view(engine) == "dfsssp") {
        CHECK(find_credit_loop(t, ours, Ends::traffic_only).free_of_loops());
        CHECK(ours.vls == 8);  // OpenSM spreads over all lanes its ports have
      }
    }
  }
}

TEST_CASE("dfsssp divides the paths of the irregular net as OpenSM's log says") {
  if (fabrics().empty()) return;
  const Topology t = net_of(fabrics() / "irregular-24/dfsssp");
  const LayeredPaths layered = layer_paths(t, sssp_routes(t).lft, 8);
  CHECK(layered.free_of_circles);
  CHECK(layered.layers == 2);
  std::map<unsigned, std::uint64_t> weight;
  for (const LayeredPath& path : layered.paths) weight[path.layer] += path.weight;
  CHECK(weight[1] == 81);
}

TEST_CASE("dfsssp refuses the torus that eight lanes are too few for, and divides it as OpenSM does") {
  if (fabrics().empty()) return;
  const Topology t = net_of(fabrics() / "torus-4x4x4/dfsssp");
  CHECK_THROWS_AS(build("dfsssp", t), Refusal);
  const LayeredPaths layered = layer_paths(t, sssp_routes(t).lft, 15);
  CHECK(layered.free_of_circles);
  CHECK(layered.layers == 10);  // OpenSM stops counting at one more than it has
  std::map<unsigned, std::uint64_t> weight;
  for (const LayeredPath& path : layered.paths) weight[path.layer] += path.weight;
  CHECK(weight[1] == 4846);
  CHECK(weight[2] == 2984);
  CHECK(weight[3] == 1572);
  CHECK(find_credit_loop(t, build("dfsssp", t, 15), Ends::traffic_only).free_of_loops());
}
