#include "sim/fraction.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace weft {

namespace {

constexpr std::uint64_t kMax64 = std::numeric_limits<std::uint64_t>::max();
constexpr Uint128 kMax128 = ~Uint128{0};
constexpr int kMostDigits = 30;  // 10^30 < 2^100: leaves room for any unit
constexpr int kMostScale = 36;   // 10^36 < 2^120
constexpr int kMostPlaces = 15;  // of a decimal one still reads
constexpr int kEndless = 1'000'000;

constexpr Uint128 power_of_ten(int n) {
  Uint128 result = 1;
  while (n-- > 0) result *= 10;
  return result;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits at the front; nullopt when they exceed 64 bits.
std::optional<std::uint64_t> take_whole(std::string_view& rest) {
  std::uint64_t value = 0;
  bool fits = true;
  for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1)) {
    const auto digit = static_cast<std::uint64_t>(rest.front() - '0');
    fits = fits && value <= (kMax64 - digit) / 10;
    if (fits) value = value * 10 + digit;
  }
  return fits ? std::optional(value) : std::nullopt;
}

/// The significant digits of a decimal, and the power of ten they are multiplied by.
class Decimal {
 public:
  void add_digit(char c, bool after_point) {
    any_ = true;
    if (after_point && scale_ > -kEndless) --scale_;
    if (c == '0') {  // counts only if another digit follows
      if (count_ > 0 && zeros_ < kEndless) ++zeros_;
      return;
    }
    for (; zeros_ > 0 && count_ <= kMostDigits; --zeros_, ++count_) digits_ *= 10;
    if (++count_ <= kMostDigits) digits_ = digits_ * 10 + static_cast<unsigned>(c - '0');
  }
  void add_exponent(int exponent) { scale_ += exponent; }

  NumberText result(std::string_view rest) const {
    using Found = NumberText::Found;
    if (!any_) return {Found::nothing, {}, rest};
    if (count_ == 0) return {Found::number, {}, rest};
    if (count_ > kMostDigits) return {Found::too_many_digits, {}, rest};
    const int scale = scale_ + zeros_;
    if (scale < -kMostScale) return {Found::too_small, {}, rest};
    Fraction value{digits_, scale < 0 ? power_of_ten(-scale) : 1};
    for (int i = 0; i < scale; ++i) {
      if (value.num > kMax128 / 10) return {Found::too_large, {}, rest};
      value.num *= 10;
    }
    value.reduce();
    return {Found::number, value, rest};
  }

 private:
  Uint128 digits_ = 0;
  int count_ = 0;  // of significant digits
  int zeros_ = 0;  // after them, not yet multiplied in
  int scale_ = 0;
  bool any_ = false;
};

void take_exponent(std::string_view& rest, Decimal& decimal) {
  if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E')) return;
  const std::size_t sign = rest.size() > 1 && (rest[1] == '+' || rest[1] == '-') ? 1 : 0;
  if (rest.size() <= 1 + sign || !is_digit(rest[1 + sign])) return;
  const bool negative = sign == 1 && rest[1] == '-';
  rest.remove_prefix(1 + sign);
  const auto exponent =
      static_cast<int>(std::min<std::uint64_t>(take_whole(rest).value_or(kMax64), kEndless));
  decimal.add_exponent(negative ? -exponent : exponent);
}

std::string whole_text(Uint128 n) {
  std::string digits;
  do digits += static_cast<char>('0' + static_cast<int>(n % 10));
  while ((n /= 10) != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace

void Fraction::reduce() {
  Uint128 divisor = num, other = den;
  while (other != 0) divisor = std::exchange(other, divisor % other);
  if (divisor > 1) {
    num /= divisor;
    den /= divisor;
  }
}

NumberText read_number(std::string_view text) {
  using Found = NumberText::Found;
  if (text.size() > 1 && text[0] == '-' && (is_digit(text[1]) || text[1] == '.'))
    return {Found::negative, {}, text};

  std::string_view rest = text;
  const std::optional<std::uint64_t> num = take_whole(rest);
  if (rest.size() < text.size() && rest.size() > 1 && rest[0] == '/' && is_digit(rest[1])) {
    rest.remove_prefix(1);
    const std::optional<std::uint64_t> den = take_whole(rest);
    if (!num || !den) return {Found::too_many_digits, {}, rest};
    if (*den == 0) return {Found::division_by_zero, {}, rest};
    Fraction value{*num, *den};
    value.reduce();
    return {Found::number, value, rest};
  }

  Decimal decimal;
  bool point = false;
  for (rest = text; !rest.empty() && (is_digit(rest[0]) || (rest[0] == '.' && !point));
       rest.remove_prefix(1)) {
    if (rest[0] == '.')
      point = true;
    else
      decimal.add_digit(rest[0], point);
  }
  take_exponent(rest, decimal);
  return decimal.result(rest);
}

std::string number_text(Fraction value) {
  value.reduce();
  int places = 0;
  while (places <= kMostPlaces && power_of_ten(places) % value.den != 0) ++places;
  if (places > kMostPlaces || value.num > kMax128 / power_of_ten(places))
    return whole_text(value.num) + "/" + whole_text(value.den);
  std::string text = whole_text(value.num * (power_of_ten(places) / value.den));
  if (places == 0) return text;
  const auto point = static_cast<std::size_t>(places);
  if (text.size() <= point) text.insert(0, point + 1 - text.size(), '0');
  return text.insert(text.size() - point, 1, '.');
}

}  // namespace weft
