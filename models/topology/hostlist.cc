#include "models/topology/hostlist.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace weft {

namespace {

constexpr std::uint64_t kLongestRange = 50'000;
constexpr std::size_t kMostDigits = 18;  // fit 64 bits

/// "host0007" -> "host", "0007"; no digits where there is no number to count by.
std::pair<std::string_view, std::string_view> split(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9' && name.size() - end < kMostDigits) --end;
  return {name.substr(0, end), name.substr(end)};
}

bool padded(std::string_view digits) { return digits.size() > 1 && digits[0] == '0'; }

/// Names of one stem whose numbers are written alike.
struct Family {
  std::string_view stem;
  std::size_t width = 0;  // of the numbers; 0: no leading zeros
  std::set<std::uint64_t> numbers;
  std::string_view only;  // the name, where there is no number
};

std::string text_of(const Family& family) {
  if (family.numbers.empty()) return std::string(family.only);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const std::uint64_t number : family.numbers)
    if (!ranges.empty() && ranges.back().second + 1 == number && number - ranges.back().first < kLongestRange)
      ranges.back().second = number;
    else
      ranges.emplace_back(number, number);
  std::string text;
  for (const auto& [first, last] : ranges) {
    text += fmt::format("{}{:0{}}", text.empty() ? "" : ",", first, family.width);
    if (last > first) text += fmt::format("-{:0{}}", last, family.width);
  }
  const bool one = family.numbers.size() == 1;
  return fmt::format("{}{}{}{}", family.stem, one ? "" : "[", text, one ? "" : "]");
}

}  // namespace

std::string hostlist(std::span<const std::string> names) {
  std::map<std::string_view, std::set<std::size_t>> widths;  // of padded numbers, by stem
  for (const std::string& name : names)
    if (const auto [stem, digits] = split(name); padded(digits)) widths[stem].insert(digits.size());
  std::vector<Family> families;
  std::map<std::pair<std::string_view, std::size_t>, std::size_t> of;
  for (const std::string& name : names) {
    const auto [stem, digits] = split(name);
    if (digits.empty()) {
      families.push_back({name, 0, {}, name});
      continue;
    }
    const auto known = widths.find(stem);
    const bool wide = known != widths.end() && known->second.contains(digits.size());
    const auto [at, fresh] = of.try_emplace({stem, wide ? digits.size() : 0}, families.size());
    if (fresh) families.push_back({stem, wide ? digits.size() : 0, {}, {}});
    families[at->second].numbers.insert(std::stoull(std::string(digits)));
  }
  std::string text;
  for (const Family& family : families) text += (text.empty() ? "" : ",") + text_of(family);
  return text;
}

}  // namespace weft
