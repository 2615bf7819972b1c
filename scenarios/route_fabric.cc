// The second half of building a fabric: its routes, by the engine the scenario names or one that this falls
// back to, and the lanes they and fabric.qos make of it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "scenarios/loader.h"
#include "scenarios/locating.h"
#include "scenarios/places.h"
#include "sim/error.h"
#include "sim/suggest.h"

namespace weft {
namespace {

constexpr std::array<unsigned, 5> kOperationalVls{1, 2, 4, 8, 15};

SlMap sl_map(const std::vector<std::uint32_t>& list, unsigned vls, const std::string& key) {
  SlMap map{};
  if (list.size() > map.size())
    throw BadValue(key, fmt::format("{} service levels; InfiniBand has 16", list.size()));
  for (std::size_t sl = 0; sl < list.size(); ++sl) {
    if (list[sl] != kDropVl && list[sl] >= vls)
      throw BadValue(fmt::format("{}[{}]", key, sl),
                     fmt::format("VL {} is not in operation; fabric.vls is {}, so 0 to {} (or 15 to drop)",
                                 list[sl], vls, vls - 1));
    map[sl] = static_cast<std::uint8_t>(list[sl]);
  }
  return map;
}

/// The lanes, once the routes are there.
void resolve_qos(Prepared& p) {
  FabricConfig& fabric = p.scenario.fabric;
  // The engine was told how many there can be: it needs no more.
  const unsigned vls =
      fabric.vls.value_or(*std::find_if(kOperationalVls.begin(), kOperationalVls.end() - 1,
                                        [&](unsigned count) { return count >= p.routes.vls; }));
  fabric.vls = vls;  // what the resolved scenario shows
  p.settings.data_vls = vls;
  p.settings.sl2vl = !fabric.qos.sl2vl.empty() ? Sl2Vl(sl_map(fabric.qos.sl2vl, vls, "qos.sl2vl"))
                                               : p.routes.sl2vl.value_or(Sl2Vl(vls));
  if (p.routes.vls > 1 && (!fabric.qos.sl2vl.empty() || !fabric.qos.exceptions.empty()))
    p.routes.warnings.push_back(
        fmt::format("fabric.qos maps service levels otherwise than {} wants: its freedom from "
                    "deadlock is not promised (`weft fabric validate` tells)",
                    p.routes.engine));
  for (std::size_t i = 0; i < p.scenario.traffic.size() && !p.routes.path_sls.empty(); ++i)
    if (const std::optional<std::uint32_t>& sl = p.scenario.traffic[i]->stream.sl)
      p.routes.warnings.push_back(
          fmt::format("traffic[{}] sends on service level {} whatever {} wants on its paths: its "
                      "freedom from deadlock is not promised (`weft fabric validate` tells)",
                      i, *sl, p.routes.engine));
  for (std::size_t i = 0; i < fabric.qos.exceptions.size(); ++i) {
    const Sl2VlException& exception = fabric.qos.exceptions[i];
    const std::string key = fmt::format("qos.exceptions[{}]", i);
    const NodeIndex node = p.topology.find(exception.node);
    if (node == kNone)
      throw BadValue(key + ".node", fmt::format("there is no node `{}`{}", exception.node,
                                                did_you_mean(exception.node, node_names(p.topology))));
    p.settings.sl2vl.set(node, static_cast<std::uint8_t>(exception.in.value_or(kAnyPort)),
                         static_cast<std::uint8_t>(exception.out.value_or(kAnyPort)),
                         sl_map(exception.sl2vl, vls, key + ".sl2vl"));
  }
  p.settings.arbitration.high = parse_vl_weights(fabric.qos.vlarb_high, vls, "qos.vlarb_high");
  p.settings.arbitration.low = parse_vl_weights(fabric.qos.vlarb_low, vls, "qos.vlarb_low");
  p.settings.arbitration.high_limit = static_cast<std::uint8_t>(fabric.qos.high_limit);
}

/// Routes by the engine asked for, or by the first of its fallbacks that does not refuse.
Routes route(const Prepared& p) {
  const FabricConfig& fabric = p.scenario.fabric;
  const RoutingContext context{p.routing_folder.value_or(p.base_folder),
                               fabric.vls.value_or(RoutingContext{}.max_vls)};
  if (!fabric.routing)
    return make_routing_engine(p.topology.tree ? "dmodk" : "minhop")->build(p.topology, context);
  std::vector<std::unique_ptr<RoutingEngine>> others;
  for (std::size_t i = 0; i < fabric.routing->fallback.size(); ++i) {
    const std::string& name = fabric.routing->fallback[i];
    others.push_back(make_routing_engine(name));
    if (others.back() != nullptr && name != "file") continue;
    std::vector<std::string_view> names;
    for (const Choice<RoutingEngine>& row : routing_engines())
      if (row.name != "file") names.push_back(row.name);
    throw BadValue(fmt::format("fallback[{}]", i),
                   name == "file"
                       ? "tables from a file are no fallback"
                       : fmt::format("there is no engine `{}`{}", name, did_you_mean(name, names)));
  }
  std::vector<std::string> refusals;
  const RoutingEngine* engine = fabric.routing.get();
  for (std::size_t next = 0;; engine = others[next++].get()) {
    try {
      Routes routes = engine->build(p.topology, context);
      for (const std::string& refusal : refusals)
        routes.warnings.push_back(fmt::format("{}; routed by {} instead", refusal, routes.engine));
      return routes;
    } catch (const Refusal& refusal) {
      if (next == others.size()) throw;
      refusals.emplace_back(refusal.what());
    }
  }
}

}  // namespace

void route_fabric(Prepared& p) {
  locating(p.document, "fabric", [&] {
    const std::optional<std::uint32_t>& vls = p.scenario.fabric.vls;
    if (vls && std::find(kOperationalVls.begin(), kOperationalVls.end(), *vls) == kOperationalVls.end())
      throw BadValue("vls", fmt::format("{} data VLs; ports operate 1, 2, 4, 8 or 15", *vls));
  });
  adopt_routes(p, reading(p.document, "fabric.routing", [&] { return route(p); }));
}

void adopt_routes(Prepared& p, Routes routes) {
  p.routes = std::move(routes);
  locating(p.document, "fabric", [&] { resolve_qos(p); });
}

}  // namespace weft
