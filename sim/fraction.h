// Exact numbers as text: a decimal (`1.50e3`) or a fraction (`600/11`) to a ratio of 128-bit integers, and
// back.
#pragma once

#include <string>
#include <string_view>

#include "sim/int128.h"

namespace weft {

/// A non-negative ratio; den > 0.
struct Fraction {
  Uint128 num = 0;
  Uint128 den = 1;
  void reduce();
};

/// What the front of a text holds.
struct NumberText {
  enum class Found { number, nothing, negative, too_many_digits, division_by_zero, too_small, too_large };
  Found found = Found::nothing;
  Fraction value;         // reduced; num < 2^128, den < 2^120
  std::string_view rest;  // the text after the number
};

/// Reads the number at the front of `text`: up to 30 significant digits, up to 10^-36; 64 bits a side for a
/// fraction.
NumberText read_number(std::string_view text);

/// num/den as a decimal where that ends within 15 places, else as a reduced fraction.
std::string number_text(Fraction value);

}  // namespace weft
