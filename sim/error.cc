#include "sim/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sim/utf8.h"

namespace weft {

namespace {

constexpr std::size_t kWidest = 100;  // characters of the user's line that are shown
constexpr std::string_view kCut = "...";

/// A line as the signs a terminal shows: a control character becomes a space, a damaged encoding a question
/// mark.
struct Cells {
  std::vector<std::string> signs;
  std::size_t caret = 0;  // index of the sign under which the caret stands
};

Cells cells_of(std::string_view line, std::size_t column) {
  Cells cells;
  for (std::size_t i = 0; i < line.size();) {
    if (i + 1 <= column) cells.caret = cells.signs.size();
    const auto lead = static_cast<unsigned char>(line[i]);
    const std::size_t length = utf8_length(line.substr(i, 4));
    const bool c1_control = length == 2 && lead == 0xC2 && static_cast<unsigned char>(line[i + 1]) < 0xA0;
    if (length == 0)
      cells.signs.emplace_back("?");
    else if (lead < 0x20 || lead == 0x7F || c1_control)
      cells.signs.emplace_back(" ");
    else
      cells.signs.emplace_back(line.substr(i, length));
    i += std::max<std::size_t>(1, length);
  }
  if (column > line.size()) cells.caret = cells.signs.size();
  return cells;
}

/// Only the bytes near the column can be shown: a line of gigabytes is not split whole.
void narrow(std::string_view& line, std::size_t& column, bool& cut_left, bool& cut_right) {
  constexpr std::size_t kBytes = 4 * kWidest;
  column = std::min(column, line.size() + 1);
  const std::size_t begin = column > kBytes ? column - kBytes : 0;
  cut_left = begin > 0;
  cut_right = line.size() - begin > 2 * kBytes;
  line = line.substr(begin, 2 * kBytes);
  column -= begin;
}

std::string excerpt(std::string_view line, std::size_t column) {
  bool cut_left = false, cut_right = false;
  narrow(line, column, cut_left, cut_right);
  const Cells cells = cells_of(line, column);
  std::size_t begin = 0, end = cells.signs.size();
  if (end > kWidest) {
    begin = std::min(cells.caret > kWidest / 2 ? cells.caret - kWidest / 2 : 0, end - kWidest);
    cut_left = cut_left || begin > 0;
    cut_right = cut_right || begin + kWidest < end;
    end = begin + kWidest;
  }
  std::string shown = cut_left ? std::string(kCut) : std::string();
  std::size_t caret = shown.size() + cells.caret - begin;
  for (std::size_t i = begin; i < end; ++i) shown += cells.signs[i];
  if (cut_right) shown += kCut;
  return fmt::format("\n  {}\n  {}^", shown, std::string(caret, ' '));
}

std::string render(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_text(diagnostic);
  }
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (const std::string& sign : cells_of(text, 0).signs) result += sign;
  return result;
}

std::string to_text(const Diagnostic& diagnostic) {
  const Location& where = diagnostic.where;
  std::string text = printable(where.file);  // an argument is quoted whole, a message quotes the user's text
  if (where.line > 0) text += fmt::format(":{}", where.line);
  if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
  if (!text.empty()) text += ": ";
  text += "error: " + printable(diagnostic.message);
  if (where.line > 0 && where.column > 0 && !where.text.empty()) text += excerpt(where.text, where.column);
  return text;
}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return fmt::format("`{}`", text);
  std::size_t end = kLongest - kCut.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return fmt::format("`{}{}`", text.substr(0, end), kCut);
}

ConfigError::ConfigError(Diagnostic diagnostic)
    : ConfigError(std::vector<Diagnostic>{std::move(diagnostic)}) {}

ConfigError::ConfigError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(render(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::add(Location where, std::string message) {
  found_.push_back({std::move(where), std::move(message)});
  if (found_.size() >= limit_) check();
}

void Diagnostics::check() const {
  if (!found_.empty()) throw ConfigError(found_);
}

void invariant_failed(std::string_view what, std::string_view context) {
  fmt::print(stderr, "weft: internal error: {} ({})\nThis is a bug in Weft, not in your input.\n", what,
             context);
  std::abort();
}

}  // namespace weft
