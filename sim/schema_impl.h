// The template half of sim/schema.h: erases the types of members. Included by it alone.
#pragma once

#include "sim/schema.h"

namespace weft {

namespace schema {

template <class T>
std::vector<Objects::Row> rows_of(std::span<const Choice<T>> table) {
  std::vector<Objects::Row> rows;
  rows.reserve(table.size());
  for (const Choice<T>& choice : table) rows.push_back({choice.name, choice.summary});
  return rows;
}

template <class T>
std::size_t row_of(std::span<const Choice<T>> table, const T& object) {
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::unique_ptr<T> made = table[row].make();
    const T& reference = *made;
    if (typeid(reference) == typeid(object)) return row;
  }
  return Objects::kNoRow;
}

}  // namespace schema

inline FieldDoc Describe::doc_of(std::string_view key, std::string_view help, bool required) {
  FieldDoc doc;
  doc.key = key;
  doc.help = help;
  doc.required = required;
  return doc;
}

template <class T>
Describe::Field Describe::field(std::string_view key, T& value, std::string_view help) {
  return Field(*this, doc_of(key, help), make_scalar(value));
}

template <class T>
void Describe::list(std::string_view key, std::vector<T>& values, std::string_view help) {
  static_assert(!std::same_as<T, bool>, "std::vector<bool> has no elements to refer to");
  ScalarList list;
  list.like.type_name = scalar::type_name<T>();
  if constexpr (std::is_enum_v<T>) list.like.words = scalar::word_list<T>();
  list.size = [&values] { return values.size(); };
  list.at = [&values](std::size_t i) { return make_scalar(values[i]); };
  list.clear = [&values] { values.clear(); };
  list.add = [&values] { return make_scalar(values.emplace_back()); };
  on_list(doc_of(key, help), list);
}

template <class T>
void Describe::group(std::string_view key, T& value, std::string_view help) {
  static_assert(std::derived_from<T, Configurable>);
  Objects objects;
  objects.shape = Objects::Shape::one;
  objects.size = [] { return std::size_t{1}; };
  objects.at = [&value](std::size_t) -> Configurable& { return value; };
  objects.clear = [] {};
  objects.add = [&value](std::size_t) -> Configurable& { return value; };
  objects.sample = [&value](std::size_t, const auto& visit) { visit(value); };
  on_objects(doc_of(key, help), objects);
}

template <class T>
void Describe::group(std::string_view key, std::optional<T>& value, std::string_view help) {
  static_assert(std::derived_from<T, Configurable>);
  Objects objects;
  objects.shape = Objects::Shape::maybe;
  objects.size = [&value] { return std::size_t{value.has_value()}; };
  objects.at = [&value](std::size_t) -> Configurable& { return *value; };
  objects.clear = [&value] { value.reset(); };
  objects.add = [&value](std::size_t) -> Configurable& { return value.emplace(); };
  objects.sample = [](std::size_t, const auto& visit) {
    T fresh;
    visit(fresh);
  };
  on_objects(doc_of(key, help), objects);
}

template <class T>
void Describe::groups(std::string_view key, std::vector<T>& values, std::string_view help, bool required) {
  static_assert(std::derived_from<T, Configurable>);
  Objects objects;
  objects.shape = Objects::Shape::many;
  objects.size = [&values] { return values.size(); };
  objects.at = [&values](std::size_t i) -> Configurable& { return values[i]; };
  objects.clear = [&values] { values.clear(); };
  objects.add = [&values](std::size_t) -> Configurable& { return values.emplace_back(); };
  objects.sample = [](std::size_t, const auto& visit) {
    T fresh;
    visit(fresh);
  };
  on_objects(doc_of(key, help, required), objects);
}

template <class T>
void Describe::choice(std::string_view key, std::unique_ptr<T>& value,
                      std::type_identity_t<std::span<const Choice<T>>> table, std::string_view selector,
                      std::string_view help, bool required) {
  static_assert(std::derived_from<T, Configurable>);
  Objects objects;
  objects.shape = Objects::Shape::maybe;
  objects.selector = selector;
  objects.rows = schema::rows_of<T>(table);
  objects.size = [&value] { return std::size_t{value != nullptr}; };
  objects.at = [&value](std::size_t) -> Configurable& { return *value; };
  objects.clear = [&value] { value.reset(); };
  objects.add = [&value, table](std::size_t row) -> Configurable& {
    value = table[row].make();
    return *value;
  };
  objects.row_of = [&value, table](std::size_t) { return schema::row_of<T>(table, *value); };
  objects.sample = [table](std::size_t row, const auto& visit) { visit(*table[row].make()); };
  on_objects(doc_of(key, help, required), objects);
}

template <class T>
void Describe::choices(std::string_view key, std::vector<std::unique_ptr<T>>& values,
                       std::type_identity_t<std::span<const Choice<T>>> table, std::string_view selector,
                       std::string_view help, bool required) {
  static_assert(std::derived_from<T, Configurable>);
  Objects objects;
  objects.shape = Objects::Shape::many;
  objects.selector = selector;
  objects.rows = schema::rows_of<T>(table);
  objects.size = [&values] { return values.size(); };
  objects.at = [&values](std::size_t i) -> Configurable& { return *values[i]; };
  objects.clear = [&values] { values.clear(); };
  objects.add = [&values, table](std::size_t row) -> Configurable& {
    return *values.emplace_back(table[row].make());
  };
  objects.row_of = [&values, table](std::size_t i) { return schema::row_of<T>(table, *values[i]); };
  objects.sample = [table](std::size_t row, const auto& visit) { visit(*table[row].make()); };
  on_objects(doc_of(key, help, required), objects);
}

}  // namespace weft
