#include "sim/outline.h"

#include <algorithm>
#include <typeindex>
#include <utility>

namespace weft {

namespace {

class Outliner : public Describe {
 public:
  explicit Outliner(std::vector<std::type_index>& open) : open_(open) {}

  /// A struct that holds its own kind (a mix of patterns) is described once.
  OutlineSection section(Configurable& object) {
    OutlineSection section;
    const std::type_index type(typeid(object));
    section.recursive = std::find(open_.begin(), open_.end(), type) != open_.end();
    if (section.recursive) return section;
    open_.push_back(type);
    Outliner inner(open_);
    object.describe(inner);
    open_.pop_back();
    section.keys = std::move(inner.keys_);
    return section;
  }

 protected:
  void on_scalar(const FieldDoc& doc, const Scalar& scalar) override {
    OutlineKey& key = add(OutlineKey::Kind::scalar, doc, scalar);
    if (!doc.required) key.default_text = scalar.format();
  }

  void on_list(const FieldDoc& doc, const ScalarList& list) override {
    OutlineKey& key = add(OutlineKey::Kind::list, doc, list.like);
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i)
      text += (i > 0 ? ", " : "") + list.at(i).format().value_or("null");
    key.default_text = "[" + text + "]";
  }

  void on_objects(const FieldDoc& doc, const Objects& objects) override {
    OutlineKey key;
    key.kind = objects.shape == Objects::Shape::many ? OutlineKey::Kind::objects : OutlineKey::Kind::object;
    key.doc = doc;
    key.optional = objects.shape == Objects::Shape::maybe && !doc.required;
    key.selector = objects.selector;
    const std::size_t sections = objects.selector.empty() ? 1 : objects.rows.size();
    for (std::size_t row = 0; row < sections; ++row)
      objects.sample(row, [&](Configurable& object) { key.sections.push_back(section(object)); });
    for (std::size_t row = 0; row < objects.rows.size(); ++row) {
      key.sections[row].row = objects.rows[row].name;
      key.sections[row].summary = objects.rows[row].summary;
    }
    keys_.push_back(std::move(key));
  }

 private:
  OutlineKey& add(OutlineKey::Kind kind, const FieldDoc& doc, const Scalar& scalar) {
    OutlineKey& key = keys_.emplace_back();
    key.kind = kind;
    key.doc = doc;
    key.type = scalar.type_name;
    key.words.assign(scalar.words.begin(), scalar.words.end());
    key.optional = scalar.optional;
    return key;
  }

  std::vector<std::type_index>& open_;
  std::vector<OutlineKey> keys_;
};

}  // namespace

std::vector<OutlineKey> outline_of(Configurable& target) {
  std::vector<std::type_index> open;
  return Outliner(open).section(target).keys;
}

}  // namespace weft
