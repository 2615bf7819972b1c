#include "tools/fabric_judge.h"

#include <fmt/format.h>

namespace weft {

CreditLoopReport find_credit_loop_of(const Prepared& p, Ends ends) {
  std::vector<std::uint8_t> sls;  // all that traffic may choose, or, where each path has its own, does choose
  if (p.routes.path_sls.empty()) {
    for (unsigned sl = 0; sl < (p.settings.data_vls == 1 ? 1u : 16u); ++sl)
      sls.push_back(static_cast<std::uint8_t>(sl));
  } else {
    for (const auto& pattern : p.scenario.traffic)
      if (pattern->stream.sl) sls.push_back(static_cast<std::uint8_t>(*pattern->stream.sl));
  }
  return find_credit_loop(p.topology, p.routes, ends, sls,
                          [&](NodeIndex node, std::uint8_t in, std::uint8_t out, std::uint8_t sl) {
                            return p.settings.sl2vl.vl(node, in, out, sl);
                          });
}

Judgement judge(const Prepared& p) {
  Judgement judgement;
  judgement.paths = check_routes(p.topology, p.routes);
  for (const auto& link : judgement.paths.subscription)
    judgement.mean_subscription += static_cast<double>(link.flows);
  if (!judgement.paths.subscription.empty())
    judgement.mean_subscription /= static_cast<double>(judgement.paths.subscription.size());
  judgement.traffic = find_credit_loop_of(p, Ends::traffic_only);
  judgement.lanes = p.routes.vls;
  judgement.drops = lane_drops(p.topology, p.routes, p.settings.sl2vl);
  return judgement;
}

std::string loop_text(const Topology& topology, const CreditLoopReport& report) {
  if (report.free_of_loops())
    return fmt::format("no credit loop ({} channels, {} dependencies)", report.channels, report.dependencies);
  const PortNames names(topology);
  std::string text = fmt::format("CREDIT LOOP over {} channels:", report.cycle.size());
  for (const Channel& channel : report.cycle)
    text += fmt::format("\n    {} -> {}  VL {}", names[channel.from], names.peer(channel.from), channel.vl);
  return text;
}

std::string PortNames::operator[](PortRef port) const {
  return fmt::format("{}[{}]", names_[port.node], port.port);
}

std::string PortNames::peer(PortRef port) const {
  const Port& here = topology_.nodes[port.node].port(port.port);
  return here.peer_node == kNone ? "" : (*this)[PortRef{here.peer_node, here.peer_port}];
}

}  // namespace weft
