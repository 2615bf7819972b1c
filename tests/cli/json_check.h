// Is this JSON? A strict reader of RFC 8259 that keeps nothing but the keys of the outermost object.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace weft {

class JsonCheck {
 public:
  /// Reads one value and asserts nothing but white space follows it.
  explicit JsonCheck(std::string_view text) : rest_(text) { valid_ = value(0) && (skip(), rest_.empty()); }
  bool valid() const { return valid_; }
  /// Keys of the outermost object.
  const std::set<std::string>& keys() const { return keys_; }

 private:
  void skip() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_[0]) != std::string_view::npos)
      rest_.remove_prefix(1);
  }
  bool take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool digits() {
    const std::size_t n = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(n);
    return n > 0;
  }
  bool number() {
    take("-");
    if (!take("0") && !digits()) return false;
    if (take(".") && !digits()) return false;
    if (take("e") || take("E")) return (take("+") || take("-"), digits());
    return true;
  }
  bool text(std::string& out) {
    if (!take("\"")) return false;
    while (!rest_.empty() && rest_[0] != '"') {
      if (static_cast<unsigned char>(rest_[0]) < 0x20) return false;
      if (rest_[0] == '\\') {
        rest_.remove_prefix(1);
        if (rest_.empty() || std::string_view("\"\\/bfnrtu").find(rest_[0]) == std::string_view::npos)
          return false;
        if (rest_[0] == 'u')
          for (int i = 1; i <= 4; ++i)
            if (rest_.size() <= 4 ||
                std::isxdigit(static_cast<unsigned char>(rest_[static_cast<std::size_t>(i)])) == 0)
              return false;
      }
      out += rest_[0];
      rest_.remove_prefix(1);
    }
    return take("\"");
  }
  bool members(int depth) {
    skip();
    if (take("}")) return true;
    do {
      skip();
      std::string key;
      if (!text(key)) return false;
      if (depth == 0 && !keys_.insert(key).second) return false;  // a key twice
      skip();
      if (!take(":") || !value(depth + 1)) return false;
      skip();
    } while (take(","));
    return take("}");
  }
  bool elements(int depth) {
    skip();
    if (take("]")) return true;
    do {
      if (!value(depth + 1)) return false;
      skip();
    } while (take(","));
    return take("]");
  }
  bool value(int depth) {
    skip();
    std::string ignored;
    if (rest_.empty()) return false;
    if (take("{")) return members(depth);
    if (take("[")) return elements(depth);
    if (rest_[0] == '"') return text(ignored);
    return take("true") || take("false") || take("null") || number();
  }

  std::string_view rest_;
  std::set<std::string> keys_;
  bool valid_ = false;
};

}  // namespace weft
