// Against OpenSM 3.3.23's nue on the nets of ../shared/data/fabrics: the tables entry by entry, and what they
// promise.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "models/routing/channel_graph.h"
#include "models/routing/lft_file.h"
#include "models/routing/nue/nue.h"
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

/// OpenSM routes by minhop without a word when an engine refuses; its log names the one that did.
bool really_routed(const fs::path& folder) {
  const TextFile log = load(folder / "opensm-log-excerpt.txt");
  for (std::size_t n = log.line_count(); n > 0; --n)
    if (const auto line = log.line(n); line.find("tables configured on all switches") != line.npos)
      return line.find("nue tables") != line.npos;
  return false;
}

}  // namespace

TEST_CASE("nue is OpenSM's nue on every net") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  std::size_t nets = 0;
  for (const fs::directory_entry& net : fs::directory_iterator(folder)) {
    if (!fs::is_directory(net.path() / "nue")) continue;
    ++nets;
    CAPTURE(net.path().filename());
    REQUIRE(really_routed(net.path() / "nue"));
    const Topology t = read_ibnetdiscover(load(net.path() / "ibnetdiscover.txt"), {});
    const Routes theirs = routes_from_dump(load(net.path() / "nue/opensm-lfts.dump"), t);
    const Routes ours = nue_routes(t, {});
    std::size_t entries = 0, equal = 0;
    for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
      for (Lid lid = 1; lid < theirs.lft[n].size(); ++lid) {
        ++entries;
        equal += theirs.lft[n][lid] == ours.lft[n][lid];
      }
    }
    CHECK(entries > 0);
    CHECK(equal == entries);
    CHECK(ours.warnings.empty());
    const RouteReport report = check_routes(t, ours), report_of_theirs = check_routes(t, theirs);
    CHECK(report.reached == report.pairs);
    CHECK(report.pairs_by_hops == report_of_theirs.pairs_by_hops);
    CHECK(report.subscription.front().flows == report_of_theirs.subscription.front().flows);
    CHECK(find_credit_loop(t, ours, Ends::with_aggregation_nodes).free_of_loops());
  }
  CHECK(nets == 9);
}

TEST_CASE("nue on several lanes reaches all of every net and cannot deadlock") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  for (const char* net : {"ft2-32-missing", "irregular-24", "rail-256", "real-dgx-ndr", "torus-4x4x4"}) {
    const Topology t = read_ibnetdiscover(load(folder / net / "ibnetdiscover.txt"), {});
    for (const unsigned lanes : {1u, 2u, 4u, 8u}) {
      CAPTURE(net, lanes);
      const Routes routes = nue_routes(t, {lanes, false});
      const RouteReport report = check_routes(t, routes);
      CHECK(report.reached == report.pairs);
      CHECK(find_credit_loop(t, routes, Ends::with_aggregation_nodes).free_of_loops());
      CHECK(routes.vls == lanes);
      CHECK(routes.path_sls.highest() == lanes - 1);
    }
  }
}
