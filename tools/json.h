// Writing JSON.
#pragma once

#include <string>

#include "sim/json_text.h"
#include "sim/recorder.h"

namespace weft {

/// A JSON value; a number that is not finite becomes null.
std::string json_value(const Value& value);
/// An array of objects, one a row, keyed by column name.
std::string json_table(const Table& table);

}  // namespace weft
