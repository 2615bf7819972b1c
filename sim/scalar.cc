#include "sim/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/error.h"
#include "sim/suggest.h"

namespace weft::scalar {

namespace {

[[noreturn]] void refuse(std::string message) { throw UnitError{std::move(message)}; }

/// Digits into 64 bits; false when there are too many. Anything else is refused.
bool read_digits(std::string_view text, std::string_view digits, int base, std::uint64_t& value) {
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || error == std::errc::invalid_argument || stop != end)
    refuse(
        fmt::format("{} is not a whole number{}", quote(text),
                    text.find('_') != text.npos || text.find(',') != text.npos ? "; write digits only" : ""));
  return error != std::errc::result_out_of_range;
}

}  // namespace

bool parse_bool(std::string_view text) {
  if (text == "yes" || text == "true") return true;
  if (text == "no" || text == "false") return false;
  refuse(fmt::format("{} is neither yes nor no", quote(text)));
}

std::uint64_t parse_unsigned(std::string_view text, std::uint64_t maximum, bool hexadecimal) {
  if (text.empty()) refuse("there is no value; write a whole number");
  std::uint64_t value = 0;
  bool fits = false;
  if (text.starts_with('-')) {
    read_digits(text, text.substr(1), 10, value);
    refuse(fmt::format("{} is negative", quote(text)));
  }
  if (hexadecimal && text.starts_with("0x"))
    fits = read_digits(text, text.substr(2), 16, value);
  else
    fits = read_digits(text, text, 10, value);
  if (!fits || value > maximum) refuse(fmt::format("{} is too large; at most {}", quote(text), maximum));
  return value;
}

std::int64_t parse_signed(std::string_view text, std::int64_t minimum, std::int64_t maximum) {
  if (text.empty()) refuse("there is no value; write a whole number");
  std::uint64_t magnitude = 0;
  const bool negative = text.starts_with('-');
  const bool fits = read_digits(text, text.substr(negative ? 1 : 0), 10, magnitude);
  const std::uint64_t limit =
      negative ? 0 - static_cast<std::uint64_t>(minimum) : static_cast<std::uint64_t>(maximum);
  if (!fits || magnitude > limit)
    refuse(fmt::format("{} is out of range; {} to {}", quote(text), minimum, maximum));
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

double parse_number(std::string_view text) {
  if (text.empty()) refuse("there is no value; write a number");
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range)
    refuse(fmt::format("{} is beyond what a number holds", quote(text)));
  if (error != std::errc() || stop != end || !std::isfinite(value))
    refuse(fmt::format("{} is not a number", quote(text)));
  return value;
}

void unknown_word(std::string_view text, std::span<const std::string_view> words) {
  refuse(fmt::format("unknown word {}{}", quote(text), did_you_mean(text, words)));
}

std::string number_text(double value) { return fmt::format("{}", value); }

}  // namespace weft::scalar
