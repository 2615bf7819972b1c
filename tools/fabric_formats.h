// What `weft fabric convert` writes: one row a format.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/loader.h"

namespace weft {

struct FabricFormat {
  std::string_view name;
  std::string_view summary;  // one line: whose it is, what it holds
  bool of_routes = false;    // it needs them
  std::string (*write)(const Prepared&) = nullptr;
};

/// The table; the first row is the default of `--to`.
std::span<const FabricFormat> fabric_formats();

}  // namespace weft
