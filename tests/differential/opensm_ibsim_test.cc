// Nets that Weft generates, routed by the real OpenSM over ibsim and by Weft's engines: the tables are the
// same entry by entry, what OpenSM's engine refuses is refused, and ibdmchk accepts the dumps that Weft
// writes. torus-2QoS, which needs a file of its own, is in opensm_torus_test.cc.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/routing/channel_graph.h"
#include "models/routing/fdbs_writer.h"
#include "models/routing/lft_file.h"
#include "models/routing/subnet_list_writer.h"
#include "models/routing/validate.h"
#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibsim_writer.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"
#include "tests/temp_folder.h"

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

namespace {

bool tools_are_here() {
  if (std::system("command -v opensm ibsim ibnetdiscover ibdmchk >/dev/null && "
                  "ls /usr/lib/*/umad2sim/libumad2sim.so >/dev/null 2>&1") == 0)
    return true;
  WARN("skipped, no opensm, ibsim, ibnetdiscover and ibdmchk");
  return false;
}

// One simulated fabric, one opensm for each engine, each with a cache of its own: left-over files keep LIDs.
// What each leaves lies in a folder of the engine's name; `found` is the fabric with OpenSM's LIDs.
constexpr const char* kRun = R"sh(
cd '{0}' || exit 3
so=$(ls /usr/lib/*/umad2sim/libumad2sim.so | head -n 1)
export IBSIM_SOCKNAME=weft-opensm-$$
ibsim -s -n -N 4000 -S 1000 -P 60000 -L 49151 net >ibsim.log 2>&1 &
sim=$!
trap 'kill $sim; wait $sim 2>/dev/null' EXIT
for try in $(seq 100); do LD_PRELOAD=$so ibnetdiscover >/dev/null 2>&1 && break; sleep 0.1; done
for engine in {1}; do
  mkdir "$engine"
  OSM_TMP_DIR=$PWD/$engine OSM_CACHE_DIR=$PWD/$engine LD_PRELOAD=$so timeout 120 \
    opensm -e -o -s 0 -R "$engine" {2} -D 0x43 -f "$PWD/$engine/log" >"$engine/out" 2>&1 || exit 4
done
LD_PRELOAD=$so ibnetdiscover >found 2>errors
)sh";

const std::vector<std::string> kEngines{"minhop", "updn",   "dnup", "dor", "ftree",
                                        "sssp",   "dfsssp", "lash", "nue"};

struct Engine : Configurable {
  std::unique_ptr<RoutingEngine> engine;
  void describe(Describe& d) override { d.choice("routing", engine, routing_engines(), "engine", ""); }
};

struct Net {
  std::string mapping;
  std::vector<std::string> without = {};  // a switch or host port whose cable is taken out
  unsigned lmc = 0;
};

const std::vector<Net>& nets() {
  static const std::vector<Net> kNets{
      {"{type: fat_tree, hosts: 24, radix: 8}"},
      {"{type: fat_tree, hosts: 27, levels: 2, radix: 12, taper: 50 %}"},
      {"{type: fat_tree, hosts: 75, levels: 3, radix: 8}"},
      {"{type: fat_tree, hosts: 128, levels: 3, radix: 8}"},
      {"{type: fat_tree, hosts: 128, levels: 3, radix: 8}", {"leaf03[5]", "leaf10[7]"}},
      {"{type: xgft, children: [4, 3, 2], parents: [1, 2, 2], radix: 12}"},
      {"{type: torus, size: [6], radix: 4}"},
      {"{type: torus, size: [5, 4], hosts_per_switch: 2, radix: 8}"},
      {"{type: torus, size: [4, 3, 2], wrap: no, radix: 8}"},
      {"{type: hyperx, size: [4, 3], hosts_per_switch: 2, radix: 12}"},
      {"{type: dragonfly, hosts_per_switch: 2, switches_per_group: 4, global_per_switch: 2, radix: 8}"},
      {"{type: dragonfly_plus, hosts_per_leaf: 2, groups: 3, radix: 8}"},
      {"{type: fat_tree, hosts: 24, radix: 8}", {}, 1},
      {"{type: torus, size: [5], radix: 4}", {}, 1},
  };
  return kNets;
}

Topology topology_of(const Net& net) {
  Topology t = built_topology(net.mapping);
  t.assign_guids();
  for (const std::string& end : net.without) {
    const std::size_t bracket = end.find('[');
    const NodeIndex node = t.find(end.substr(0, bracket));
    REQUIRE(node != kNone);
    unplug(t, node, static_cast<unsigned>(std::stoul(end.substr(bracket + 1))));
  }
  return t;
}

bool really_ran(const fs::path& folder, const std::string& engine) {
  return TextFile::load((folder / "log").string())
             .content()
             .find(" " + engine + " tables configured on all switches") != std::string_view::npos;
}

/// What ibdmchk says of the tables: pairs of adapters by links on the path, and of credit loops on one lane.
struct Verdict {
  std::map<unsigned, std::uint64_t> pairs_by_links;
  bool no_loops = false, errors = false;
};

Verdict ibdmchk(const TempFolder& folder, const Topology& t, const Routes& routes) {
  folder.write("subnet.lst", write_subnet_list(t));
  folder.write("tables.fdbs", write_fdbs(t, routes));
  folder.write("groups.mcfdbs", "");
  // Its exit status says nothing: it crashes once all is printed.
  std::system(fmt::format("cd '{}' && ibdmchk -s subnet.lst -f tables.fdbs -m groups.mcfdbs >verdict 2>&1",
                          folder.path())
                  .c_str());
  Verdict verdict;
  const TextFile text = TextFile::load(folder.path() + "/verdict");
  bool histogram = false;
  for (std::size_t n = 1; n <= text.line_count(); ++n) {
    const std::string line(text.line(n));
    if (line.find("LFT ROUTE HOP HISTOGRAM") != std::string::npos)
      histogram = true;
    else if (line.starts_with("-----"))
      histogram = false;
    unsigned links = 0;
    unsigned long pairs = 0;
    if (histogram && std::sscanf(line.c_str(), " %u %lu", &links, &pairs) == 2)
      verdict.pairs_by_links[links] = pairs;
    verdict.no_loops = verdict.no_loops || line.find("no credit loops found") != std::string::npos;
    verdict.errors = verdict.errors || line.starts_with("-E-");
  }
  return verdict;
}

void check_accepted(const TempFolder& folder, const Topology& t, const Routes& routes) {
  const Verdict verdict = ibdmchk(folder, t, routes);
  std::map<unsigned, std::uint64_t> by_links;
  for (const auto& [switches, pairs] : check_routes(t, routes).pairs_by_hops) by_links[switches + 1] = pairs;
  CHECK(verdict.pairs_by_links == by_links);
  CHECK(verdict.no_loops == find_credit_loop(t, routes, Ends::traffic_only, {0}, {}).free_of_loops());
  if (verdict.no_loops) CHECK_FALSE(verdict.errors);
}

}  // namespace

TEST_CASE("OpenSM over ibsim and Weft route generated nets alike, and ibdmchk accepts Weft's dumps",
          "[real]") {
  if (!tools_are_here()) return;
  for (const Net& net : nets()) {
    CAPTURE(net.mapping, net.without.size(), net.lmc);
    const TempFolder folder;
    folder.write("net", write_ibsim(topology_of(net)));
    const std::string options = net.lmc == 0 ? "" : fmt::format("-l {}", net.lmc);
    REQUIRE(std::system(fmt::format(kRun, folder.path(), fmt::join(kEngines, " "), options).c_str()) == 0);
    const fs::path root = folder.path();
    const Topology t = read_ibnetdiscover(TextFile::load((root / "found").string()), {});
    for (const std::string& engine : kEngines) {
      CAPTURE(engine);
      Routes ours;
      bool refused = false;
      try {
        ours = make_routing_engine(engine)->build(t, {});
      } catch (const Refusal& refusal) {
        CAPTURE(refusal.what());
        refused = true;
        fmt::print("{:<95} {:<7} refused by both\n", net.mapping, engine);
      }
      CHECK(refused == !really_ran(root / engine, engine));
      if (refused || !really_ran(root / engine, engine)) continue;
      const Routes theirs =
          routes_from_dump(TextFile::load((root / engine / "opensm-lfts.dump").string()), t);
      std::size_t entries = 0, equal = 0;
      for (NodeIndex n = 0; n < t.nodes.size(); ++n)
        for (Lid lid = 1; lid < theirs.lft[n].size(); ++lid) {
          ++entries;
          equal += theirs.lft[n][lid] == ours.lft[n][lid];
        }
      CHECK(entries > 0);
      CHECK(equal == entries);
      fmt::print("{:<95} {:<7} {} of {} entries equal\n",
                 fmt::format("{}{}{}", net.mapping,
                             net.without.empty() ? "" : fmt::format(" less {} cables", net.without.size()),
                             net.lmc == 0 ? "" : fmt::format(", LMC {}", net.lmc)),
                 engine, equal, entries);
      if (net.lmc == 0) check_accepted(folder, t, ours);
    }
  }
}

TEST_CASE("lists of compute and I/O nodes steer sssp and dfsssp as they do OpenSM's", "[real]") {
  if (!tools_are_here()) return;
  for (const char* mapping :
       {"{type: fat_tree, hosts: 27, levels: 2, radix: 12, taper: 50 %}",
        "{type: dragonfly, hosts_per_switch: 2, switches_per_group: 4, global_per_switch: 2, "
        "radix: 8}"}) {
    CAPTURE(mapping);
    const TempFolder folder;
    Topology net = built_topology(mapping);
    net.assign_guids();
    folder.write("net", write_ibsim(net));
    std::string compute, storage;  // ibsim numbers an adapter's port one above the adapter
    for (std::size_t e = 0; e < net.endpoints().size(); ++e) {
      const std::string line = fmt::format("0x{:x}\n", net.nodes[net.endpoints()[e].where.node].guid + 1);
      if (e % 3 != 0) compute += line;
      if (e % 6 == 0) storage += line;
    }
    const std::string cn = folder.write("cn", compute), io = folder.write("io", storage);
    REQUIRE(std::system(fmt::format(kRun, folder.path(), "sssp dfsssp", fmt::format("-u {} -G {}", cn, io))
                            .c_str()) == 0);
    const fs::path root = folder.path();
    const Topology t = read_ibnetdiscover(TextFile::load((root / "found").string()), {});
    for (const char* engine : {"sssp", "dfsssp"}) {
      CAPTURE(engine);
      REQUIRE(really_ran(root / engine, engine));
      const Routes theirs =
          routes_from_dump(TextFile::load((root / engine / "opensm-lfts.dump").string()), t);
      Engine read;
      read_config(Document::parse(
                      fmt::format("routing: {{engine: {}, cn_guids: cn, io_guids: io}}\n", engine), "(test)"),
                  read);
      const Routes ours = read.engine->build(t, {folder.path(), 8});
      CHECK(ours.warnings.empty());
      CHECK(ours.lft == theirs.lft);
      CHECK_FALSE(make_routing_engine(engine)->build(t, {}).lft == theirs.lft);
    }
  }
}
