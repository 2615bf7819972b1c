#include "tools/write_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

/// 0 or the errno of what failed.
int write_to(const fs::path& path, const std::string& content) {
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  int error = std::fwrite(content.data(), 1, content.size(), file) == content.size() ? 0 : errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

void write_file(const fs::path& path, const std::string& content) {
  std::error_code ignored;
  const fs::file_type type = fs::symlink_status(path, ignored).type();
  const bool in_place = type != fs::file_type::not_found && type != fs::file_type::regular;
  const fs::path target = in_place ? path : fs::path(fmt::format("{}.part{}", path.string(), ::getpid()));
  int error = write_to(target, content);
  if (error == 0 && !in_place && std::rename(target.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (!in_place) fs::remove(target, ignored);
  throw BadValue("out", fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

}  // namespace weft
