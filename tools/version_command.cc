// weft version
#include <fmt/format.h>

#include "tools/command.h"
#include "tools/version.h"

namespace weft {

std::string build_text() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}, {}", __clang_major__, __clang_minor__, __clang_patchlevel__,
                     WEFT_BUILD_TYPE);
#else
  return fmt::format("gcc {}.{}.{}, {}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__, WEFT_BUILD_TYPE);
#endif
}

int version_command(const std::vector<std::string>& arguments) {
  if (!arguments.empty()) throw UsageError{fmt::format("version takes no arguments, not `{}`", arguments[0])};
  fmt::print("weft {} ({})\n", kVersion, build_text());
  return kExitOk;
}

}  // namespace weft
