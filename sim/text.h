// A text for rows of which there are very many and whose texts are short or missing: one word where
// std::string takes four.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace weft {

class Text {
 public:
  Text() = default;
  // Implicit, as std::string's own constructors are.
  Text(std::string_view text) {
    if (text.empty()) return;
    const auto size = static_cast<std::uint32_t>(text.size());
    stored_.reset(new char[sizeof size + size]);
    std::memcpy(stored_.get(), &size, sizeof size);
    std::memcpy(stored_.get() + sizeof size, text.data(), size);
  }
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(const char* text) : Text(std::string_view(text)) {}
  Text(const Text& other) : Text(other.view()) {}
  Text(Text&&) = default;
  Text& operator=(const Text& other) { return *this = Text(other); }
  Text& operator=(Text&&) = default;

  std::string_view view() const {
    if (stored_ == nullptr) return {};
    std::uint32_t size;
    std::memcpy(&size, stored_.get(), sizeof size);
    return {stored_.get() + sizeof size, size};
  }
  bool empty() const { return stored_ == nullptr; }
  friend bool operator==(const Text& a, const Text& b) { return a.view() == b.view(); }

 private:
  std::unique_ptr<char[]> stored_;  // its length, then its characters; none for the empty text
};
static_assert(sizeof(Text) == sizeof(void*));

}  // namespace weft
