// Against OpenSM 3.3.23 and ibdmchk on the nets of ../shared/data/fabrics: the minhop tables entry by entry,
// the hop histograms and the verdict on credit loops of every engine that was dumped.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>

#include "models/routing/channel_graph.h"
#include "models/routing/lft_file.h"
#include "models/routing/minhop.h"
#include "models/routing/validate.h"
#include "models/topology/ibnetdiscover.h"
#include "tests/catch.h"

using namespace weft;
namespace fs = std::filesystem;

namespace {

/// The folder of nets; empty where there is none.
fs::path fabrics() {
  const char* shared = std::getenv("WEFT_SHARED");
  const fs::path folder =
      (shared != nullptr ? fs::path(shared) : fs::path(WEFT_SOURCE_DIR) / "../shared") / "data/fabrics";
  if (fs::is_directory(folder)) return folder;
  WARN("skipped, no shared data");
  return {};
}

/// `file` or `file`.gz.
TextFile load(const fs::path& file) {
  return TextFile::load(fs::exists(file) ? file.string() : file.string() + ".gz");
}

bool there(const fs::path& file) { return fs::exists(file) || fs::exists(file.string() + ".gz"); }

/// ibdmchk's routed hops (links between adapters) -> pairs, and whether it found a credit loop.
struct Ibdmchk {
  std::map<unsigned, std::uint64_t> pairs_by_links;
  bool loop_free = false;
};

Ibdmchk read_ibdmchk(const fs::path& path) {
  Ibdmchk result;
  const TextFile file = load(path);
  bool histogram = false;
  for (std::size_t n = 1; n <= file.line_count(); ++n) {
    const std::string line(file.line(n));
    if (line.find("LFT ROUTE HOP HISTOGRAM") != std::string::npos)
      histogram = true;
    else if (line.starts_with("-----"))
      histogram = false;
    unsigned links = 0;
    unsigned long pairs = 0;
    if (histogram && std::sscanf(line.c_str(), " %u %lu", &links, &pairs) == 2)
      result.pairs_by_links[links] = pairs;
    if (line.find("no credit loops found") != std::string::npos) result.loop_free = true;
  }
  return result;
}

/// ibdmchk sees every channel adapter as an end.
Topology with_every_adapter_an_end(Topology t) {
  for (Node& node : t.nodes) {
    if (node.kind == NodeKind::aggregation_node) node.kind = NodeKind::hca;
  }
  return t;
}

}  // namespace

TEST_CASE("minhop is OpenSM's minhop on every net") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  std::size_t nets = 0;
  for (const fs::directory_entry& net : fs::directory_iterator(folder)) {
    if (!there(net.path() / "minhop/opensm-lfts.dump")) continue;
    ++nets;
    const Topology t = read_ibnetdiscover(load(net.path() / "ibnetdiscover.txt"), {});
    const Routes theirs = routes_from_dump(load(net.path() / "minhop/opensm-lfts.dump"), t);
    CAPTURE(net.path().filename());
    CHECK(theirs.warnings.empty());
    const Routes ours = minhop_routes(t);
    std::size_t entries = 0, equal = 0;
    for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
      for (Lid lid = 1; lid < theirs.lft[n].size(); ++lid) {
        ++entries;
        equal += theirs.lft[n][lid] == ours.lft[n][lid];
      }
    }
    CHECK(entries > 0);
    CHECK(equal == entries);
  }
  CHECK(nets == 12);
}

TEST_CASE("every dump of OpenSM's arrives over ibdmchk's hops") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  std::size_t dumps = 0;
  for (const fs::directory_entry& net : fs::directory_iterator(folder)) {
    if (!there(net.path() / "ibnetdiscover.txt")) continue;
    const Topology t =
        with_every_adapter_an_end(read_ibnetdiscover(load(net.path() / "ibnetdiscover.txt"), {}));
    for (const fs::directory_entry& engine : fs::directory_iterator(net.path())) {
      if (!there(engine.path() / "opensm-lfts.dump") || !there(engine.path() / "ibdmchk.txt")) continue;
      CAPTURE(engine.path());
      ++dumps;
      const Routes routes = routes_from_dump(load(engine.path() / "opensm-lfts.dump"), t);
      const Ibdmchk verdict = read_ibdmchk(engine.path() / "ibdmchk.txt");
      const RouteReport report = check_routes(t, routes);
      std::map<unsigned, std::uint64_t> by_links;
      for (const auto& [switches, pairs] : report.pairs_by_hops) by_links[switches + 1] = pairs;
      CHECK(report.broken.empty());
      CHECK(by_links == verdict.pairs_by_links);
      CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops() == verdict.loop_free);
    }
  }
  CHECK(dumps > 80);
}

TEST_CASE("the real NDR fabric loops by its aggregation nodes alone") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  const Topology t = read_ibnetdiscover(load(folder / "public/ibnetdiscover/dgx-ndr.ibnetdiscover"), {});
  CHECK(t.endpoints().size() == 542);
  CHECK(t.count(NodeKind::aggregation_node) == 40);
  for (const char* engine : {"minhop", "updn"}) {
    CAPTURE(engine);
    const Routes routes = routes_from_dump(load(folder / "real-dgx-ndr" / engine / "opensm-lfts.dump"), t);
    const RouteReport report = check_routes(t, routes);
    CHECK(report.reached == 542 * 541);
    CHECK(report.pairs_by_hops == std::map<unsigned, std::uint64_t>{{1, 8954}, {3, 284268}});
    CHECK(find_credit_loop(t, routes, Ends::traffic_only).free_of_loops());
    const CreditLoopReport loop = find_credit_loop(t, routes, Ends::with_aggregation_nodes);
    REQUIRE_FALSE(loop.free_of_loops());
    std::string channels;
    for (const Channel& c : loop.cycle) channels += t.display_name(c.from) + " ";
    CAPTURE(channels);
    CHECK(loop.cycle.size() == 4);
    CHECK(routes_from_dump(load(folder / "real-dgx-ndr" / engine / "opensm-lfts.dump"), t).lft == routes.lft);
  }
}

TEST_CASE("dump_lfts prints the tables OpenSM dumps") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  const Topology t = read_ibnetdiscover(load(folder / "ft2-32/ibnetdiscover.txt"), {});
  CHECK(routes_from_dump(load(folder / "ft2-32/dump_lfts.txt"), t).lft ==
        routes_from_dump(load(folder / "ft2-32/minhop/opensm-lfts.dump"), t).lft);
}
