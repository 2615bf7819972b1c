// torus-2QoS.conf: any bytes become a torus that reads back as it was written and is routed or refused, or a
// ConfigError with something to say.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/routing/channel_graph.h"
#include "models/routing/torus_2qos/torus_2qos.h"
#include "models/routing/validate.h"
#include "sim/error.h"

namespace {

/// Five switches by four, in rings, a host on each.
weft::Topology small_torus() {
  weft::Topology t;
  for (weft::NodeIndex i = 0; i < 20; ++i) {
    t.add_node(weft::NodeKind::switch_, "s" + std::to_string(i), 5);
    t.nodes[i].guid = 0xa0 + i;
  }
  for (weft::NodeIndex i = 0; i < 20; ++i) {
    t.connect({i, 1}, {i / 5 * 5 + (i + 1) % 5, 2}, {});
    t.connect({i, 3}, {(i + 5) % 20, 4}, {});
    t.connect({t.add_node(weft::NodeKind::hca, "h" + std::to_string(i), 1), 1}, {i, 5}, {});
  }
  t.assign_lids(false);
  return t;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::Topology topology = small_torus();
  try {
    const weft::TextFile file("input", std::string(reinterpret_cast<const char*>(data), size));
    const weft::TorusConfig config = weft::read_torus_config(file);
    const std::string text = weft::write_torus_config(config);
    if (weft::write_torus_config(weft::read_torus_config(weft::TextFile("again", text))) != text)
      std::abort();
    const weft::Routes routes = weft::torus_2qos_routes(topology, config);
    const weft::RouteReport report = weft::check_routes(topology, routes);
    if (report.loop) std::abort();
    if (routes.warnings.empty() && report.reached != report.pairs) std::abort();
    if (!weft::find_credit_loop(topology, routes, weft::Ends::traffic_only).free_of_loops()) std::abort();
  } catch (const weft::ConfigError& error) {
    if (error.diagnostics().empty()) std::abort();
    for (const weft::Diagnostic& finding : error.diagnostics()) {
      if (finding.message.empty()) std::abort();
    }
  } catch (const weft::Refusal& refusal) {
    if (std::string(refusal.what()).empty()) std::abort();
  }
  return 0;
}
