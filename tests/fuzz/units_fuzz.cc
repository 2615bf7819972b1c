// Quantities as users write them: every text is refused with a message or read to a value whose own text
// reads back to the same value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sim/units.h"

namespace {

template <class T>
void check_round_trip(T (*parse)(std::string_view), std::string_view text) {
  T value;
  try {
    value = parse(text);
  } catch (const weft::UnitError& error) {
    if (error.message.empty()) std::abort();
    return;
  }
  const std::string written = weft::to_text(value);
  try {
    if (parse(written) != value) std::abort();
  } catch (const weft::UnitError&) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_round_trip(&weft::parse_time, text);
  check_round_trip(&weft::parse_bytes, text);
  check_round_trip(&weft::parse_rate, text);
  check_round_trip(&weft::parse_length, text);
  check_round_trip(&weft::parse_ratio, text);
  return 0;
}
