#include "models/topology/ibsim_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/topology/ibnetdiscover_writer.h"

namespace weft {

namespace {

constexpr Generation kFastest = Generation::hdr;
constexpr std::size_t kLongestDescription = 63;

std::string speed(const LinkSpec& link) {
  LinkSpec known = link;
  known.generation = std::min(link.generation, kFastest);
  return speed_text(known);
}

std::string description(std::string_view text) {
  std::string plain(text.substr(0, kLongestDescription));
  for (char& c : plain)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = ' ';
  std::ranges::replace_if(
      plain, [](char c) { return c == '=' || c == '@' || c == '#' || c == '"'; }, '_');
  return plain;
}

template <class Range, class Test>
std::size_t count(const Range& range, Test test) {
  return static_cast<std::size_t>(std::ranges::count_if(range, test));
}

std::string head(const Topology& topology) {
  std::string text = "#\n# Net for ibsim 0.10: written by Weft\n";
  const auto say = [&text](std::size_t n, std::string_view what) {
    if (n > 0) text += fmt::format("# {} {}\n", n, what);
  };
  say(count(topology.cables, [](const Cable& cable) { return cable.link.generation > kFastest; }),
      "links faster than HDR are written as HDR, the fastest that ibsim knows");
  say(count(topology.cables, [](const Cable& cable) { return cable.link.rate.has_value(); }),
      "links have a rate of their own, written as their generation's");
  say(count(topology.nodes, [](const Node& node) { return description(node.name) != node.name; }),
      "descriptions are changed or cut");
  std::size_t ports = 0;
  for (const Node& node : topology.nodes) {
    if (node.kind == NodeKind::switch_) continue;
    for (std::size_t p = 0; p < node.ports.size(); ++p)
      ports += node.ports[p].guid != 0 && node.ports[p].guid != node.guid + p + 1;
  }
  say(ports, "adapter ports get another GUID: the node's plus the port number");
  return text + "#\n";
}

}  // namespace

std::string write_ibsim(const Topology& topology) {
  DumpStyle style;
  style.head = head(topology);
  style.adapters_first = true;
  style.speed = speed;
  style.description = description;
  return write_dump(topology, style);
}

}  // namespace weft
