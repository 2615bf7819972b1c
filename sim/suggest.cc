#include "sim/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace weft {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Distances are counted in halves: an edit is 2, a difference of case alone 1.
constexpr std::size_t kEdit = 2;
constexpr std::size_t kCase = 1;
constexpr std::size_t kLongestWord = 100;  // anything longer is no slip for a word of ours

std::size_t substitution(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? kCase : kEdit; }

/// Damerau-Levenshtein in the restricted form (a transposed pair is not edited again).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j * kEdit;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i * kEdit;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min(
          {previous[j] + kEdit, current[j - 1] + kEdit, previous[j - 1] + substitution(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        current[j] = std::min(current[j], before[j - 2] + kEdit);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = 0;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestWord) continue;
    const std::size_t allowed = kEdit * std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    const std::size_t d = distance(word, candidate);
    if (d <= allowed && (best.empty() || d < best_distance)) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kShown = 12;
  if (candidates.empty()) return {};
  if (const std::string_view near = nearest_word(word, candidates); !near.empty())
    return fmt::format("; did you mean `{}`?", near);
  const std::size_t shown = std::min(kShown, candidates.size());
  std::string text =
      fmt::format("; valid: {}", fmt::join(candidates.begin(), candidates.begin() + shown, ", "));
  if (shown < candidates.size()) text += fmt::format(" and {} more", candidates.size() - shown);
  return text;
}

}  // namespace weft
