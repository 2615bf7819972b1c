// Writing JSON.
#pragma once

#include <string>
#include <string_view>

#include "sim/recorder.h"

namespace weft {

/// A JSON string literal. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);
/// A JSON value; a number that is not finite becomes null.
std::string json_value(const Value& value);
/// An array of objects, one a row, keyed by column name.
std::string json_table(const Table& table);

}  // namespace weft
