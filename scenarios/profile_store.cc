#include "scenarios/profile_store.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "sim/error.h"
#include "sim/suggest.h"

namespace weft {
namespace fs = std::filesystem;

ProfileStore::ProfileStore(const std::string& scenario_folder) {
  if (!scenario_folder.empty()) folders_.push_back(scenario_folder + "/profiles");
  if (const char* folder = std::getenv("WEFT_PROFILES")) folders_.emplace_back(folder);
  // Beside the program: build/release/weft in a checkout, or bin/weft of an installation.
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  for (fs::path up = program.parent_path(); up.has_relative_path(); up = up.parent_path()) {
    folders_.push_back((up / "scenarios/profiles").string());
    folders_.push_back((up / "share/weft/profiles").string());
  }
}

Document ProfileStore::load(std::string_view kind, const std::string& name) const {
  const bool plain = !name.empty() && name.find('/') == std::string::npos && name.front() != '.';
  for (const std::string& folder : folders_) {
    const std::string path = fmt::format("{}/{}/{}.yaml", folder, kind, name);
    std::error_code ignored;
    if (plain && fs::is_regular_file(path, ignored)) return Document::load(path);
  }
  const std::vector<std::string> known = names(kind);
  if (known.empty())
    throw BadValue("", fmt::format("there is no {} profile `{}`: no profile folder was found (looked in {})",
                                   kind, name, folders_.empty() ? "none" : folders_.front()));
  const std::vector<std::string_view> words(known.begin(), known.end());
  throw BadValue("", fmt::format("there is no {} profile `{}`{}", kind, name, did_you_mean(name, words)));
}

std::vector<std::string> ProfileStore::names(std::string_view kind) const {
  std::set<std::string> found;
  for (const std::string& folder : folders_) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fmt::format("{}/{}", folder, kind), ignored))
      if (entry.path().extension() == ".yaml") found.insert(entry.path().stem().string());
  }
  return {found.begin(), found.end()};
}

}  // namespace weft
