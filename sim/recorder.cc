#include "sim/recorder.h"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

std::string to_text(const Value& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<Text>(&value)) return std::string(text->view());
  return {};
}

std::size_t Table::column(std::string_view column_name) const {
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c].name == column_name) return c;
  return npos;
}

const std::vector<Value>* Table::row(std::string_view key) const {
  for (const auto& candidate : rows) {
    std::string joined;
    for (std::size_t c = 0; c < keys; ++c) joined += (c == 0 ? "" : " ") + to_text(candidate[c]);
    if (joined == key) return &candidate;
  }
  return nullptr;
}

Table& Recorder::table(std::string name, std::string title, std::size_t keys,
                       std::vector<TableColumn> columns) {
  tables_.push_back({std::move(name), std::move(title), keys, std::move(columns), {}, true});
  return tables_.back();
}

const Table* Recorder::find(std::string_view name) const {
  for (const Table& table : tables_)
    if (table.name == name) return &table;
  return nullptr;
}

void Recorder::set(std::string_view name, Value value) {
  for (auto& [known, present] : values_)
    if (known == name) {
      present = std::move(value);
      return;
    }
  values_.emplace_back(name, std::move(value));
}

const Value* Recorder::get(std::string_view name) const {
  for (const auto& [known, value] : values_)
    if (known == name) return &value;
  return nullptr;
}

void Recorder::warn(std::string message) {
  if (std::find(warnings_.begin(), warnings_.end(), message) == warnings_.end())
    warnings_.push_back(std::move(message));
}

}  // namespace weft
