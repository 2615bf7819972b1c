#include "tools/terminal.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {
namespace {

std::string cell(const Value& value, const TableColumn& column) {
  if (const auto* number = std::get_if<double>(&value))
    return fmt::format("{:.{}f}", *number, column.decimals);
  return printable(to_text(value));
}

/// Columns on the screen: bytes of UTF-8 less its continuation bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return right ? blanks + text : text + blanks;
}

std::string duration_text(double seconds) {
  const auto s = static_cast<long>(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

std::string terminal_table(const Table& table) {
  // A table of parts gets wide; columns that are zero in every row say nothing on a terminal. Files keep
  // them.
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const bool numbers =
        !table.rows.empty() && std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
          const auto* x = std::get_if<double>(&row[c]);
          return x != nullptr && *x == 0;
        });
    if (!numbers) shown.push_back(c);
  }
  std::vector<std::string> heads;
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (const std::size_t c : shown) {
    const TableColumn& column = table.columns[c];
    heads.push_back(column.unit.empty() ? column.name : fmt::format("{}[{}]", column.name, column.unit));
    widths.push_back(heads.back().size());
    right.push_back(std::none_of(table.rows.begin(), table.rows.end(),
                                 [c](const auto& row) { return std::holds_alternative<Text>(row[c]); }));
  }
  std::vector<std::vector<std::string>> lines;
  for (const auto& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (std::size_t i = 0; i < shown.size(); ++i) {
      line.push_back(cell(row[shown[i]], table.columns[shown[i]]));
      widths[i] = std::max(widths[i], width_of(line.back()));
    }
  }
  std::string out = table.title + "\n";
  const auto add = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) text += "  " + padded(cells[i], widths[i], right[i]);
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  add(heads);
  for (const auto& line : lines) add(line);
  return out;
}

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet && isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const RunStatus& status) {
  if (!enabled_) return;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (elapsed < 1) return;
  std::string eta;
  if (status.share_done > 0.001)
    eta = fmt::format(", {:.0f} % done, {} left", 100 * status.share_done,
                      duration_text(elapsed * (1 - status.share_done) / status.share_done));
  fmt::print(stderr, "\r\033[K{} simulated, {:.1f} M packet-hops{}", to_text(Time{status.now}),
             static_cast<double>(status.data_hops) / 1e6, eta);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace weft
