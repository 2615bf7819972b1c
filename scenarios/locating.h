// Turning what goes wrong deep inside into an error at the place in the scenario that caused it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "sim/config.h"
#include "sim/error.h"
#include "sim/units.h"

namespace weft {

/// Runs `work`, locating a BadValue it throws in the struct at `path`.
template <class Work>
auto locating(const Document& document, std::string_view path, Work work) {
  try {
    return work();
  } catch (const BadValue& error) {
    throw located(error, document, path);
  }
}

/// The same for work that reads a file the scenario names: one that cannot be read at all is located where it
/// is named (a document whose name stands in parentheses is no file of the user's).
template <class Work>
auto reading(const Document& document, const std::string& path, Work work) {
  try {
    return locating(document, path, work);
  } catch (const ConfigError& error) {
    const Diagnostic& first = error.diagnostics().front();
    const bool placed =
        error.diagnostics().size() > 1 || first.where.line > 0 || first.where.file.starts_with("--");
    if (placed || document.locate("").file.starts_with("(")) throw;
    throw located(BadValue("file", fmt::format("{}: {}", first.where.file, first.message)), document, path);
  }
}

/// Where the document says `key: value`; nullptr where it does not.
inline const Document::Node* find_value(const Document::Node& node, std::string_view key,
                                        const std::function<bool(const std::string&)>& is_meant) {
  for (const Document::Entry& entry : node.entries) {
    if (entry.key == key && entry.value.kind == Document::Node::Kind::scalar && is_meant(entry.value.scalar))
      return &entry.value;
    if (const Document::Node* inside = find_value(entry.value, key, is_meant)) return inside;
  }
  for (const Document::Node& item : node.items)
    if (const Document::Node* inside = find_value(item, key, is_meant)) return inside;
  return nullptr;
}

/// Whether `text` is that length, in whatever unit.
inline bool is_length(const std::string& text, Length length) {
  try {
    return parse_length(text) == length;
  } catch (const UnitError&) {
    return false;
  }
}

}  // namespace weft
