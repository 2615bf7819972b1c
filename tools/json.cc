#include "tools/json.h"

#include <cmath>

#include <fmt/format.h>

namespace weft {

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
