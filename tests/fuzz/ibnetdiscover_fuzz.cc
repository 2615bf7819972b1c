// Dumps of fabrics: every text is refused with a located error or read to a sound topology that writes and
// reads back to itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "sim/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  weft::Topology topology;
  try {
    topology = weft::read_ibnetdiscover(
        weft::TextFile("fuzz", std::string(reinterpret_cast<const char*>(data), size)), {});
  } catch (const weft::ConfigError& error) {
    for (const weft::Diagnostic& finding : error.diagnostics())
      if (finding.message.empty() || finding.where.line == 0) std::abort();
    return 0;
  }
  if (topology.cables.empty()) std::abort();
  const std::string written = write_ibnetdiscover(topology);
  bool named = true;  // nodes without GUIDs are told apart by name only
  for (const weft::Node& node : topology.nodes) named = named && node.guid != 0;
  if (!named) return 0;
  const weft::Topology again = weft::read_ibnetdiscover(weft::TextFile("again", written), {});
  if (again.cables != topology.cables || again.nodes.size() != topology.nodes.size()) std::abort();
  return 0;
}
