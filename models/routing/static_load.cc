#include "models/routing/static_load.h"

#include <algorithm>
#include <limits>
#include <map>

#include "sim/error.h"

namespace weft {

std::vector<LinkLoad> most_loaded(const LoadReport& report, std::size_t count) {
  std::vector<std::uint32_t> order(report.links.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  count = std::min(count, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count),
                            [&](std::uint32_t a, std::uint32_t b) {
                              const LinkLoad &x = report.links[a], &y = report.links[b];
                              return x.load != y.load ? x.load > y.load : a < b;
                            });
  std::vector<LinkLoad> most;
  for (std::size_t i = 0; i < count; ++i) most.push_back(report.links[order[i]]);
  return most;
}

StaticLoad::StaticLoad(const Topology& topology, const Routes& routes) : endpoints_(topology.endpoints()) {
  for (const auto& groups : routes.groups) {
    if (!groups.empty())
      throw BadValue("", "these routes are adaptive (port sets); static load counts routes that are fixed");
  }
  std::vector<std::uint32_t> switch_of(topology.nodes.size(), kNothing);
  for (NodeIndex node = 0; node < topology.nodes.size(); ++node) {
    if (topology.nodes[node].kind != NodeKind::switch_) continue;
    switch_of[node] = static_cast<std::uint32_t>(tables_.size());
    tables_.push_back(routes.lft[node]);
  }
  // The way out of each port: the links of traffic ends and of switches, in the order of the cables.
  std::map<std::pair<NodeIndex, unsigned>, std::uint32_t> end_of;
  for (std::uint32_t e = 0; e < endpoints_.size(); ++e) {
    const PortRef where = endpoints_[e].where;
    end_of[{where.node, where.port}] = e;
    ends_.push_back({{}, kNothing, topology.nodes[where.node].port(where.port).lid});
  }
  std::uint32_t ports = 0;
  for (const Node& node : topology.nodes) {
    if (node.kind != NodeKind::switch_) continue;
    first_.push_back(ports);
    ports += static_cast<std::uint32_t>(node.ports.size());
  }
  first_.push_back(ports);
  ways_.resize(ports);
  for (const Cable& cable : topology.cables) {
    const auto carries = [&](PortRef end) {
      return switch_of[end.node] != kNothing || end_of.contains({end.node, end.port});
    };
    if (!carries(cable.a) || !carries(cable.b)) continue;
    for (const auto& [from, to] : {std::pair{cable.a, cable.b}, std::pair{cable.b, cable.a}}) {
      const auto link = static_cast<std::uint32_t>(report_.links.size());
      report_.links.push_back({from, 0, 0, 0});
      rates_.push_back(data_rate(cable.link).bits_per_second.value() / 8);
      const Way way{link, switch_of[to.node]};
      if (switch_of[from.node] != kNothing)
        ways_[first_[switch_of[from.node]] + from.port - 1] = way;
      else
        ends_[end_of[{from.node, from.port}]].out = way;
      if (switch_of[to.node] == kNothing) ends_[end_of[{to.node, to.port}]].last = link;
    }
  }
  bytes_of_source_.resize(endpoints_.size());
}

bool StaticLoad::walk(const Flow& flow) {
  const End& source = ends_[flow.source];
  const End& destination = ends_[flow.destination];
  path_.clear();
  Way way = source.out;
  while (way.link != kNothing) {
    path_.push_back(way.link);
    if (way.link == destination.last) return true;
    if (way.switch_ == kNothing || path_.size() > tables_.size()) return false;  // elsewhere, or in a circle
    const std::uint8_t out = tables_[way.switch_][destination.lid];
    const std::uint32_t place = first_[way.switch_] + out - 1;
    if (out == 0 || place >= first_[way.switch_ + 1]) return false;
    way = ways_[place];
  }
  return false;
}

void StaticLoad::reset() {
  for (LinkLoad& link : report_.links) {
    link.flows = 0;
    link.bytes = link.load = 0;
  }
  std::ranges::fill(bytes_of_source_, 0);
  std::vector<LinkLoad> links = std::move(report_.links);
  report_ = {};
  report_.links = std::move(links);
}

const LoadReport& StaticLoad::of(const FlowList& flows) {
  reset();
  const auto bytes_of = [](const Flow& flow) {  // an empty message is a packet all the same
    return static_cast<double>(std::max<std::uint64_t>(flow.bytes, 1));
  };
  flows([&](const Flow& flow) {
    bytes_of_source_[flow.source] += bytes_of(flow);
    if (!walk(flow)) {
      if (report_.lost++ == 0) report_.first_lost = flow;
      return;
    }
    ++report_.flows;
    report_.links_taken += path_.size();
    for (const std::uint32_t link : path_) {
      ++report_.links[link].flows;
      report_.links[link].bytes += bytes_of(flow);
    }
  });
  report_.least_share = report_.least_bandwidth = std::numeric_limits<double>::infinity();
  flows([&](const Flow& flow) {
    if (!walk(flow)) return;
    const double own = bytes_of(flow);
    const double of_its_source = rates_[path_.front()] * own / bytes_of_source_[flow.source];
    double bandwidth = std::numeric_limits<double>::infinity();
    for (const std::uint32_t link : path_) {
      bandwidth = std::min(bandwidth, rates_[link] * own / report_.links[link].bytes);
      report_.links[link].load += of_its_source / rates_[link];
    }
    const double share = bandwidth / of_its_source;
    report_.mean_bandwidth += 8 * bandwidth;
    report_.mean_share += share;
    report_.least_bandwidth = std::min(report_.least_bandwidth, 8 * bandwidth);
    if (share < report_.least_share) {
      report_.least_share = share;
      report_.slowest = flow;
    }
  });
  if (report_.flows == 0) {
    report_.least_share = report_.least_bandwidth = 0;
    return report_;
  }
  report_.mean_bandwidth /= static_cast<double>(report_.flows);
  report_.mean_share /= static_cast<double>(report_.flows);
  for (std::size_t link = 0; link < rates_.size(); ++link)
    report_.busiest_seconds = std::max(report_.busiest_seconds, report_.links[link].bytes / rates_[link]);
  return report_;
}

}  // namespace weft
