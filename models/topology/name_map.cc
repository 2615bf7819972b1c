#include "models/topology/name_map.h"

#include <fmt/format.h>

#include "models/topology/line_scanner.h"

namespace weft {

const std::string* NameMap::find(const Node& node) const {
  const auto named = [this](Guid guid) {
    const auto known = guid == 0 ? names.end() : names.find(guid);
    return known == names.end() ? nullptr : &known->second;
  };
  if (const std::string* name = named(node.guid)) return name;
  for (const Port& port : node.ports)
    if (const std::string* name = named(port.guid)) return name;
  return nullptr;
}

NameMap read_name_map(const TextFile& file) {
  NameMap map;
  Diagnostics errors;
  std::unordered_map<Guid, std::size_t> lines;
  for (std::size_t n = 1; n <= file.line_count(); ++n) {
    LineScanner s(file.line(n));
    if (s.done() || s.peek() == '#') continue;
    try {
      const std::uint32_t column = s.column();
      if (!s.rest().starts_with("0x") && !s.rest().starts_with("0X"))
        s.fail("a GUID, 0x and up to 16 digits, should stand here");
      const Guid guid = s.hex("a GUID");
      if (guid == 0) throw LineError{column, "a GUID is not 0"};
      s.done();
      const std::uint32_t name_column = s.column();
      const std::string_view name = s.quoted("the node's name");
      if (name.find_first_not_of(" \t") == std::string_view::npos)
        throw LineError{name_column, "the node's name is empty"};
      const auto [first, fresh] = lines.try_emplace(guid, n);
      if (fresh)
        map.names.emplace(guid, name);
      else
        map.warnings.push_back(
            fmt::format("{}:{}: 0x{:016x} is named a second time; the name on line {} holds", file.name(), n,
                        guid, first->second));
    } catch (const LineError& error) {
      errors.add(file.at(n, error.column), error.message);
    }
  }
  errors.check();
  if (map.names.empty()) throw ConfigError({file.at(1), "the file names no node"});
  return map;
}

}  // namespace weft
