#include "sim/json_text.h"

#include <fmt/format.h>

#include "sim/utf8.h"

namespace weft {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t n = utf8_length(text);
    if (c == '"' || c == '\\')
      out += std::string{'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else if (n == 0)
      out += "\\ufffd";
    else
      out += text.substr(0, n);
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return out + '"';
}

}  // namespace weft
