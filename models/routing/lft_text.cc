#include "models/routing/lft_text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::string_view kHeading = "Unicast lids [";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Takes `expected` off the front of `text`.
bool skip(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

/// Takes an unsigned number off the front; "0x" makes it hexadecimal. nullopt: none there, or beyond 64 bits.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  const int base = skip(text, "0x") ? 16 : 10;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Lines of the dumps that say nothing: headings of columns, and the tools' own remarks.
bool says_nothing(std::string_view line) {
  return line.empty() || line.starts_with("Lid  Out") || line.starts_with("Port     Info") ||
         line.starts_with("#") || line.starts_with("*** WARNING ***") || line.starts_with("ibwarn:");
}

class Parser {
 public:
  explicit Parser(const TextFile& file) : file_(file) {}

  std::vector<LftTable> parse() {
    for (line_ = 1; line_ <= file_.line_count(); ++line_) {
      const std::string_view text = file_.line(line_);
      const std::string_view bare = without_blanks(text);
      if (says_nothing(bare)) continue;
      if (text.starts_with(kHeading)) {
        heading(text);
      } else if (text.starts_with("0x")) {
        entry(text);
      } else if (bare.ends_with("lids dumped")) {
        count(bare);
      } else {
        foreign(bare);
      }
    }
    if (tables_.empty() && errors_.empty())
      errors_.add({file_.name(), 0, 0, {}}, "holds no forwarding table");
    ends_short();
    errors_.check();
    return std::move(tables_);
  }

 private:
  void fail(std::size_t column, std::string message) {
    errors_.add(file_.at(line_, column), std::move(message));
  }

  static std::size_t column_of(std::string_view whole, std::string_view rest) {
    return whole.size() - rest.size() + 1;
  }

  void heading(std::string_view text) {
    std::string_view rest = text;
    skip(rest, kHeading);
    LftTable table;
    table.line = line_;
    const auto first = take_number(rest);
    const bool dash = skip(rest, "-");
    const auto last = take_number(rest);
    if (!first || !dash || !last || !skip(rest, "]") || *first > *last || *last > 0xffff'ffff) {
      fail(kHeading.size() + 1, "expected a range of LIDs such as `[0-44]` or `[0x0-0x2c]`");
      return start(std::move(table), false);
    }
    table.first = static_cast<Lid>(*first);
    table.last = static_cast<Lid>(*last);
    constexpr std::string_view kGuid = " guid 0x";
    const std::size_t at = rest.find(kGuid);
    if (at == std::string_view::npos) {
      fail(column_of(text, rest), "expected the switch's GUID: `guid 0x...`");
      return start(std::move(table), false);
    }
    rest.remove_prefix(at + kGuid.size() - 2);
    const std::size_t guid_column = column_of(text, rest);
    const auto guid = take_number(rest);
    if (!guid) {
      fail(guid_column, "expected a GUID of up to 16 hexadecimal digits");
      return start(std::move(table), false);
    }
    table.guid = *guid;
    rest = without_blanks(rest);
    if (skip(rest, "(") && rest.ends_with("):")) {
      rest.remove_suffix(2);
      if (rest.size() >= 2 && rest.front() == '\'' && rest.back() == '\'')
        rest = rest.substr(1, rest.size() - 2);
      table.name = std::string(rest);
    }
    start(std::move(table), true);
  }

  void start(LftTable table, bool known) {
    ends_short();
    counted_ = false;
    range_known_ = known;
    tables_.push_back(std::move(table));
  }

  void entry(std::string_view text) {
    std::string_view rest = text;
    LftEntry entry;
    entry.line = line_;
    const auto lid = take_number(rest);
    if (!lid || *lid > 0xffff'ffff) return fail(1, "expected a LID such as `0x0001`");
    entry.lid = static_cast<Lid>(*lid);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const std::size_t port_column = column_of(text, rest);
    const auto port = take_number(rest);
    if (!port || (!rest.empty() && rest.front() != ' ' && rest.front() != '\t')) {
      return fail(port_column, "expected an output port in decimal such as `001`");
    }
    if (*port > 255)
      return fail(port_column, fmt::format("{} is no port: ports are 0 to 254, and 255 for none", *port));
    entry.port = static_cast<std::uint8_t>(*port);
    constexpr std::string_view kPortGuid = "portguid ";
    if (const std::size_t at = rest.find(kPortGuid); at != std::string_view::npos) {
      std::string_view guid = rest.substr(at + kPortGuid.size());
      const std::size_t guid_column = column_of(text, guid);
      const auto value = guid.starts_with("0x") ? take_number(guid) : std::nullopt;
      if (!value) return fail(guid_column, "expected a port GUID of up to 16 hexadecimal digits after `0x`");
      entry.port_guid = *value;
      if (skip(guid, ": '") && guid.rfind('\'') != std::string_view::npos) {
        entry.name = guid.substr(0, guid.rfind('\''));
      }
    }
    if (tables_.empty()) return fail(1, "an entry before the first `Unicast lids ... of switch ...` line");
    LftTable& table = tables_.back();
    if (range_known_ && (entry.lid < table.first || entry.lid > table.last)) {
      return fail(1, fmt::format("LID {} lies outside the range {}-{} of its table (line {})", entry.lid,
                                 table.first, table.last, table.line));
    }
    if (counted_) return fail(1, "an entry after its table's count line");
    hash_form_ = hash_form_ || without_blanks(rest).starts_with("#");
    table.entries.push_back(entry);
  }

  void count(std::string_view text) {
    std::string_view rest = text;
    const auto number = take_number(rest);
    rest = without_blanks(rest);
    const bool valid = rest == "valid lids dumped";
    if (!number || (!valid && rest != "lids dumped"))
      return fail(1, "expected a count line such as `44 lids dumped`");
    if (tables_.empty()) return fail(1, "a count line before the first table");
    if (counted_) return fail(1, "a second count line for one table");
    counted_ = any_counted_ = true;
    const LftTable& table = tables_.back();
    if (*number == table.entries.size() || (!valid && *number == table.last) || !range_known_) return;
    fail(1, fmt::format("the table of {} (line {}) is damaged: {} LIDs announced, {} read", table.name,
                        table.line, *number, table.entries.size()));
  }

  /// A table that has to end with a count line and does not was cut off.
  void ends_short() {
    if (tables_.empty() || counted_ || !(any_counted_ || hash_form_)) return;
    const LftTable& table = tables_.back();
    errors_.add(file_.at(table.line),
                fmt::format("the table of {} is cut off: no count line after its {} entries", table.name,
                            table.entries.size()));
  }

  void foreign(std::string_view bare) {
    if (bare.starts_with("Multicast "))
      return fail(1, "a multicast table; give a dump of the unicast tables");
    if (bare.starts_with("dump_ucast_routes:") || bare.starts_with("osm_ucast_mgr_dump_ucast_routes:")) {
      return fail(1, "this is OpenSM's opensm.fdbs; give the opensm-lfts.dump beside it");
    }
    fail(1, "not a line of a forwarding table dump (opensm-lfts.dump, ibroute, dump_lfts or dump_fts)");
  }

  const TextFile& file_;
  Diagnostics errors_;
  std::vector<LftTable> tables_;
  std::size_t line_ = 0;
  bool counted_ = false;      // the last table has had its count line
  bool any_counted_ = false;  // some table had one, so all must
  bool hash_form_ = false;    // OpenSM's form, which always counts
  bool range_known_ = false;
};

}  // namespace

std::vector<LftTable> parse_lfts(const TextFile& file) { return Parser(file).parse(); }

Location port_location(const TextFile& file, const LftEntry& entry) {
  const std::string_view text = file.line(entry.line);
  const std::size_t gap = text.find_first_of(" \t");
  return file.at(entry.line, text.find_first_not_of(" \t", gap) + 1);
}

}  // namespace weft
