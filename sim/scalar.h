// How one scalar of a config struct is read and written: the C++ type decides.
//
//   bool            yes no true false
//   integers        plain digits; 64-bit unsigned ones also 0x... (GUIDs)
//   double          1.5, 2e-3
//   std::string     any text
//   Time Bytes Rate Length Ratio   see sim/units.h
//   enums           one of words_of(E), found by argument-dependent lookup
//   std::optional   of any of these; `null` makes it absent
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/units.h"

namespace weft {

/// One scalar member of a struct, its type erased so that a visitor is one small virtual interface.
struct Scalar {
  std::string_view type_name;  // "time", "size", "rate", "length", "share", "count", "integer", "number",
                               // "text", "yes/no", "word"
  std::vector<std::string_view> words;  // the closed set, for a "word"
  bool optional = false;                // may be absent

  std::function<void(std::string_view)> parse;  // sets the member; throws UnitError
  std::function<std::optional<std::string>()>
      format;                                    // the present value, as parse reads it; nullopt: absent
  std::function<int(std::string_view)> compare;  // present value against a bound: < 0, 0, > 0; null: no order
  std::function<void()> unset;                   // makes it absent; null unless `optional`
};

template <class E>
concept WordedEnum = std::is_enum_v<E> && requires(E e) {
  { words_of(e) } -> std::convertible_to<std::span<const std::pair<std::string_view, E>>>;
};

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

namespace scalar {

// All throw UnitError.
bool parse_bool(std::string_view text);
std::uint64_t parse_unsigned(std::string_view text, std::uint64_t maximum, bool hexadecimal);
std::int64_t parse_signed(std::string_view text, std::int64_t minimum, std::int64_t maximum);
double parse_number(std::string_view text);
[[noreturn]] void unknown_word(std::string_view text, std::span<const std::string_view> words);

/// Shortest text that reads back to the same value.
std::string number_text(double value);

template <class T>
struct Optional : std::false_type {
  using Value = T;
};
template <class T>
struct Optional<std::optional<T>> : std::true_type {
  using Value = T;
};

template <class E>
std::vector<std::string_view> word_list() {
  std::vector<std::string_view> words;
  for (const auto& [word, value] : words_of(E{})) words.push_back(word);
  return words;
}

template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::same_as<T, bool>)
    return "yes/no";
  else if constexpr (Integer<T>)
    return std::unsigned_integral<T> ? "count" : "integer";
  else if constexpr (std::same_as<T, double>)
    return "number";
  else if constexpr (std::same_as<T, std::string>)
    return "text";
  else if constexpr (std::same_as<T, Time>)
    return "time";
  else if constexpr (std::same_as<T, Bytes>)
    return "size";
  else if constexpr (std::same_as<T, Rate>)
    return "rate";
  else if constexpr (std::same_as<T, Length>)
    return "length";
  else if constexpr (std::same_as<T, Ratio>)
    return "share";
  else {
    static_assert(WordedEnum<T>, "a scalar key needs one of the types above, or an enum with words_of()");
    return "word";
  }
}

/// @throws UnitError
template <class T>
T parse(std::string_view text) {
  if constexpr (std::same_as<T, bool>)
    return parse_bool(text);
  else if constexpr (Integer<T> && std::unsigned_integral<T>)
    return static_cast<T>(parse_unsigned(text, std::numeric_limits<T>::max(), sizeof(T) == 8));
  else if constexpr (Integer<T>)
    return static_cast<T>(parse_signed(text, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  else if constexpr (std::same_as<T, double>)
    return parse_number(text);
  else if constexpr (std::same_as<T, std::string>)
    return std::string(text);
  else if constexpr (std::same_as<T, Time>)
    return parse_time(text);
  else if constexpr (std::same_as<T, Bytes>)
    return parse_bytes(text);
  else if constexpr (std::same_as<T, Rate>)
    return parse_rate(text);
  else if constexpr (std::same_as<T, Length>)
    return parse_length(text);
  else if constexpr (std::same_as<T, Ratio>)
    return parse_ratio(text);
  else {
    for (const auto& [word, value] : words_of(T{}))
      if (word == text) return value;
    unknown_word(text, word_list<T>());
  }
}

template <class T>
std::string format(const T& value) {
  if constexpr (std::same_as<T, bool>)
    return value ? "yes" : "no";
  else if constexpr (Integer<T>)
    return std::to_string(value);
  else if constexpr (std::same_as<T, double>)
    return number_text(value);
  else if constexpr (std::same_as<T, std::string>)
    return value;
  else if constexpr (std::is_enum_v<T>) {
    for (const auto& [word, known] : words_of(T{}))
      if (known == value) return std::string(word);
    return {};
  } else
    return to_text(value);
}

/// True for the types a range makes sense for.
template <class T>
inline constexpr bool kOrdered =
    !std::same_as<T, bool> && !std::same_as<T, std::string> && !std::is_enum_v<T>;

}  // namespace scalar

/// The scalar that reads and writes `value`, which must outlive it.
template <class T>
Scalar make_scalar(T& value) {
  using IsOptional = scalar::Optional<T>;
  using V = typename IsOptional::Value;
  Scalar s;
  s.type_name = scalar::type_name<V>();
  if constexpr (std::is_enum_v<V>) s.words = scalar::word_list<V>();
  s.parse = [&value](std::string_view text) { value = scalar::parse<V>(text); };
  if constexpr (IsOptional::value) {
    s.optional = true;
    s.unset = [&value] { value.reset(); };
    s.format = [&value]() -> std::optional<std::string> {
      if (!value) return std::nullopt;
      return scalar::format<V>(*value);
    };
  } else {
    s.format = [&value]() -> std::optional<std::string> { return scalar::format<V>(value); };
  }
  if constexpr (scalar::kOrdered<V>) {
    s.compare = [&value](std::string_view text) {
      const V bound = scalar::parse<V>(text);
      if constexpr (IsOptional::value)
        return !value || *value == bound ? 0 : *value < bound ? -1 : 1;
      else
        return value == bound ? 0 : value < bound ? -1 : 1;
    };
  }
  return s;
}

}  // namespace weft
