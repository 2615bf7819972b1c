// dump_config: the resolved struct as YAML, each line with the origin of its value.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config.h"

namespace weft {

namespace {

using Node = Document::Node;
using Kind = Node::Kind;

bool is_word_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
}

/// The text as a YAML scalar, quoted where plain it would be read as something else.
std::string yaml_text(std::string_view text) {
  const bool plain = !text.empty() && is_word_char(text.front()) && text.back() != ' ' &&
                     std::all_of(text.begin(), text.end(), [](char c) {
                       return is_word_char(c) || c == '.' || c == '-' || c == '+' || c == '%' || c == ' ';
                     });
  if (plain && text != "null" && text != "Null" && text != "NULL") return std::string(text);
  std::string quoted_text = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted_text += '\\';
    if (byte < 0x20 || byte == 0x7F)
      quoted_text += fmt::format("\\x{:02x}", byte);
    else
      quoted_text += c;
  }
  return quoted_text + '"';
}

std::string yaml_text(const std::optional<std::string>& text) {
  return text ? yaml_text(std::string_view(*text)) : "null";
}

/// Lines of YAML with their comments, which are aligned at the end.
class Lines {
 public:
  void add(std::size_t indent, std::string_view text, std::string_view comment) {
    std::string line(indent, ' ');
    if (dash_) line.replace(line.size() - 2, 2, "- ");
    dash_ = false;
    lines_.emplace_back(line.append(text), printable(comment));
  }
  /// The next line begins a list's entry.
  void begin_entry() { dash_ = true; }
  bool entry_is_empty() const { return dash_; }
  std::size_t count() const { return lines_.size(); }
  std::string text() const {
    constexpr std::size_t kWidest = 50;  // longer lines do not push the others' comments out
    std::size_t width = 0;
    for (const auto& [line, comment] : lines_)
      if (line.size() <= kWidest) width = std::max(width, line.size());
    std::string text;
    for (const auto& [line, comment] : lines_)
      text += comment.empty() ? line + "\n" : fmt::format("{:{}}  # {}\n", line, width, comment);
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
  bool dash_ = false;
};

class Dumper : public Describe {
 public:
  Dumper(const Document& document, const Node* mapping, Lines& lines, std::size_t indent)
      : document_(document), mapping_(mapping), lines_(lines), indent_(indent) {}

 protected:
  void on_scalar(const FieldDoc& doc, const Scalar& scalar) override {
    lines_.add(indent_, fmt::format("{}: {}", doc.key, yaml_text(scalar.format())), origin(doc));
  }

  void on_list(const FieldDoc& doc, const ScalarList& list) override {
    std::string items;
    for (std::size_t i = 0; i < list.size(); ++i)
      items += (i > 0 ? ", " : "") + yaml_text(list.at(i).format());
    lines_.add(indent_, fmt::format("{}: [{}]", doc.key, items), origin(doc));
  }

  void on_objects(const FieldDoc& doc, const Objects& objects) override {
    const Node* node = mapping_ ? mapping_->find(doc.key) : nullptr;
    const std::size_t size = objects.size();
    if (objects.shape == Objects::Shape::many) {
      lines_.add(indent_, doc.key + (size == 0 ? ": []" : ":"), origin(doc));
      for (std::size_t i = 0; i < size; ++i) {
        lines_.begin_entry();
        object(objects, i, node && i < node->items.size() ? &node->items[i] : nullptr, indent_ + 4);
        if (lines_.entry_is_empty()) lines_.add(indent_ + 4, "{}", {});
      }
    } else if (size == 0) {
      lines_.add(indent_, doc.key + ": null", origin(doc));
    } else {
      lines_.add(indent_, doc.key + ":", node ? "" : origin(doc));
      if (!object(objects, 0, node, indent_ + 2)) lines_.add(indent_ + 2, "{}", {});
    }
  }

 private:
  /// Whether it wrote anything.
  bool object(const Objects& objects, std::size_t i, const Node* node, std::size_t indent) {
    const std::size_t before = lines_.count();
    const Node* mapping = node && node->kind == Kind::mapping ? node : nullptr;
    if (!objects.selector.empty()) {
      const Node* name = mapping ? mapping->find(objects.selector) : node;
      // The file's word says more than the object's type, which several rows may share.
      const std::size_t row_of = name ? 0 : objects.row_of(i);
      if (row_of == Objects::kNoRow)
        invariant_failed("a choice's object comes from its table", objects.selector);
      const std::string row = name ? name->scalar : std::string(objects.rows[row_of].name);
      lines_.add(indent, fmt::format("{}: {}", objects.selector, yaml_text(std::string_view(row))),
                 name ? document_.origin(name->where) : "default");
    }
    Dumper inner(document_, mapping, lines_, indent);
    objects.at(i).describe(inner);
    return lines_.count() > before;
  }

  std::string origin(const FieldDoc& doc) const {
    if (const Node* node = mapping_ ? mapping_->find(doc.key) : nullptr) return document_.origin(node->where);
    return doc.source.empty() ? "default" : "default: " + doc.source;
  }

  const Document& document_;
  const Node* mapping_;  // what the file says of this object; null: nothing
  Lines& lines_;
  std::size_t indent_;
};

}  // namespace

std::string dump_config(const Document& document, Configurable& target) {
  Lines lines;
  Dumper dumper(document, &document.root(), lines, 0);
  target.describe(dumper);
  return lines.text();
}

}  // namespace weft
