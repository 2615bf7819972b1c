#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config.h"
#include "sim/json_text.h"
#include "sim/outline.h"

namespace weft {

namespace {

std::string json_texts(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : ", ") + json_text(text);
  return "[" + result + "]";
}

/// A JSON value under construction: members of an object, written with indentation.
class Json {
 public:
  Json& add(std::string_view name, std::string value) {
    members_.emplace_back(json_text(name), std::move(value));
    return *this;
  }
  bool empty() const { return members_.empty(); }
  std::string text() const {
    if (members_.empty()) return "{}";
    std::string inner;
    for (const auto& [name, value] : members_)
      inner += fmt::format("{}\n{}: {}", inner.empty() ? "" : ",", name, value);
    return "{" + indented(inner) + "\n}";
  }
  static std::string array(const std::vector<std::string>& values) {
    std::string inner;
    for (const std::string& value : values) inner += fmt::format("{}\n{}", inner.empty() ? "" : ",", value);
    return "[" + indented(inner) + "\n]";
  }

 private:
  static std::string indented(const std::string& text) {
    std::string result;
    for (const char c : text) {
      result += c;
      if (c == '\n') result += "  ";
    }
    return result;
  }
  std::vector<std::pair<std::string, std::string>> members_;
};

constexpr std::string_view kNumber =
    R"(([0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+/[0-9]+))";

/// The units of a dimension, as a pattern after a number; and a word that stands for a value.
struct Pattern {
  std::string_view type, units, word;
};
constexpr std::array kPatterns{
    Pattern{"time", "(ps|ns|us|ms|s|min|h|d)", "never"},
    Pattern{"size", "(B|[kMGT]B|[KMGT]iB)", ""},
    Pattern{"rate", "([kMGT]?[bB](ps|/s)|[KMG]iB/s)", "unlimited"},
    Pattern{"length", "([umck]?m)", ""},
    Pattern{"share", "%?", ""},
};

bool is_json_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

std::string scalar_default(const OutlineKey& key, const std::string& text) {
  if (key.type == "yes/no") return text == "yes" ? "true" : "false";
  const bool number = key.type == "count" || key.type == "integer" || key.type == "number";
  return number && is_json_number(text) ? text : json_text(text);
}

Json scalar_schema(const OutlineKey& key) {
  Json json;
  if (key.type == "yes/no") return std::move(json.add("enum", R"([true, false, "yes", "no"])"));
  if (key.type == "word") return std::move(json.add("enum", json_texts(key.words)));
  if (key.type == "text") return std::move(json.add("type", R"(["string", "number", "boolean"])"));
  for (const Pattern& pattern : kPatterns) {
    if (pattern.type != key.type) continue;
    std::string expression = fmt::format("^\\s*{}\\s*{}\\s*$", kNumber, pattern.units);
    if (!pattern.word.empty()) expression += fmt::format("|^{}$", pattern.word);
    // A share may be a bare number, which JSON Schema tests no pattern on.
    json.add("type", key.type == "share" ? R"(["string", "number"])" : R"("string")");
    return std::move(json.add("pattern", json_text(expression)));
  }
  json.add("type", key.type == "number" ? R"("number")" : R"("integer")");
  if (is_json_number(key.doc.minimum))
    json.add("minimum", key.doc.minimum);
  else if (key.type == "count")
    json.add("minimum", "0");
  if (is_json_number(key.doc.maximum)) json.add("maximum", key.doc.maximum);
  return json;
}

Json any_of(const std::vector<std::string>& schemas) {
  return std::move(Json().add("anyOf", Json::array(schemas)));
}

Json key_schema(const OutlineKey& key);

/// The properties and required keys of a mapping; a choice's row begins with its selector.
Json section_schema(const OutlineSection& section, const std::string& selector) {
  Json json, properties;
  json.add("type", R"("object")");
  std::vector<std::string> required;
  if (!selector.empty()) {
    json.add("description", json_text(section.summary));
    properties.add(selector, Json().add("const", json_text(section.row)).text());
    required.push_back(selector);
  }
  for (const OutlineKey& key : section.keys) {
    properties.add(key.doc.key, key_schema(key).text());
    if (key.doc.required) required.push_back(key.doc.key);
  }
  json.add("properties", properties.text());
  if (!required.empty()) json.add("required", json_texts(required));
  // A struct inside its own kind is not spelt out again.
  return std::move(json.add("additionalProperties", section.recursive ? "true" : "false"));
}

Json element_schema(const OutlineKey& key) {
  if (key.selector.empty()) return section_schema(key.sections.at(0), {});
  std::vector<std::string> rows, names;
  for (const OutlineSection& section : key.sections) {
    rows.push_back(section_schema(section, key.selector).text());
    names.push_back(section.row);
  }
  rows.push_back(Json().add("enum", json_texts(names)).text());
  return std::move(Json().add("oneOf", Json::array(rows)));
}

Json value_schema(const OutlineKey& key) {
  switch (key.kind) {
    case OutlineKey::Kind::scalar:
      return scalar_schema(key);
    case OutlineKey::Kind::object:
      return element_schema(key);
    case OutlineKey::Kind::list: {
      const std::string element = scalar_schema(key).text();
      return any_of({element, Json().add("type", R"("array")").add("items", element).text()});
    }
    case OutlineKey::Kind::objects: {
      Json array;
      array.add("type", R"("array")").add("items", element_schema(key).text());
      return key.doc.required ? std::move(array.add("minItems", "1")) : array;
    }
  }
  return {};
}

Json key_schema(const OutlineKey& key) {
  Json json = value_schema(key);
  if (key.optional) json = any_of({json.text(), R"({"type": "null"})"});
  if (!key.doc.help.empty()) json.add("description", json_text(key.doc.help));
  if (key.kind == OutlineKey::Kind::scalar && key.default_text)
    json.add("default", scalar_default(key, *key.default_text));
  return json;
}

}  // namespace

std::string json_schema(Configurable& target, std::string_view title) {
  OutlineKey include;
  include.kind = OutlineKey::Kind::list;
  include.type = "text";
  include.doc.key = "include";
  include.doc.help = "Files laid under this one, relative to it; the keys of this one win.";
  OutlineSection root;
  root.keys = outline_of(target);
  root.keys.push_back(std::move(include));
  return section_schema(root, {})
             .add("$schema", R"("https://json-schema.org/draft/2020-12/schema")")
             .add("title", json_text(title))
             .text() +
         "\n";
}

}  // namespace weft
