// Device profiles by name: `switch/qm9700` is the file switch/qm9700.yaml in the first profile folder that
// has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/document.h"

namespace weft {

class ProfileStore {
 public:
  /// `scenario_folder`/profiles first, then $WEFT_PROFILES, then the folders of the installation.
  explicit ProfileStore(const std::string& scenario_folder);

  /// @param kind "switch", "hca", "cable" or "link"
  /// @throws BadValue("") with the nearest name when there is none; ConfigError when the file is wrong
  Document load(std::string_view kind, const std::string& name) const;
  /// Every profile of a kind, sorted, without duplicates.
  std::vector<std::string> names(std::string_view kind) const;

 private:
  std::vector<std::string> folders_;
};

}  // namespace weft
