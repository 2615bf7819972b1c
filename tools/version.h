// What this program is and how it was built.
#pragma once

#include <string>
#include <string_view>

namespace weft {

inline constexpr std::string_view kVersion = WEFT_VERSION;

/// "gcc 12.2.0, Release"
std::string build_text();

}  // namespace weft
