// "fabric.links[2].rate": how a place in a document is named.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One step into a document: a key of a mapping, or an index of a list (from 0).
struct PathStep {
  std::string key;  // empty for an index
  std::size_t index = 0;
};

/// The steps of `path`; nullopt when it is malformed (an empty key, a bracket without its number). "" has no
/// steps.
std::optional<std::vector<PathStep>> parse_path(std::string_view path);

/// `parent.key`, or `key` where the parent is the root.
std::string join_path(std::string_view parent, std::string_view key);

}  // namespace weft
