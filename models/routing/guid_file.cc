#include "models/routing/guid_file.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace weft {
namespace {

std::unordered_map<Guid, NamedGuid> guids_of(const Topology& topology) {
  std::unordered_map<Guid, NamedGuid> all;
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.guid != 0) all.try_emplace(node.guid, NamedGuid{node.guid, n, 0});
    for (std::size_t i = 0; i < node.ports.size(); ++i)
      if (const Guid guid = node.ports[i].guid; guid != 0)
        all.try_emplace(guid, NamedGuid{guid, n, static_cast<std::uint8_t>(i + 1)});
  }
  return all;
}

}  // namespace

std::vector<GuidLine> read_guid_lines(const TextFile& file, const Topology& topology) {
  const auto known = guids_of(topology);
  std::vector<GuidLine> lines;
  std::unordered_set<Guid> met;
  Diagnostics found;
  for (std::size_t n = 1; n <= file.line_count(); ++n) {
    std::string_view line = file.line(n);
    line = line.substr(0, line.find('#'));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    const std::size_t behind = std::min(line.find_first_of(" \t,;", first), line.size());
    const std::string_view word = line.substr(first, behind - first);
    const std::size_t further = std::min(line.find_first_not_of(" \t,;", behind), line.size());
    const std::string_view digits = word.starts_with("0x") || word.starts_with("0X") ? word.substr(2) : word;
    Guid guid = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), guid, 16);
    if (error != std::errc{} || digits.empty() || end != digits.data() + digits.size() || guid == 0) {
      found.add(file.at(n, first + 1),
                fmt::format("{} is no GUID; write 0x and up to 16 digits", quote(word)));
      continue;
    }
    const auto node = known.find(guid);
    if (node == known.end())
      found.add(file.at(n, first + 1), fmt::format("no node of this fabric has the GUID 0x{:016x}", guid));
    else if (met.insert(guid).second)
      lines.push_back({node->second, line.substr(further), n, further + 1});
  }
  found.check();
  if (lines.empty()) throw ConfigError({file.at(1), "the file names no GUID"});
  return lines;
}

std::vector<NamedGuid> read_guid_file(const TextFile& file, const Topology& topology) {
  std::vector<NamedGuid> named;
  for (const GuidLine& line : read_guid_lines(file, topology)) named.push_back(line.named);
  return named;
}

}  // namespace weft
