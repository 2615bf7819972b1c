// Writing a whole file.
#pragma once

#include <filesystem>
#include <string>

namespace weft {

/// Writes `content` beside `path` and moves it over, so that nobody ever sees half a file under its name,
/// whatever ends the program. What is no regular file (a device, a pipe, a link) is written as it is.
/// @throws BadValue naming the file and the reason
void write_file(const std::filesystem::path& path, const std::string& content);

}  // namespace weft
