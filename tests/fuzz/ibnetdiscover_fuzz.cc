// Dumps of fabrics, ports reports and name maps: every text is refused with a located error or read to a
// sound topology that writes and reads back to itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "sim/error.h"

namespace {

void check_located(const weft::ConfigError& error) {
  for (const weft::Diagnostic& finding : error.diagnostics())
    if (finding.message.empty() || finding.where.line == 0) std::abort();
}

void read_names(const weft::TextFile& file) {
  try {
    for (const auto& [guid, name] : weft::read_name_map(file).names)
      if (guid == 0 || name.empty()) std::abort();
  } catch (const weft::ConfigError& error) {
    check_located(error);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::TextFile file("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  read_names(file);
  weft::Topology topology;
  try {
    topology = weft::read_ibnetdiscover(file, {});
  } catch (const weft::ConfigError& error) {
    check_located(error);
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
