// DFSSSP: SSSP's tables, and lanes that make them free of deadlock: see sssp.h and virtual_layers.h.
//
// Lanes that the layers leave over are given to the layers with most paths for each lane they have, and a
// layer's paths take its lanes in turn: less of a circle is no circle. OpenSM spreads them too, path by path
// of source LIDs; here ends on one switch stay together, so single paths may be on another lane than
// OpenSM's. The service level of a path is its lane.
#include <algorithm>

#include <fmt/format.h>

#include "models/routing/routing_engine_rows.h"
#include "models/routing/sssp.h"
#include "models/routing/virtual_layers.h"

namespace weft {
namespace {

/// How many of `lanes` each layer has: one at least.
std::vector<unsigned> share_out(const LayeredPaths& layered, unsigned lanes) {
  std::vector<std::uint64_t> paths(layered.layers);
  for (const LayeredPath& path : layered.paths) paths[path.layer] += path.weight;
  std::vector<unsigned> has(layered.layers, 1);
  for (unsigned left = lanes - layered.layers; left > 0; --left) {
    std::size_t fullest = 0;
    for (std::size_t l = 1; l < has.size(); ++l)
      if (paths[l] * has[fullest] > paths[fullest] * has[l]) fullest = l;
    ++has[fullest];
  }
  return has;
}

class Dfsssp final : public RoutingEngine {
 public:
  RoutingPromises promises() const override { return {.deadlock_free = true}; }
  void describe_engine(Describe& d) override {
    d.field("max_vls", max_vls_, "Virtual lanes it may use, at most.")
        .range(1, 15)
        .source("fabric.vls, or 8 as most adapters operate");
    d.field("balance", balance_,
            "Spread the paths over all lanes it may use. Off: it takes as few lanes as break all circles.")
        .source("OpenSM");
    keys_.describe(d);
  }

  Routes route(const Topology& topology, const RoutingContext& context) const override {
    const unsigned lanes = std::min(context.max_vls, max_vls_.value_or(context.max_vls));
    std::vector<std::string> warnings;
    const std::vector<std::vector<PortRef>> lists = keys_.lists(topology, context, warnings);
    Routes routes = sssp_routes(topology, lists);
    routes.engine = "dfsssp";
    routes.warnings = std::move(warnings);
    const LayeredPaths layered = layer_paths(topology, routes.lft, lanes, lists);
    if (!layered.free_of_circles)
      throw Refusal(
          "dfsssp",
          fmt::format("more than {} virtual lane{} would be needed to break all circles of credit, {} may be "
                      "used (max_vls, fabric.vls)",
                      lanes, lanes == 1 ? "" : "s", lanes));
    routes.vls = balance_ ? lanes : layered.layers;
    const std::vector<unsigned> share = share_out(layered, routes.vls);
    std::vector<unsigned> first(share.size()), turn(share.size());
    for (std::size_t l = 1; l < share.size(); ++l) first[l] = first[l - 1] + share[l - 1];
    routes.path_sls = PathSls(topology);
    for (const LayeredPath& path : layered.paths)
      routes.path_sls.set(
          path.source, path.destination,
          static_cast<std::uint8_t>(first[path.layer] + turn[path.layer]++ % share[path.layer]));
    return routes;
  }

 private:
  std::optional<std::uint32_t> max_vls_;
  bool balance_ = true;
  SsspKeys keys_;
};

}  // namespace

std::unique_ptr<RoutingEngine> make_dfsssp() { return std::make_unique<Dfsssp>(); }

}  // namespace weft
