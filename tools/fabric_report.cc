#include "tools/fabric_report.h"

#include <fmt/format.h>

#include "sim/error.h"
#include "tools/json.h"
#include "tools/terminal.h"

namespace weft {
namespace {

std::string json_of(const Recorder& recorder) {
  std::string out = "{";
  for (const auto& [name, value] : recorder.values())
    out += fmt::format("\n  {}: {},", json_text(name), json_value(value));
  out += "\n  \"tables\": {";
  const char* comma = "";
  for (const Table& table : recorder.tables()) {
    out += fmt::format("{}\n    {}: {}", comma, json_text(table.name), json_table(table));
    comma = ",";
  }
  out += "\n  },\n  \"notes\": [";
  comma = "";
  for (const std::string& note : recorder.warnings()) {
    out += fmt::format("{}\n    {}", comma, json_text(note));
    comma = ",";
  }
  return out + (recorder.warnings().empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace

void FabricReport::tell_notes(const Prepared& prepared) {
  for (const std::string& warning : prepared.topology.warnings) recorder.warn(warning);
  for (const std::string& warning : prepared.routes.warnings) recorder.warn(warning);
}

void FabricReport::print(bool json) const {
  if (json) {
    fmt::print("{}", json_of(recorder));
    return;
  }
  bool first = true;
  for (const Table& table : recorder.tables()) {
    if (!table.on_terminal || table.rows.empty()) continue;
    fmt::print("{}{}", first ? "" : "\n", terminal_table(table));
    first = false;
  }
  if (!text.empty() && !first) fmt::print("\n");
  fmt::print("{}", text);
  for (const std::string& note : recorder.warnings()) fmt::print("note: {}\n", printable(note));
}

}  // namespace weft
