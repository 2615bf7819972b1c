// A text as a JSON string.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// A JSON string literal. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace weft
