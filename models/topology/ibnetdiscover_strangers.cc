// Lines that are no part of an ibnetdiscover dump: told apart into harmless company and the wrong file.
#include <algorithm>
#include <array>

#include "models/topology/ibnetdiscover_lines.h"
#include "models/topology/ports_report.h"

namespace weft {

namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string foreign_format(std::string_view line) {
  if (is_ports_line(line))
    return "this is a line of a ports report (ibnetdiscover -p), in the midst of something else; give the "
           "report in a file of its own";
  for (const std::string_view kind : {"Ca", "Switch", "Router"}) {
    if (!line.starts_with(kind)) continue;
    std::string_view rest = line.substr(kind.size());
    while (!rest.empty() && blank(rest[0])) rest.remove_prefix(1);
    if (rest.starts_with(": 0x") && rest.find(" ports ") != std::string_view::npos)
      return "this is a list of nodes (ibnetdiscover -l, ibhosts, ibswitches), which has no links; run "
             "ibnetdiscover "
             "without -l";
    if (rest.starts_with(":")) return "this is iblinkinfo output; run ibnetdiscover for the topology";
  }
  if (line.starts_with("CA:")) return "this is iblinkinfo output; run ibnetdiscover for the topology";
  if (line.starts_with("{ CA") || line.starts_with("{ SW"))
    return "this is OpenSM's opensm-subnet.lst; run ibnetdiscover for the topology";
  if (line.starts_with("Unicast lids"))
    return "this is a dump of forwarding tables (dump_lfts, ibroute), which goes under `routing`, not here";
  if (line.starts_with("<")) return "this is XML or HTML, not ibnetdiscover output";
  if (line.starts_with("{") || line.starts_with("---"))
    return "this is JSON or YAML, not ibnetdiscover output";
  return {};
}

bool is_noise(std::string_view line) {
  constexpr std::array<std::string_view, 14> starts{
      "ibwarn:", "ibpanic:", "ibdebug:", "iberror:", "ibnetdiscover:",
      "src/",    "mad_rpc",  "umad",     "WARN",     "warning:",
      "-W-",     "-I-",      "-E-",      "do "};
  if (std::ranges::any_of(starts, [line](std::string_view start) { return line.starts_with(start); }))
    return true;
  // A shell prompt with the command that printed the rest.
  const std::size_t command = line.find("ibnetdiscover");
  return command != std::string_view::npos &&
         line.substr(0, command).find_first_of("$#>%") != std::string_view::npos;
}

}  // namespace weft
