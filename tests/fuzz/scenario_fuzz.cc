// The YAML document loader: any bytes become a tree or a ConfigError with something to say. The input's first
// line, where it starts with "set ", is applied to the rest as `--set` would be.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sim/config.h"
#include "sim/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string_view assignment;
  constexpr std::string_view prefix = "set ";
  if (text.starts_with(prefix)) {
    const std::size_t end = text.find('\n');
    assignment = text.substr(prefix.size(), end == text.npos ? text.npos : end - prefix.size());
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  try {
    weft::Document document = weft::Document::parse(std::string(text), "input.yaml");
    if (!assignment.empty()) document.set(assignment);
    document.locate("fabric.topology.hosts");
    document.locate("traffic[1].message");
  } catch (const weft::ConfigError& error) {
    if (error.diagnostics().empty()) std::abort();
    for (const weft::Diagnostic& finding : error.diagnostics()) {
      if (finding.message.empty()) std::abort();
    }
  }
  return 0;
}
