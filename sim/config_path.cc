#include "sim/config_path.h"

#include <charconv>

namespace weft {

namespace {

/// Takes `[12]` off the front.
std::optional<PathStep> take_index(std::string_view& rest) {
  const std::size_t end = rest.find(']');
  if (end == rest.npos) return std::nullopt;
  const std::string_view digits = rest.substr(1, end - 1);
  PathStep step;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step.index);
  if (digits.empty() || error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  rest.remove_prefix(end + 1);
  return step;
}

}  // namespace

std::optional<std::vector<PathStep>> parse_path(std::string_view path) {
  std::vector<PathStep> steps;
  if (path.empty()) return steps;
  while (true) {
    const std::string_view key = path.substr(0, path.find_first_of(".["));
    if (key.empty() || key.find(']') != key.npos) return std::nullopt;
    steps.push_back({std::string(key), 0});
    path.remove_prefix(key.size());
    while (path.starts_with('[')) {
      const std::optional<PathStep> step = take_index(path);
      if (!step) return std::nullopt;
      steps.push_back(*step);
    }
    if (path.empty()) return steps;
    if (path.front() != '.') return std::nullopt;
    path.remove_prefix(1);
  }
}

std::string join_path(std::string_view parent, std::string_view key) {
  std::string path(parent);
  if (!parent.empty() && !key.empty() && key.front() != '[') path += '.';
  return path.append(key);
}

}  // namespace weft
