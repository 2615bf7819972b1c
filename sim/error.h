// The three kinds of failure (design: engine): the user's, ours, and what the results must mention.
//
//   ConfigError  the user's input is wrong: located, explained, with the nearest valid word; up to 20.
//   invariant_failed()  a bug of ours: aborts with time, entity and event. Never sees user input.
//   Warnings     recorded in the results, never fatal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// A place in a text the user gave. `line` and `column` count from 1; 0 means unknown. `text` is that whole
/// line, kept so that the message can show it under a caret; empty when there is none to show.
struct Location {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text;
};

/// One finding about the user's input.
struct Diagnostic {
  Location where;
  std::string message;  // one sentence, no full stop needed: "unknown key `hostz`; did you mean `hosts`?"
};

/// "file:line:column: error: message", then the line and a caret where the location is known.
/// Control characters of the user's line are shown as spaces; very long lines are cut around the caret.
std::string to_text(const Diagnostic& diagnostic);

/// `text` between backticks, cut when it is long: how messages quote what the user wrote.
std::string quote(std::string_view text);

/// `text` in one line that no terminal acts on: control characters become spaces, what is no UTF-8 question
/// marks.
std::string printable(std::string_view text);

/// The user's input cannot be used. what() is every diagnostic, rendered, one after the other.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(Diagnostic diagnostic);
  explicit ConfigError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Collects findings while a file is read, so that the user sees up to `limit` of them at once.
class Diagnostics {
 public:
  explicit Diagnostics(std::size_t limit = 20) : limit_(limit) {}
  /// Keeps the finding; throws ConfigError with all of them once the limit is reached.
  void add(Location where, std::string message);
  bool empty() const { return found_.empty(); }
  /// Throws ConfigError when anything was found.
  void check() const;

 private:
  std::size_t limit_;
  std::vector<Diagnostic> found_;
};

/// A value of a config struct that only its user can judge (a topology builder, a routing engine). `key` is
/// relative to that struct ("hosts", "links[2].rate"); the scenario loader turns it into a located
/// ConfigError.
struct BadValue : std::runtime_error {
  BadValue(std::string key_, const std::string& message)
      : std::runtime_error(message), key(std::move(key_)) {}
  std::string key;
};

/// Aborts: something the code promises does not hold. `what` names the promise, `context` the time, entity
/// and event.
[[noreturn]] void invariant_failed(std::string_view what, std::string_view context);

}  // namespace weft
