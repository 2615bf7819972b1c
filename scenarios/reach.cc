#include "scenarios/reach.h"

#include <algorithm>

namespace weft {

std::function<std::uint32_t(std::uint32_t from, std::uint32_t to)> path_sls_of(
    const Prepared& p, const std::vector<Endpoint>& endpoints) {
  if (p.routes.path_sls.empty()) return {};
  return [&p, &endpoints](std::uint32_t from, std::uint32_t to) -> std::uint32_t {
    const PortRef end = endpoints[to].where;
    return p.routes.path_sls.sl(home_of(p.topology, endpoints[from].where),
                                p.topology.nodes[end.node].port(end.port).lid);
  };
}

std::function<bool(std::uint32_t endpoint, std::uint32_t sl)> lanes_of(
    const Prepared& p, const std::vector<Endpoint>& endpoints) {
  const QosSettings& qos = p.scenario.fabric.qos;
  const auto drops = [](const std::vector<std::uint32_t>& map) {
    return std::find(map.begin(), map.end(), kDropVl) != map.end();
  };
  if (!drops(qos.sl2vl) && std::none_of(qos.exceptions.begin(), qos.exceptions.end(),
                                        [&](const Sl2VlException& e) { return drops(e.sl2vl); }))
    return {};
  return [&p, &endpoints](std::uint32_t endpoint, std::uint32_t sl) {
    const PortRef port = endpoints[endpoint].where;
    return p.settings.sl2vl.vl(port.node, 0, port.port, static_cast<std::uint8_t>(sl)) < p.settings.data_vls;
  };
}

}  // namespace weft
