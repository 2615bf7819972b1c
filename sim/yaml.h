// Text -> tree.
#pragma once

#include <cstdint>

#include "sim/document.h"
#include "sim/text_file.h"

namespace weft {

/// Reads one YAML document; an empty one is a null node. Marks carry `source`, and no line where the text is
/// the value of a command-line `argument`. @throws ConfigError located: not YAML, duplicate keys, tags,
/// several documents, control characters, tabs as indentation, too deep or too large
Document::Node read_yaml(const TextFile& text, std::uint32_t source, bool argument);

}  // namespace weft
