// The routes of a fabric of planes: each plane's own, joined.
#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "models/routing/routes.h"
#include "models/routing/switch_graph.h"
#include "models/topology/networks.h"

namespace weft {
namespace {

/// Enters the routes of one plane among those of all.
void join(const Plane& plane, const Routes& own, Routes& all) {
  const Topology& network = plane.network;
  const Lid last = own.lft.last_lid();
  for (NodeIndex n = 0; n < network.nodes.size(); ++n) {
    if (own.sl2vl) all.sl2vl->take(plane.node[n], *own.sl2vl, n);
    if (network.nodes[n].kind != NodeKind::switch_) continue;
    all.lft.set(plane.node[n], own.lft[n].written_out());
    for (Lid lid = 0; !own.path_sls.empty() && lid <= last; ++lid)
      all.path_sls.set(plane.node[n], lid, own.path_sls.sl(n, lid));
  }
}

/// What every plane says is said once, the rest by its plane.
std::vector<std::string> warnings_of(const std::vector<Routes>& planes) {
  std::map<std::string, std::size_t> times;
  for (const Routes& routes : planes)
    for (const std::string& warning : routes.warnings) ++times[warning];
  std::vector<std::string> all;
  for (std::size_t plane = 0; plane < planes.size(); ++plane)
    for (const std::string& warning : planes[plane].warnings) {
      if (times[warning] < planes.size())
        all.push_back(fmt::format("plane {}: {}", plane, warning));
      else if (plane == 0)
        all.push_back(warning);
    }
  return all;
}

}  // namespace

Routes RoutingEngine::build(const Topology& topology, const RoutingContext& context) const {
  if (topology.planes == 1 || !plane_by_plane()) return route(topology, context);
  Routes all;
  all.lft = ForwardingTables(topology);
  std::vector<Routes> each;
  for (const Plane& plane : planes_of(topology)) {
    if (plane.network.endpoints().empty()) {  // all its cables are gone: nobody to route for
      for (const NodeIndex n : plane.node)
        if (topology.nodes[n].kind == NodeKind::switch_)
          all.lft.set(n, blank_table(topology.nodes[n], all.lft.last_lid()));
      continue;
    }
    Routes own = each.emplace_back(route(plane.network, context));
    all.engine = own.engine;
    all.vls = std::max(all.vls, own.vls);
    if (own.sl2vl && !all.sl2vl) all.sl2vl = Sl2Vl(own.vls);
    if (!own.path_sls.empty() && all.path_sls.empty()) all.path_sls = PathSls(topology);
    join(plane, own, all);
  }
  if (each.empty()) return route(topology, context);
  all.warnings = warnings_of(each);
  return all;
}

}  // namespace weft
