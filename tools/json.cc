#include "tools/json.h"

#include <cmath>

#include <fmt/format.h>

namespace weft {
namespace {

/// Length of the UTF-8 sequence at the start of `text`, 0 when it is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t n = lead < 0x80                   ? 1
                        : lead >= 0xc2 && lead < 0xe0 ? 2
                        : lead >= 0xe0 && lead < 0xf0 ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (n == 0 || n > text.size()) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  const auto second = n > 1 ? static_cast<unsigned char>(text[1]) : 0;
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second >= 0xa0;
  return overlong || surrogate || (lead == 0xf4 && second >= 0x90) ? 0 : n;
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t n = utf8_length(text);
    if (c == '"' || c == '\\')
      out += std::string{'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else if (n == 0)
      out += "\\ufffd";
    else
      out += text.substr(0, n);
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return out + '"';
}

std::string json_value(const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "null";
  if (const auto* text = std::get_if<Text>(&value)) return json_text(text->view());
  if (const auto* number = std::get_if<double>(&value); number != nullptr && !std::isfinite(*number))
    return "null";
  return to_text(value);
}

std::string json_table(const Table& table) {
  std::string out = "[";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    out += r == 0 ? "\n      {" : ",\n      {";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      out += fmt::format("{}{}: {}", c == 0 ? "" : ", ", json_text(table.columns[c].name),
                         json_value(table.rows[r][c]));
    out += "}";
  }
  return out + (table.rows.empty() ? "]" : "\n    ]");
}

}  // namespace weft
