#include "models/workload/pattern.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "models/workload/pattern_rows.h"
#include "sim/error.h"
#include "sim/suggest.h"

namespace weft {

void StreamSettings::describe(Describe& d) {
  d.field("sl", sl, "Service level of its packets.")
      .range(0, 15)
      .source("what the routing engine wants on each path, 0 where it wants none");
  d.field("rate", rate, "Static rate: each queue pair is held to it.");
  d.field("start", start, "When it begins.").range("0 ps", "30 d");
}

std::uint8_t StreamSettings::message_sl() const {
  return sl ? static_cast<std::uint8_t>(*sl) : Message::kPathSl;
}

void check_flow(const PatternContext& context, std::uint32_t source, std::uint32_t destination,
                std::optional<std::uint32_t> asked) {
  const auto name = [&](std::uint32_t e) {
    return context.topology.display_name(context.endpoints[e].where);
  };
  if (!context.network.empty() && context.network[source] != context.network[destination])
    throw BadValue("", fmt::format("no cables lead from {} to {}: they are in separate networks",
                                   name(source), name(destination)));
  if (!context.has_lane) return;
  const std::uint32_t sl = asked ? *asked : context.path_sl ? context.path_sl(source, destination) : 0;
  for (const std::uint32_t end : {source, destination})
    if (!context.has_lane(end, sl))
      throw BadValue("sl", fmt::format("service level {} is dropped at {}: fabric.qos maps it to no data VL",
                                       sl, name(end)));
}

EndpointNames::EndpointNames(const PatternContext& context)
    : topology_(context.topology), count_(context.endpoints.size()) {
  for (std::uint32_t e = 0; e < count_; ++e) {  // the first that has a name keeps it
    const Endpoint& here = context.endpoints[e];
    if (here.host != kNone) by_name_.try_emplace(topology_.hosts[here.host], e);
    by_name_.try_emplace(topology_.nodes[here.where.node].name, e);
    by_name_.try_emplace(topology_.display_name(here.where.node), e);
    by_name_.try_emplace(topology_.display_name(here.where), e);
  }
}

std::uint32_t EndpointNames::find(const std::string& text, const std::string& key) const {
  if (const auto found = by_name_.find(text); found != by_name_.end()) return found->second;
  if (text.empty()) throw BadValue(key, "an endpoint is missing");
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) {
    if (number < count_) return number;
    throw BadValue(
        key, fmt::format("there is no endpoint {}: this fabric has {}, numbered from 0", number, count_));
  }
  const std::vector<std::string_view> machines(topology_.hosts.begin(), topology_.hosts.end());
  throw BadValue(key, fmt::format("there is no endpoint `{}`{}", text, did_you_mean(text, machines)));
}

std::vector<std::string> endpoint_names(const Topology& topology) {
  const std::vector<Endpoint> endpoints = topology.endpoints();
  std::vector<std::uint32_t> of_host(topology.hosts.size());
  for (const Endpoint& end : endpoints)
    if (end.host != kNone) ++of_host[end.host];
  std::vector<std::string> names;
  for (const Endpoint& end : endpoints) {
    if (end.host != kNone && of_host[end.host] == 1)
      names.push_back(topology.hosts[end.host]);
    else if (topology.nodes[end.where.node].ports.size() == 1)
      names.push_back(topology.display_name(end.where.node));
    else
      names.push_back(topology.display_name(end.where));
  }
  return names;
}

std::span<const Choice<Pattern>> patterns() {
  static const std::array<Choice<Pattern>, 9> kRows{{
      {"ping_pong",
       "Two endpoints answer each other, one message at a time, for each size: latency as perftest's *_lat "
       "tools "
       "measure it, with the parts it is made of.",
       make_ping_pong},
      {"permutation",
       "Every endpoint sends to one other, each is sent to once, chosen at random: the usual test of a "
       "fabric's "
       "bandwidth under static routing.",
       make_permutation},
      {"shift",
       "Endpoint i sends to i + by (mod n): the phases of an all-to-all; free of contention on a full fat "
       "tree with "
       "D-mod-K routing.",
       make_shift},
      {"bisection",
       "A random half of the endpoints sends to the other half, one to one: its mean bandwidth over many "
       "draws is the effective bisection bandwidth.",
       make_bisection},
      {"incast", "Many endpoints send to one: the receiver's link is shared, congestion spreads from it.",
       make_incast},
      {"all_to_all",
       "Every endpoint sends one message to every other, in the order of shifts, so that no two start at the "
       "same "
       "destination.",
       make_all_to_all},
      {"pairs", "The flows you list, each from one endpoint to another.", make_pairs},
      {"csv", "Messages from a file: columns src, dst, bytes, start, units in the header.", make_csv},
      {"multicast",
       "Members of a group send to all the others at once: the source's packet is copied by the switches on "
       "the "
       "group's tree. Unreliable datagrams of one packet each.",
       make_multicast},
  }};
  return kRows;
}

}  // namespace weft
