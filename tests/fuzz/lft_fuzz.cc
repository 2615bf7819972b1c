// The forwarding table importer: any bytes become tables that hold only ports the switches have, or a
// ConfigError with something to say; tables that were read are written and read back alike.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/routing/lft_file.h"
#include "models/routing/lft_writer.h"
#include "models/routing/validate.h"
#include "sim/error.h"

namespace {

weft::Topology small_fabric() {
  weft::Topology t;
  for (weft::NodeIndex i = 0; i < 2; ++i) {
    t.add_node(weft::NodeKind::switch_, i == 0 ? "leaf0" : "leaf1", 4);
    t.nodes[i].guid = 0xa0 + i;
  }
  for (weft::NodeIndex i = 0; i < 3; ++i) {
    const weft::NodeIndex host =
        t.add_node(weft::NodeKind::hca, std::string("h") + static_cast<char>('0' + i), 1);
    t.nodes[host].port(1).guid = 0xb0 + i;
    t.connect({host, 1}, {i / 2, static_cast<std::uint8_t>(i % 2 + 1)}, {});
  }
  t.connect({0, 4}, {1, 4}, {});
  t.assign_lids(false);
  return t;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weft::Topology topology = small_fabric();
  try {
    const weft::TextFile file("input", std::string(reinterpret_cast<const char*>(data), size));
    const weft::Routes routes = weft::routes_from_dump(file, topology);
    for (weft::NodeIndex n = 0; n < topology.nodes.size(); ++n) {
      for (const std::uint8_t port : routes.lft[n].written_out()) {
        if (port != weft::kNoPort && port > topology.nodes[n].ports.size()) std::abort();
      }
    }
    const weft::TextFile again("again", weft::write_lfts(topology, routes));
    if (weft::routes_from_dump(again, topology).lft != routes.lft) std::abort();
    if (weft::check_routes(topology, routes).pairs != 6) std::abort();
  } catch (const weft::ConfigError& error) {
    if (error.diagnostics().empty()) std::abort();
    for (const weft::Diagnostic& finding : error.diagnostics()) {
      if (finding.message.empty()) std::abort();
    }
  }
  return 0;
}
