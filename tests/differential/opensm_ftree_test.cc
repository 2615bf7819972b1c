// Against OpenSM 3.3.23's ftree on the nets of ../shared/data/fabrics: the tables entry by entry where it
// routed, a refusal for its reason where it did not.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "models/routing/channel_graph.h"
#include "models/routing/ftree/ftree.h"
#include "models/routing/lft_file.h"
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

Topology net(const fs::path& folder, const char* name) {
  return read_ibnetdiscover(load(folder / name / "ibnetdiscover.txt"), {});
}

std::string refusal(const Topology& t, const FtreeOptions& options = {}) {
  try {
    ftree_routes(t, options);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "routed";
}

}  // namespace

TEST_CASE("ftree is OpenSM's ftree on every net that it routed") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  // The highest number of adapter pairs over one link between switches.
  const std::map<std::string, std::uint64_t> nets = {{"ft2-32", 28},          {"ft2-48-oversub", 84},
                                                     {"ft3-96-oversub", 432}, {"ft3-128", 124},
                                                     {"rail-256", 240},       {"ft2-648", 630}};
  for (const auto& [name, highest] : nets) {
    CAPTURE(name);
    const Topology t = net(folder, name.c_str());
    const Routes theirs = routes_from_dump(load(folder / name / "ftree/opensm-lfts.dump"), t);
    const Routes ours = ftree_routes(t);
    CHECK(ours.warnings.empty());
    std::size_t entries = 0, equal = 0;
    for (NodeIndex n = 0; n < t.nodes.size(); ++n) {
      for (Lid lid = 1; lid < theirs.lft[n].size(); ++lid) {
        ++entries;
        equal += theirs.lft[n][lid] == ours.lft[n][lid];
      }
    }
    CHECK(entries > 500);
    CHECK(equal == entries);
    const RouteReport report = check_routes(t, ours);
    CHECK(report.reached == report.pairs);
    CHECK(report.subscription.front().flows == highest);
    CHECK(find_credit_loop(t, ours, Ends::traffic_only).free_of_loops());
  }
}

TEST_CASE("ftree refuses the nets that OpenSM's ftree refused") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  // OpenSM: AB0A, AB0A and AB09, AB26, AB2B.
  const std::map<std::string, std::string> nets = {
      {"ft2-32-missing", "neighbours below differ on rank 0 (roots 0): spine02 has 7, the other 3 have 8"},
      {"ft3-128-missing", "differ on rank"},
      {"irregular-24",
       "the compute node node0016 HCA-1[1] hangs on sw10 of rank 1, while the leaves have rank 2"},
      {"real-fdr-2014", "the compute node h0133 mlx4_0[1] hangs on MF0;sw008:SX6036/U1 of rank 1"},
      {"real-dgx-ndr", "all 40 switches have adapters on them"},
      {"torus-4x4x4", "all 64 switches have adapters on them"}};
  for (const auto& [name, reason] : nets) {
    CAPTURE(name);
    CHECK_THAT(refusal(net(folder, name.c_str())), ContainsSubstring(reason));
  }
}

TEST_CASE("with its roots and compute nodes named, ftree routes the real NDR fabric") {
  const fs::path folder = fabrics();
  if (folder.empty()) return;
  const Topology t = net(folder, "real-dgx-ndr");
  std::vector<bool> has_hosts(t.nodes.size(), false);
  FtreeOptions options;
  options.compute_ports.emplace();
  for (const Endpoint& end : t.endpoints()) {  // aggregation nodes are none
    has_hosts[t.nodes[end.where.node].port(end.where.port).peer_node] = true;
    options.compute_ports->emplace(end.where.node, end.where.port);
  }
  CHECK_THAT(refusal(t, options), ContainsSubstring("all 40 switches have adapters on them"));
  for (NodeIndex n = 0; n < t.nodes.size(); ++n)
    if (t.nodes[n].kind == NodeKind::switch_ && !has_hosts[n]) options.roots.push_back(n);
  CHECK(options.roots.size() == 9);
  const Routes routes = ftree_routes(t, options);
  const RouteReport report = check_routes(t, routes);
  CHECK(report.reached == 542 * 541);
  CHECK(report.pairs_by_hops == std::map<unsigned, std::uint64_t>{{1, 8954}, {3, 284268}});
  CHECK(find_credit_loop(t, routes, Ends::with_aggregation_nodes).free_of_loops());
}
