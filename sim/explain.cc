// explain_config: the reference text of every key.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config.h"
#include "sim/config_path.h"
#include "sim/outline.h"
#include "sim/suggest.h"

namespace weft {

namespace {

constexpr std::size_t kPageWidth = 110;
constexpr std::size_t kNarrowest = 40;  // a column of help, however deep it is indented

/// `text` broken at spaces; lines after the first are indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  const std::size_t width = kPageWidth > indent + kNarrowest ? kPageWidth - indent : kNarrowest;
  std::string result;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) continue;
    if (used > 0 && used + 1 + word.size() > width) {
      result += '\n' + std::string(indent, ' ');
      used = 0;
    } else if (used > 0) {
      result += ' ';
      ++used;
    }
    result += word;
    used += word.size();
  }
  return result;
}

std::string type_text(const OutlineKey& key) {
  const std::string choice = key.selector.empty() ? "group" : fmt::format("choice by `{}`", key.selector);
  switch (key.kind) {
    case OutlineKey::Kind::scalar:
      return key.type;
    case OutlineKey::Kind::list:
      return "list of " + key.type;
    case OutlineKey::Kind::object:
      return choice;
    case OutlineKey::Kind::objects:
      return key.selector.empty() ? "list of groups" : "list, each a " + choice;
  }
  return {};
}

std::string default_text(const OutlineKey& key) {
  if (key.doc.required) return "required";
  if (key.kind == OutlineKey::Kind::object || key.kind == OutlineKey::Kind::objects)
    return key.optional ? "optional" : "";
  if (!key.default_text) return "optional";
  return key.default_text->empty() ? "\"\"" : *key.default_text;
}

std::string range_text(const FieldDoc& doc) {
  if (doc.minimum == doc.maximum) return doc.minimum.empty() ? "" : "only " + doc.minimum;
  if (doc.maximum.empty()) return "from " + doc.minimum;
  if (doc.minimum.empty()) return "up to " + doc.maximum;
  return fmt::format("{} to {}", doc.minimum, doc.maximum);
}

std::string help_text(const OutlineKey& key) {
  std::string text = key.doc.help;
  if (!key.words.empty()) text += fmt::format(" One of: {}.", fmt::join(key.words, ", "));
  if (!key.doc.source.empty()) text += fmt::format(" Default: {}.", key.doc.source);
  return text;
}

/// Writes keys as aligned lines (key, type, default, range, help), those of a group or choice below it.
class Page {
 public:
  void keys(const std::vector<OutlineKey>& keys, std::size_t indent) {
    std::array<std::size_t, 4> widths{};
    for (const OutlineKey& key : keys) {
      const auto cells = cells_of(key);
      for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
    }
    for (const OutlineKey& key : keys) {
      std::string line(indent, ' ');
      const auto cells = cells_of(key);
      for (std::size_t i = 0; i < cells.size(); ++i)
        if (widths[i] > 0) line += fmt::format("{:{}}  ", cells[i], widths[i]);
      const std::size_t column = line.size();
      line += wrapped(help_text(key), column);
      line.erase(line.find_last_not_of(' ') + 1);
      text_ += line + '\n';
      sections(key, indent + 2);
    }
  }

  void sections(const OutlineKey& key, std::size_t indent) {
    for (const OutlineSection& section : key.sections) this->section(key, section, indent);
  }

  void section(const OutlineKey& key, const OutlineSection& section, std::size_t indent) {
    if (!key.selector.empty()) {
      text_ += fmt::format("{:{}}{}: {}\n", "", indent, key.selector, section.row);
      indent += 4;
      if (!section.summary.empty())
        text_ += fmt::format("{:{}}{}\n", "", indent, wrapped(section.summary, indent));
    }
    if (section.recursive) text_ += fmt::format("{:{}}(keys as above)\n", "", indent);
    keys(section.keys, indent);
  }

  std::string take() { return std::move(text_); }

 private:
  static std::array<std::string, 4> cells_of(const OutlineKey& key) {
    return {key.doc.key, type_text(key), default_text(key), range_text(key.doc)};
  }
  std::string text_;
};

/// What a path has led to: keys that may follow, and how to print the place itself.
struct Place {
  std::vector<const OutlineKey*> keys;                                    // where a step may go next
  std::vector<std::pair<const OutlineKey*, const OutlineSection*>> rows;  // or these rows of a choice
  const OutlineKey* key = nullptr;
  const OutlineSection* row = nullptr;  // set when a row was named
};

void enter(Place& place, const OutlineSection& section) {
  for (const OutlineKey& key : section.keys) place.keys.push_back(&key);
}

Place at_key(const OutlineKey& key) {
  Place place;
  place.key = &key;
  for (const OutlineSection& section : key.sections) {
    if (!key.selector.empty()) place.rows.emplace_back(&key, &section);
    enter(place, section);
  }
  return place;
}

Place follow(const Place& place, const std::string& word, std::string_view path) {
  for (const auto& [key, section] : place.rows) {
    if (section->row != word) continue;
    Place next;
    next.key = key;
    next.row = section;
    enter(next, *section);
    return next;
  }
  for (const OutlineKey* key : place.keys)
    if (key->doc.key == word) return at_key(*key);
  std::vector<std::string_view> words;
  for (const auto& [key, section] : place.rows) words.push_back(section->row);
  for (const OutlineKey* key : place.keys)
    if (std::find(words.begin(), words.end(), key->doc.key) == words.end()) words.push_back(key->doc.key);
  throw BadValue(std::string(path),
                 words.empty() ? fmt::format("{} has no keys below it", quote(place.key->doc.key))
                               : fmt::format("there is no {}{}", quote(word), did_you_mean(word, words)));
}

}  // namespace

std::string explain_config(Configurable& target, std::string_view path) {
  const std::vector<OutlineKey> root = outline_of(target);
  const auto steps = parse_path(path);
  if (!steps) throw BadValue(std::string(path), "a path is written `key.key`");
  Place place;
  for (const OutlineKey& key : root) place.keys.push_back(&key);
  for (const PathStep& step : *steps)
    if (!step.key.empty()) place = follow(place, step.key, path);

  Page page;
  if (place.key == nullptr)
    page.keys(root, 0);
  else if (place.row != nullptr)
    page.section(*place.key, *place.row, 0);
  else
    page.keys({*place.key}, 0);
  return page.take();
}

}  // namespace weft
