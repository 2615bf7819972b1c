// "Did you mean": the nearest valid word to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weft {

/// The candidate nearest to `word` by Damerau-Levenshtein distance, or empty when none is near enough to be a
/// typing slip (distance at most one third of the longer word, at least 1; case differences count as half).
/// Ties: first.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

/// "; did you mean `x`?" or, when nothing is near, "; valid: a, b, c" (at most 12 shown, then "and n more").
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace weft
