// What a Configurable says of itself, as a tree: the reference and the JSON Schema are written from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/schema.h"

namespace weft {

struct OutlineKey;

/// The keys of one mapping: of a group, or of one row of a choice.
struct OutlineSection {
  std::string row, summary;  // empty for a group
  std::vector<OutlineKey> keys;
  bool recursive = false;  // its struct is being described already: `keys` is left empty
};

/// One key.
struct OutlineKey {
  enum class Kind { scalar, list, object, objects } kind = Kind::scalar;
  FieldDoc doc;
  std::string type;                         // of a scalar, or of a list's elements
  std::vector<std::string> words;           // its closed set
  bool optional = false;                    // `null` is a value
  std::optional<std::string> default_text;  // of a scalar
  std::string selector;                     // of a choice, else empty
  std::vector<OutlineSection> sections;     // one for a group, one per row for a choice
};

std::vector<OutlineKey> outline_of(Configurable& target);

}  // namespace weft
