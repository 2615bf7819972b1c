// What the commands share of reading a command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace weft {

/// Parses `arguments`; what is no option fills `positional` names in turn ("scenario", "lft").
/// @throws UsageError / boost::program_options::error
boost::program_options::variables_map parse_options(
    const std::vector<std::string>& arguments, const boost::program_options::options_description& options,
    const std::vector<std::string>& positional);

/// The whole number given to an option. @throws UsageError for a sign, anything else, or a number out of
/// range
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t minimum,
                           std::uint64_t maximum);

}  // namespace weft
