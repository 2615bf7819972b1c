// Text input, plain or gzip: every importer reads through here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"

namespace weft {

/// A text file in memory, split in lines, that can point at any place in itself. CRLF and a UTF-8 byte-order
/// mark are taken off.
class TextFile {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 30;

  /// Reads `path`, unpacking gzip by content (not by name).
  /// @throws ConfigError when it cannot be read, is a folder, a damaged gzip, holds NUL bytes (binary), or is
  ///         longer than `max_bytes` after unpacking
  static TextFile load(const std::string& path, std::size_t max_bytes = kMaxBytes);
  TextFile(std::string name, std::string content);

  const std::string& name() const { return name_; }
  /// A last line without an end counts; the nothing after a last end does not.
  std::size_t line_count() const { return starts_.size(); }
  /// Line n, counted from 1 to line_count(), without its end.
  std::string_view line(std::size_t n) const;
  /// That place, with the line's text; a line that does not exist has none.
  Location at(std::size_t line, std::size_t column = 1) const;
  std::string_view content() const { return content_; }

 private:
  std::string name_;
  std::string content_;
  std::vector<std::size_t> starts_;  // of each line in content_
};

}  // namespace weft
