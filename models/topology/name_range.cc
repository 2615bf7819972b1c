#include "models/topology/name_range.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {

namespace {

constexpr std::size_t kMostNames = 1'000'000;

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string> expand_ranges(std::string_view text, const std::string& key) {
  std::vector<std::string> names{""};
  const auto append = [&names](std::string_view piece) {
    for (std::string& name : names) name += piece;
  };
  while (true) {
    const std::size_t open = text.find('{');
    append(text.substr(0, open));
    if (open == std::string_view::npos) return names;
    const std::size_t close = text.find('}', open);
    const std::string_view range =
        text.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
    const std::size_t dots = range.find("..");
    const std::string_view from = range.substr(0, dots);
    const std::optional<std::uint32_t> first = number(from);
    const std::optional<std::uint32_t> last =
        dots == std::string_view::npos ? std::nullopt : number(range.substr(dots + 2));
    if (close == std::string_view::npos || !first || !last || *last < *first)
      throw BadValue(
          key, fmt::format("`{}` is no range; write {{0..3}}, first number first",
                           text.substr(open, close == std::string_view::npos ? close : close - open + 1)));
    const std::size_t count = std::size_t{*last} - *first + 1;
    if (count > kMostNames / names.size())
      throw BadValue(key, fmt::format("the ranges stand for more than {} names", kMostNames));
    const std::size_t width = from.starts_with('0') ? from.size() : 1;
    std::vector<std::string> longer;
    longer.reserve(names.size() * count);
    for (const std::string& name : names)
      for (std::size_t i = 0; i < count; ++i)
        longer.push_back(fmt::format("{}{:0{}}", name, *first + i, width));
    names = std::move(longer);
    text.remove_prefix(close + 1);
  }
}

}  // namespace weft
