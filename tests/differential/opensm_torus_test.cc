// torus-2QoS against OpenSM 3.3.23: the service levels dumped for ../shared/data/fabrics/torus-4x4x4, and,
// where opensm and ibsim are installed, the tables, SL2VL maps and refusals of tori routed there and then.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "models/routing/channel_graph.h"
#include "models/routing/lft_file.h"
#include "models/routing/torus_2qos/of_grid.h"
#include "models/routing/torus_2qos/torus_2qos.h"
#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "tests/catch.h"
#include "tests/temp_folder.h"
#include "tests/torus_fabrics.h"

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

namespace {

/// The folder of the net; empty where there is none.
fs::path shared_torus() {
  const char* shared = std::getenv("WEFT_SHARED");
  const fs::path folder = (shared != nullptr ? fs::path(shared) : fs::path(WEFT_SOURCE_DIR) / "../shared") /
                          "data/fabrics/torus-4x4x4";
  if (fs::is_directory(folder)) return folder;
  WARN("skipped, no shared data");
  return {};
}

std::map<Lid, NodeIndex> homes(const Topology& t) {
  std::map<Lid, NodeIndex> home;
  for (const LidOwner& owner : lid_owners(t)) home[owner.base] = owner.home;
  return home;
}

constexpr const char* kRunOpensm = R"sh(
cd '{0}' || exit 3
so=$(ls /usr/lib/*/umad2sim/libumad2sim.so /usr/lib/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
export IBSIM_SOCKNAME=weft-torus-$$ SIM_HOST='{1}' OSM_TMP_DIR="$PWD" OSM_CACHE_DIR="$PWD"
ibsim -s -n -N 2000 -S 300 -P 60000 -L 49151 net > ibsim.out 2>&1 &
sim=$!
for i in $(seq 100); do grep -q MaxMcastCap ibsim.out && break; sleep 0.1; done
sleep 0.3
LD_PRELOAD=$so timeout 60 opensm -e -o -s 0 -R torus-2QoS -Q --torus_config torus.conf \
  -D 0x43 -f opensm.log > out 2>&1
LD_PRELOAD=$so timeout 60 ibnetdiscover > seen 2> err
kill $sim
grep -q 'torus-2QoS tables configured on all switches' opensm.log
)sh";

bool opensm_is_here() {
  if (std::system("command -v opensm ibsim ibnetdiscover > /dev/null && "
                  "ls /usr/lib/*/umad2sim/libumad2sim.so > /dev/null 2>&1") == 0)
    return true;
  WARN("skipped, no opensm and ibsim");
  return false;
}

/// Runs opensm on `t`. @return whether it routed it by torus-2QoS
bool run_opensm(const TempFolder& folder, const Topology& t, const TorusConfig& config) {
  folder.write("net", write_ibnetdiscover(t));
  folder.write("torus.conf", write_torus_config(config));
  const PortRef end = t.endpoints().back().where;
  const std::string host = fmt::format("H-{:016x}", t.nodes[end.node].guid);
  return std::system(fmt::format(kRunOpensm, folder.path(), host).c_str()) == 0;
}

/// Lines of opensm-sl2vl.dump that `routes` say alike, of how many.
std::pair<std::size_t, std::size_t> equal_sl2vl(const std::string& dump, const Topology& t,
                                                const Routes& routes) {
  std::map<Guid, NodeIndex> by_guid;
  for (NodeIndex n = 0; n < t.nodes.size(); ++n) by_guid[t.nodes[n].guid] = n;
  std::pair<std::size_t, std::size_t> count{0, 0};
  std::ifstream file(dump);
  NodeIndex node = kNone;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Switch ")) node = by_guid.at(std::stoull(line.substr(7), nullptr, 16));
    unsigned in = 0, out = 0;
    char colon = 0;
    std::istringstream words(line);
    if (!(words >> in >> out >> colon) || colon != ':') continue;
    bool equal = true;
    for (std::uint8_t sl = 0; sl < 16; ++sl) {
      unsigned vl = 99;
      words >> vl;
      equal = equal &&
              routes.sl2vl->vl(node, static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(out), sl) == vl;
    }
    count.first += equal;
    ++count.second;
  }
  return count;
}

}  // namespace

TEST_CASE("torus-2QoS gives paths OpenSM's service levels") {
  const fs::path folder = shared_torus();
  if (folder.empty()) return;
  const Topology t = read_ibnetdiscover(TextFile::load((folder / "ibnetdiscover.txt").string()), {});
  constexpr Guid kSeed = 0x2c90300001000;  // the switch at (0,0,0); z is the fastest in its numbers
  TorusConfig config;
  config.size = {4, 4, 4};
  config.seeds = {{kSeed, {kSeed + 48, kSeed + 16, kSeed + 12, kSeed + 4, kSeed + 3, kSeed + 1}, {}}};
  const Routes routes = torus_2qos_routes(t, config);
  CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
  const std::map<Lid, NodeIndex> home = homes(t);
  std::ifstream file(folder / "torus-2QoS/path-sl.txt");
  std::size_t paths = 0, equal = 0;
  for (std::string line; std::getline(file, line); ++paths) {  // slid dlid sl mtu rate
    std::istringstream words(line);
    Lid from = 0, to = 0;
    std::string sl;
    REQUIRE(words >> from >> to >> sl);
    equal += routes.path_sls.sl(home.at(from), to) == std::stoul(sl, nullptr, 16);
  }
  CHECK(paths == 785);
  CHECK(equal == paths);
}

TEST_CASE("torus-2QoS is OpenSM's torus-2QoS on tori routed by it", "[real]") {
  if (!opensm_is_here()) return;
  struct Case {
    GridShape shape;
    std::vector<std::string> failed{};
    std::vector<std::pair<std::string, std::string>> cut{};
  };
  const std::vector<Case> cases{
      {{{5, 5}, {}, 2}},
      {{{4, 4, 4}, {}, 2}, {"1.2.3"}},
      {{{4, 3, 2}, {}, 3, 2}},
      {{{6, 4}, {true, false}, 2}},
      {{{1, 4, 5}, {}, 2, 3}, {}, {{"0.1.1", "0.2.1"}}},
      {{{3, 3, 4}}, {"1.1.1", "1.1.2"}, {{"0.0.0", "1.0.0"}}},
      {{{5, 5}}, {"2.2", "2.3"}},
      {{{4, 5}, {true, true}}, {}, {{"1.1", "1.2"}}},
  };
  std::size_t refused = 0;
  for (const Case& c : cases) {
    Topology t = grid(c.shape);
    for (const std::string& name : c.failed) fail_switch(t, name);
    for (const auto& [a, b] : c.cut) fail_link(t, a, b);
    CAPTURE(c.shape.size, c.failed);
    const TorusConfig config = config_of_grid(t);
    const TempFolder folder;
    const bool routed = run_opensm(folder, t, config);
    REQUIRE(fs::exists(folder.path() + "/opensm-lfts.dump"));
    const Topology seen = read_ibnetdiscover(TextFile::load(folder.path() + "/seen"), {});
    if (!routed) {
      ++refused;
      CHECK_THROWS_AS(torus_2qos_routes(t), Refusal);
      CHECK_THROWS_AS(torus_2qos_routes(seen, config), Refusal);
      continue;
    }
    const Routes theirs = routes_from_dump(TextFile::load(folder.path() + "/opensm-lfts.dump"), seen);
    const Routes ours = torus_2qos_routes(seen, config);
    CHECK(ours.lft == theirs.lft);
    const auto [equal, lines] = equal_sl2vl(folder.path() + "/opensm-sl2vl.dump", seen, ours);
    CHECK(lines > 0);
    CHECK(equal == lines);
    CHECK(find_credit_loop(seen, ours, Ends::traffic_only).free_of_loops());
    // As generated, with LIDs of its own: ports by name of switch and destination.
    const Routes generated = torus_2qos_routes(t);
    std::size_t entries = 0, same = 0;
    for (const LidOwner& owner : lid_owners(seen)) {
      const std::string& name = seen.nodes[owner.where.node].name;
      const NodeIndex end = t.find(name);
      const Lid lid = owner.where.port == 0 ? t.nodes[end].lid : t.nodes[end].port(1).lid;
      const SwitchGraph graph(seen);
      for (const NodeIndex node : graph.switches()) {
        ++entries;
        same += generated.lft[t.find(seen.nodes[node].name)][lid] == theirs.lft[node][owner.base];
      }
    }
    CHECK(entries > 0);
    CHECK(same == entries);
  }
  CHECK(refused == 2);
}
