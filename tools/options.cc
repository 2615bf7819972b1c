#include "tools/options.h"

#include <charconv>

#include <fmt/format.h>

#include "tools/command.h"

namespace weft {
namespace po = boost::program_options;

po::variables_map parse_options(const std::vector<std::string>& arguments,
                                const po::options_description& options,
                                const std::vector<std::string>& positional) {
  po::positional_options_description order;
  for (const std::string& name : positional) order.add(name.c_str(), 1);
  po::variables_map map;
  const auto style = (po::command_line_style::unix_style & ~po::command_line_style::allow_guessing);
  po::store(po::command_line_parser(arguments).options(options).positional(order).style(style).run(), map);
  po::notify(map);
  return map;
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t minimum,
                           std::uint64_t maximum) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < minimum || number > maximum)
    throw UsageError{
        fmt::format("{} takes a whole number from {} to {}, not `{}`", option, minimum, maximum, text)};
  return number;
}

}  // namespace weft
