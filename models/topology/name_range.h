// Names written in ranges: `leaf{0..3}` is leaf0, leaf1, leaf2, leaf3.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Every name the text stands for, the last range running fastest; a leading zero fixes the width
/// (`h{00..15}`). Text without braces is itself. @throws BadValue naming `key`: an unclosed or empty range,
/// or more than 1,000,000
std::vector<std::string> expand_ranges(std::string_view text, const std::string& key);

}  // namespace weft
