// The keys and files that steer hop_balance.h.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "models/routing/guid_file.h"
#include "models/routing/hop_balance.h"

namespace weft {
namespace {

/// The end a GUID of a routing order means; port 0 for a switch, node kNone where it is no port's.
PortRef end_of(const NamedGuid& named, const Topology& topology) {
  const Node& node = topology.nodes[named.node];
  if (node.kind == NodeKind::switch_ || named.port != 0) return {named.node, named.port};
  for (std::size_t i = 0; i < node.ports.size(); ++i)  // some adapters' first port has the node's own GUID
    if (node.ports[i].guid == named.guid) return {named.node, static_cast<std::uint8_t>(i + 1)};
  return {};
}

/// The port numbers of a search ordering's line. What is wrong goes to `found`.
std::vector<std::uint8_t> ports_of(const GuidLine& line, std::size_t port_count, const TextFile& file,
                                   Diagnostics& found) {
  std::vector<std::uint8_t> ports;
  std::size_t at = 0;
  while (at < line.rest.size()) {
    const std::size_t end = std::min(line.rest.find_first_of(" \t,;", at), line.rest.size());
    const std::string_view word = line.rest.substr(at, end - at);
    unsigned port = 0;
    const auto [behind, error] = std::from_chars(word.data(), word.data() + word.size(), port);
    const bool number = error == std::errc{} && behind == word.data() + word.size();
    const Location where = file.at(line.line, line.column + at);
    if (!number || port == 0 || port > port_count)
      found.add(where,
                fmt::format("{} is no port of this switch, which has 1 to {}", quote(word), port_count));
    else if (std::ranges::find(ports, port) != ports.end())
      found.add(where, fmt::format("port {} stands in this line already", port));
    else
      ports.push_back(static_cast<std::uint8_t>(port));
    at = std::min(line.rest.find_first_not_of(" \t,;", end), line.rest.size());
  }
  return ports;
}

}  // namespace

void BalanceKeys::describe(Describe& d) {
  d.field("guid_routing_order", guid_routing_order_,
          "File of port GUIDs, one a line: these destinations are routed first, in this order (OpenSM's -X). "
          "Left out: by switch, the one with most adapters first.")
      .source("OpenSM 3.3.23");
  d.field(
       "port_search_ordering", port_search_ordering_,
       "File of lines `switch-GUID port port ...`: the order in which a switch's ports are looked at, those "
       "not named after the others (OpenSM's -O). It breaks ties, and is the order of dimensions for dor. "
       "Left out: by port number.")
      .source("OpenSM 3.3.23");
  d.field(
       "scatter_ports", scatter_ports_,
       "Draw among the ports with fewest paths instead of taking the first; the number is the seed and the "
       "draws are OpenSM's (--scatter-ports). 0: no draws.")
      .source("OpenSM 3.3.23");
  d.field("port_shifting", port_shifting_,
          "Turn the list of ports from one destination to the next, so that the tables of switches do not "
          "line up (OpenSM's --port-shifting).")
      .source("OpenSM 3.3.23");
}

BalanceRules BalanceKeys::rules(const Topology& topology, const RoutingContext& context,
                                std::vector<std::string>& warnings) const {
  BalanceRules rules;
  if (!guid_routing_order_.empty())
    rules.first =
        read_routing_order(TextFile::load(context.path_of(guid_routing_order_)), topology, warnings);
  if (!port_search_ordering_.empty())
    rules.search_order =
        read_search_ordering(TextFile::load(context.path_of(port_search_ordering_)), topology);
  rules.scatter_ports = scatter_ports_;
  rules.port_shifting = port_shifting_;
  return rules;
}

std::vector<PortRef> read_routing_order(const TextFile& file, const Topology& topology,
                                        std::vector<std::string>& warnings) {
  std::vector<PortRef> order;
  for (const GuidLine& line : read_guid_lines(file, topology)) {
    if (const PortRef end = end_of(line.named, topology); end.node != kNone)
      order.push_back(end);
    else
      warnings.push_back(
          fmt::format("{}:{}: 0x{:016x} is an adapter's GUID and none of its ports', so it "
                      "orders nothing",
                      file.name(), line.line, line.named.guid));
  }
  return order;
}

std::vector<std::vector<std::uint8_t>> read_search_ordering(const TextFile& file, const Topology& topology) {
  std::vector<std::vector<std::uint8_t>> order(topology.nodes.size());
  Diagnostics found;
  for (const GuidLine& line : read_guid_lines(file, topology)) {
    const Node& node = topology.nodes[line.named.node];
    if (node.kind != NodeKind::switch_) {
      found.add(file.at(line.line), fmt::format("0x{:016x} is no switch", line.named.guid));
      continue;
    }
    std::vector<std::uint8_t> ports = ports_of(line, node.ports.size(), file, found);
    const std::vector<std::uint8_t> named = ports;
    for (unsigned port = 1; port <= node.ports.size(); ++port)
      if (std::ranges::find(named, port) == named.end()) ports.push_back(static_cast<std::uint8_t>(port));
    order[line.named.node] = std::move(ports);
  }
  found.check();
  return order;
}

}  // namespace weft
