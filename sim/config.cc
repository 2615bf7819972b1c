#include "sim/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/config_path.h"
#include "sim/suggest.h"

namespace weft {

namespace {

using Node = Document::Node;
using Kind = Node::Kind;
using Mark = Document::Mark;

struct Finding {
  Mark where;
  std::string message;
};

constexpr std::size_t kShownFindings = 20;
constexpr std::size_t kMostFindings = 200;  // collected before they are sorted and cut

/// Raised when there is no use in looking further.
struct Enough {};

class Findings {
 public:
  void add(Mark where, std::string message) {
    list_.push_back({where, std::move(message)});
    if (list_.size() >= kMostFindings) throw Enough{};
  }
  void check(const Document& document) {
    if (list_.empty()) return;
    std::stable_sort(list_.begin(), list_.end(),
                     [](const auto& a, const auto& b) { return a.where < b.where; });
    std::vector<Diagnostic> shown;
    for (Finding& finding : list_) {
      if (shown.size() == kShownFindings) break;
      shown.push_back({document.locate(finding.where), std::move(finding.message)});
    }
    throw ConfigError(std::move(shown));
  }

 private:
  std::vector<Finding> list_;
};

std::string found_text(const Node& node) {
  switch (node.kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar:
      return quote(node.scalar);
    case Kind::sequence:
      return "a list";
    case Kind::mapping:
      return "a mapping of keys";
  }
  return {};
}

/// `key:value` is one word in YAML: a key without a value.
bool lacks_blank(const Document::Entry& entry) {
  return entry.value.kind == Kind::null && entry.key.find(':') != std::string::npos;
}

/// Reads one mapping. A mapping that the file does not have is read too, for the keys it must have.
class Reader : public Describe {
 public:
  Reader(Findings& findings, const Node* mapping, Mark where, std::string path)
      : findings_(findings), mapping_(mapping), where_(where), path_(std::move(path)) {}

  void read(Configurable& object, std::string_view selector = {}) {
    if (!selector.empty()) declare(selector);
    object.describe(*this);
    if (mapping_ == nullptr) return;
    std::vector<std::string_view> keys(declared_.begin(), declared_.end());
    for (const Document::Entry& entry : mapping_->entries)
      if (std::find(keys.begin(), keys.end(), entry.key) == keys.end())
        findings_.add(entry.key_where,
                      lacks_blank(entry)
                          ? fmt::format("{} needs a blank after the colon", quote(entry.key))
                          : fmt::format("unknown key {}{}", quote(entry.key), did_you_mean(entry.key, keys)));
  }

 protected:
  void on_scalar(const FieldDoc& doc, const Scalar& scalar) override {
    if (const Node* node = take(doc)) read_scalar(*node, doc, doc.key, scalar);
  }

  void on_list(const FieldDoc& doc, const ScalarList& list) override {
    const Node* node = take(doc);
    if (node == nullptr) return;
    if (node->kind == Kind::null) {
      findings_.add(node->where, fmt::format("`{}` has no value; an empty list is written []", doc.key));
      return;
    }
    list.clear();
    if (node->kind != Kind::sequence) {
      read_scalar(*node, doc, doc.key, list.add());
      return;
    }
    for (std::size_t i = 0; i < node->items.size(); ++i)
      read_scalar(node->items[i], doc, fmt::format("{}[{}]", doc.key, i), list.add());
  }

  void on_objects(const FieldDoc& doc, const Objects& objects) override {
    const Node* node = take(doc);
    const std::string path = join_path(path_, doc.key);
    if (objects.shape == Objects::Shape::many) {
      if (node != nullptr) read_many(*node, doc, objects, path);
    } else if (node == nullptr) {
      if (objects.shape == Objects::Shape::one) Reader(findings_, nullptr, where_, path).read(objects.at(0));
    } else if (node->kind == Kind::null && objects.shape == Objects::Shape::maybe && !doc.required) {
      objects.clear();
    } else {
      objects.clear();
      read_one(*node, doc.key, objects, path);
    }
  }

 private:
  void declare(std::string_view key) {
    if (std::find(declared_.begin(), declared_.end(), key) != declared_.end())
      invariant_failed("a struct describes each key once", key);
    declared_.emplace_back(key);
  }

  /// The value of the key, or null (with a finding where there must be one).
  const Node* take(const FieldDoc& doc) {
    declare(doc.key);
    const Node* node = mapping_ ? mapping_->find(doc.key) : nullptr;
    if (node == nullptr && doc.required)
      findings_.add(where_, fmt::format("missing key `{}`{}", join_path(path_, doc.key),
                                        doc.help.empty() ? "" : ": " + doc.help));
    return node;
  }

  void read_scalar(const Node& node, const FieldDoc& doc, const std::string& key, const Scalar& scalar) {
    if (node.kind == Kind::null && scalar.optional) return scalar.unset();
    if (node.kind == Kind::null) return findings_.add(node.where, fmt::format("`{}` has no value", key));
    if (node.kind != Kind::scalar) {
      findings_.add(node.where,
                    fmt::format("`{}` is one value ({}), not {}", key, scalar.type_name, found_text(node)));
      return;
    }
    try {
      scalar.parse(node.scalar);
    } catch (const UnitError& error) {
      findings_.add(node.where, fmt::format("`{}`: {}{}", key, error.message, bounds_text(doc)));
      return;
    }
    if (compare(scalar, doc.minimum) < 0 || compare(scalar, doc.maximum) > 0)
      findings_.add(node.where,
                    fmt::format("`{}`: {} is out of range{}", key, quote(node.scalar), bounds_text(doc)));
  }

  static int compare(const Scalar& scalar, const std::string& bound) {
    if (bound.empty()) return 0;
    try {
      return scalar.compare(bound);
    } catch (const UnitError& error) {
      invariant_failed("a range is written in its key's type", error.message);
    }
  }

  static std::string bounds_text(const FieldDoc& doc) {
    if (doc.minimum == doc.maximum) return doc.minimum.empty() ? "" : fmt::format(" (only {})", doc.minimum);
    if (doc.maximum.empty()) return fmt::format(" (at least {})", doc.minimum);
    if (doc.minimum.empty()) return fmt::format(" (at most {})", doc.maximum);
    return fmt::format(" ({} to {})", doc.minimum, doc.maximum);
  }

  void read_many(const Node& node, const FieldDoc& doc, const Objects& objects, const std::string& path) {
    if (node.kind != Kind::sequence) {
      findings_.add(node.where, fmt::format("`{}` is a list (each entry starts with `- `), not {}", doc.key,
                                            found_text(node)));
      return;
    }
    if (doc.required && node.items.empty())
      findings_.add(node.where, fmt::format("`{}` is empty; at least one entry is needed", doc.key));
    objects.clear();
    for (std::size_t i = 0; i < node.items.size(); ++i)
      read_one(node.items[i], fmt::format("{}[{}]", doc.key, i), objects, fmt::format("{}[{}]", path, i));
  }

  void read_one(const Node& node, const std::string& key, const Objects& objects, const std::string& path) {
    if (!objects.selector.empty()) return read_choice(node, key, objects, path);
    if (node.kind == Kind::mapping) return Reader(findings_, &node, node.where, path).read(objects.add(0));
    findings_.add(node.where, fmt::format("`{}` is a mapping of keys, not {}", key, found_text(node)));
  }

  void read_choice(const Node& node, const std::string& key, const Objects& objects,
                   const std::string& path) {
    std::vector<std::string_view> names;
    for (const Objects::Row& row : objects.rows) names.push_back(row.name);
    const Node* name = node.kind == Kind::mapping ? node.find(objects.selector) : &node;
    if (name == nullptr) {
      for (const Document::Entry& entry : node.entries)
        if (entry.key.starts_with(objects.selector) && lacks_blank(entry))
          return findings_.add(entry.key_where,
                               fmt::format("{} needs a blank after the colon", quote(entry.key)));
      findings_.add(node.where, fmt::format("missing key `{}`; valid: {}", join_path(path, objects.selector),
                                            fmt::join(names, ", ")));
      return;
    }
    if (name->kind != Kind::scalar) {
      const std::string what = name == &node ? key : std::string(objects.selector);
      findings_.add(name->where, fmt::format("`{}` is one of {}, not {}", what, fmt::join(names, ", "),
                                             found_text(*name)));
      return;
    }
    const auto row = std::find(names.begin(), names.end(), name->scalar);
    if (row == names.end()) {
      findings_.add(name->where, fmt::format("unknown {} {}{}", objects.selector, quote(name->scalar),
                                             did_you_mean(name->scalar, names)));
      return;
    }
    Configurable& object = objects.add(static_cast<std::size_t>(row - names.begin()));
    Reader(findings_, name == &node ? nullptr : &node, node.where, path).read(object, objects.selector);
  }

  Findings& findings_;
  const Node* mapping_;  // null: the file does not have it
  Mark where_;           // of the nearest mapping it has
  std::string path_;
  std::vector<std::string> declared_;
};

}  // namespace

void read_config(const Document& document, Configurable& target) {
  Findings findings;
  try {
    Reader(findings, &document.root(), document.root().where, {}).read(target);
  } catch (const Enough&) {
    // What was found is more than is shown.
  }
  findings.check(document);
}

ConfigError located(const BadValue& error, const Document& document, std::string_view path) {
  const std::string full = join_path(path, error.key);
  const std::string key = full.empty() ? "" : fmt::format("`{}`: ", full);
  return ConfigError(Diagnostic{document.locate(full), key + error.what()});
}

}  // namespace weft
