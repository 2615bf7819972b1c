// Walks over one line of an ibnetdiscover dump, taking its words, numbers and quoted names apart.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/topology/ibnetdiscover_lines.h"

namespace weft {

/// Each reader skips blanks first, takes what it names, and throws LineError where that does not stand.
class LineScanner {
 public:
  explicit LineScanner(std::string_view line) : line_(line) {}

  bool done() {
    while (at_ < line_.size() && blank(line_[at_])) ++at_;
    return at_ == line_.size();
  }
  char peek() { return done() ? '\0' : line_[at_]; }
  bool next_is(char c) const { return at_ < line_.size() && line_[at_] == c; }  // no blank before it
  std::uint32_t column() const { return static_cast<std::uint32_t>(at_ + 1); }
  std::size_t at() const { return at_; }
  std::string_view since(std::size_t at) const { return line_.substr(at, at_ - at); }
  std::string_view rest() const { return line_.substr(at_); }
  void move_to(std::size_t at) { at_ = at; }
  void skip(std::size_t n) { at_ += n; }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(std::string message) const { throw LineError{column(), std::move(message)}; }

  std::string_view word() {
    done();
    const std::size_t begin = at_;
    while (at_ < line_.size() && !blank(line_[at_])) ++at_;
    return line_.substr(begin, at_ - begin);
  }

  std::uint64_t number(std::string_view what, std::uint64_t maximum) {
    done();
    std::uint64_t value = 0;
    const char* begin = line_.data() + at_;
    const auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value);
    if (end == begin) fail(fmt::format("{} should be a number", what));
    if (error != std::errc{} || value > maximum) fail(fmt::format("{} is beyond {}", what, maximum));
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::uint64_t hex(std::string_view what) {
    done();
    if (line_.substr(at_).starts_with("0x") || line_.substr(at_).starts_with("0X")) at_ += 2;
    std::uint64_t value = 0;
    const char* begin = line_.data() + at_;
    const auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value, 16);
    if (end == begin) fail(fmt::format("{} should be hexadecimal digits", what));
    if (error != std::errc{}) fail(fmt::format("{} has more than 16 digits", what));
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::string_view quoted(std::string_view what) {
    if (peek() != '"') fail(fmt::format("{} in quotes should stand here", what));
    const std::size_t begin = at_ + 1, end = line_.find('"', begin);
    if (end == std::string_view::npos)
      fail(fmt::format("the line ends inside {} (is the file cut short?)", what));
    at_ = end + 1;
    return line_.substr(begin, end - begin);
  }

  // A description may hold quotes of its own: it ends at the line's last one.
  std::string_view description() {
    const std::size_t begin = at_ + 1, end = line_.rfind('"');
    if (end < begin) fail("the line ends inside a description (is the file cut short?)");
    at_ = end + 1;
    return line_.substr(begin, end - begin);
  }

  void expect(char c, std::string_view what) {
    if (!accept(c)) fail(fmt::format("`{}` should stand here, after {}", c, what));
  }

  unsigned port_number(std::string_view what) {
    expect('[', what);
    const std::size_t number_at = at_;
    const auto value = static_cast<unsigned>(number("a port number", 254));
    if (value == 0) {
      at_ = number_at;
      fail("port numbers count from 1");
    }
    expect(']', "the port number");
    return value;
  }

  // `[ext 3]`
  std::string_view label() {
    if (!next_is('[')) return {};
    const std::size_t end = line_.find(']', at_);
    if (end == std::string_view::npos) fail("the line ends inside a port label (is the file cut short?)");
    std::string_view text = line_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (text.starts_with("ext ")) text.remove_prefix(4);
    return text;
  }

  Lid lid() {
    const std::size_t before = at_;
    const auto value = static_cast<Lid>(number("a LID", 0xffff));
    if (value == 0xffff) return 0;  // the permissive LID: none given yet
    if (value > kLastUnicastLid) {
      at_ = before + 1;
      fail(fmt::format("LID {} is beyond {}, the last unicast LID", value, kLastUnicastLid));
    }
    return value;
  }

  // `(2c90200000541)`, but not `(scp)`
  Guid port_guid() {
    const std::size_t before = at_;
    if (!accept('(')) return 0;
    if (line_.substr(at_).starts_with("scp)")) {
      at_ = before;
      return 0;
    }
    const Guid guid = hex("a port GUID");
    expect(')', "the port GUID");
    return guid;
  }

 private:
  static bool blank(char c) { return c == ' ' || c == '\t'; }

  std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace weft
