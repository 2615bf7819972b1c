// What is done with a Document (sim/document.h) and a Configurable (sim/schema.h): fill one from the other,
// write it out again, explain it.
#pragma once

#include <string>
#include <string_view>

#include "sim/document.h"
#include "sim/error.h"
#include "sim/schema.h"

namespace weft {

/// Fills `target` from `document`. Unknown, mistyped, wrong-dimension, out-of-range and missing keys are
/// collected. A key that may be absent is made so by `null`. @throws ConfigError with up to 20 findings, in
/// the file's order
void read_config(const Document& document, Configurable& target);

/// Turns a BadValue thrown for the struct at `path` ("fabric.topology"; "" = the root) into the located
/// ConfigError.
ConfigError located(const BadValue& error, const Document& document, std::string_view path);

/// Every key of `target` with its present value, as YAML that reads back to the same struct; each line says
/// in a comment where the value came from: "line N of FILE", "--set", or the default's source. `document` is
/// what `target` was read from.
std::string dump_config(const Document& document, Configurable& target);

/// The reference: every key of `target` or of the sub-path `path` ("fabric.topology",
/// "fabric.topology.fat_tree", "fabric.topology.hosts"), with type, default, range, help; for a choice, its
/// rows and their own keys.
/// @throws BadValue when there is no such path (with a suggestion)
std::string explain_config(Configurable& target, std::string_view path);

/// JSON Schema (draft 2020-12) of `target`, for editors.
std::string json_schema(Configurable& target, std::string_view title);

}  // namespace weft
