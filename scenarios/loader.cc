#include "scenarios/loader.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/packet_network.h"
#include "models/routing/multicast_tree.h"
#include "models/topology/networks.h"
#include "scenarios/expectations.h"
#include "scenarios/locating.h"
#include "scenarios/places.h"
#include "scenarios/reach.h"
#include "sim/error.h"

namespace weft {
namespace {

Generation fastest(const Topology& topology) {
  Generation best = Generation::sdr;
  for (const Cable& cable : topology.cables) best = std::max(best, cable.link.generation);
  return best;
}

/// The profiles a fabric of this generation has unless told otherwise.
std::pair<std::string, std::string> usual_devices(Generation generation) {
  return generation >= Generation::ndr ? std::pair{"qm9700", "connectx7"} : std::pair{"qm8700", "connectx6"};
}

/// Profile `name` with the scenario's own keys laid over it: the profile's values are the defaults of a fresh
/// reading.
SwitchProfile switch_with_overrides(const Prepared& p, const ProfileStore& store, const std::string& name) {
  Scenario scratch;
  read_config(store.load("switch", name), scratch.fabric.switches.values);
  read_config(p.document, scratch);
  return scratch.fabric.switches.values;
}

HcaProfile hca_with_overrides(const Prepared& p, const ProfileStore& store, const std::string& name) {
  Scenario scratch;
  read_config(store.load("hca", name), scratch.hosts.values);
  read_config(p.document, scratch);
  return scratch.hosts.values;
}

void resolve_devices(Prepared& p, const ProfileStore& store) {
  Devices& devices = p.devices;
  const FabricConfig& fabric = p.scenario.fabric;
  const auto [usual_switch, usual_hca] = usual_devices(fastest(p.topology));
  devices.default_switch = fabric.switches.profile.value_or(usual_switch);
  devices.default_hca = p.scenario.hosts.profile.value_or(usual_hca);
  devices.default_cable = fabric.links.cable;
  devices.default_length = fabric.links.length;
  std::set<std::string> switches{}, hcas{devices.default_hca}, cables{devices.default_cable};
  bool default_switch_used = false;
  for (const Node& node : p.topology.nodes) {
    const bool is_switch = node.kind == NodeKind::switch_ || node.kind == NodeKind::router;
    if (is_switch) {
      default_switch_used = default_switch_used || node.profile.empty();
      switches.insert(node.profile.empty() ? devices.default_switch : node.profile);
    } else if (!node.profile.empty()) {
      hcas.insert(node.profile);
    }
  }
  for (const Cable& cable : p.topology.cables)
    if (!cable.link.cable.empty()) cables.insert(cable.link.cable);
  if (fabric.switches.profile && !switches.empty() && !switches.contains(*fabric.switches.profile))
    throw located(
        BadValue("", fmt::format("the topology says what its switches are: {}; this profile would go "
                                 "unused",
                                 fmt::join(switches, ", "))),
        p.document, "fabric.switch.profile");
  locating(p.document, "fabric.switch.profile", [&] {
    for (const std::string& name : switches) devices.switches[name] = switch_with_overrides(p, store, name);
  });
  locating(p.document, "hosts.profile", [&] {
    for (const std::string& name : hcas) devices.hcas[name] = hca_with_overrides(p, store, name);
  });
  for (const std::string& name : cables) {
    try {
      read_config(store.load("cable", name), devices.cables[name]);
    } catch (const BadValue& error) {
      const Document::Node* said =
          find_value(p.document.root(), "cable", [&](const std::string& text) { return text == name; });
      if (said == nullptr) throw located(error, p.document, "fabric.links.cable");
      throw ConfigError({p.document.locate(said->where), error.what()});
    }
  }
  for (const Cable& cable : p.topology.cables) {
    const std::string& name = cable.link.cable.empty() ? devices.default_cable : cable.link.cable;
    const Length length = cable.link.length.value_or(devices.default_length);
    if (length > devices.cables[name].longest) {
      const std::string message = fmt::format(
          "the cable {} - {} is {} long; `{}` comes in {} at most", p.topology.display_name(cable.a),
          p.topology.display_name(cable.b), to_text(length), name, to_text(devices.cables[name].longest));
      const Document::Node* said = find_value(
          p.document.root(), "length", [&](const std::string& text) { return is_length(text, length); });
      if (said == nullptr) throw located(BadValue("", message), p.document, "fabric.links");
      throw ConfigError({p.document.locate(said->where), message});
    }
  }
  std::set<Generation> generations;
  for (const Cable& cable : p.topology.cables) generations.insert(cable.link.generation);
  for (const EventConfig& event : p.scenario.events)
    if (const auto speed = parse_speed(event.speed)) generations.insert(speed->second);
  for (const Generation generation : generations) {
    LinkProfile& link = devices.links[generation];  // ideal unless loaded
    std::string name = to_text(generation);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return static_cast<char>(std::tolower(c)); });
    if (fabric.links.layer == LinkLayer::standard)
      locating(p.document, "fabric.links.layer", [&] { read_config(store.load("link", name), link); });
    link.update = fabric.links.credit_update.value_or(link.update);
    link.update_size = fabric.links.update_size.value_or(link.update_size);
    link.update_threshold = fabric.links.update_threshold.value_or(link.update_threshold);
    link.update_period = fabric.links.update_period.value_or(link.update_period);
  }
  // What the resolved scenario shows: the values in force and the profile they come from.
  SwitchSettings& switch_settings = p.scenario.fabric.switches;
  const std::string shown =
      default_switch_used || switches.empty() ? devices.default_switch : *switches.begin();
  if (const auto used = devices.switches.find(shown); used != devices.switches.end()) {
    switch_settings.values = used->second;
    switch_settings.values_from = fmt::format("profile {}", shown);
  }
  p.scenario.hosts.values = devices.hcas[devices.default_hca];
  p.scenario.hosts.values_from = fmt::format("profile {}", devices.default_hca);
  if (default_switch_used && !fabric.switches.profile)
    p.notes.push_back(
        fmt::format("switches are assumed to be {} (fabric.switch.profile)", devices.default_switch));
  const HcaProfile& adapter = devices.hcas[devices.default_hca];
  for (const Cable& cable : p.topology.cables)
    if (cable.link.generation > adapter.generation &&
        (p.topology.nodes[cable.a.node].kind == NodeKind::hca ||
         p.topology.nodes[cable.b.node].kind == NodeKind::hca)) {
      p.notes.push_back(fmt::format("{} is an adapter for {}; its links run at {} as the topology says",
                                    devices.default_hca, to_text(adapter.generation),
                                    speed_text(cable.link)));
      break;
    }
  if (!p.scenario.hosts.profile)
    p.notes.push_back(fmt::format("adapters are assumed to be {} (hosts.profile)", devices.default_hca));
  const bool unknown_cables = std::any_of(p.topology.cables.begin(), p.topology.cables.end(),
                                          [](const Cable& cable) { return !cable.link.length; });
  const auto given = [&](std::string_view key) {
    const Document::Node* fabric_node = p.document.root().find("fabric");
    const Document::Node* links = fabric_node == nullptr ? nullptr : fabric_node->find("links");
    return links != nullptr && links->find(key) != nullptr;
  };
  if (unknown_cables && !(given("length") && given("cable")))
    p.notes.push_back(fmt::format("cables without a length are taken as {} of {} (fabric.links)",
                                  to_text(devices.default_length), devices.default_cable));
}

void schedule(World& world, const Prepared& p, const EventConfig& event) {
  const Ticks at = event.at.count();
  if (event.action != EventAction::link_speed && !event.speed.empty())
    throw BadValue("speed", "only link_speed takes a speed");
  if (event.action != EventAction::stall_receiver && event.duration)
    throw BadValue("duration", "only stall_receiver takes a duration");
  switch (event.action) {
    case EventAction::link_down:
      return world.link_down_at(at, cable_at(p.topology, event.where, "where"));
    case EventAction::link_up:
      return world.link_up_at(at, cable_at(p.topology, event.where, "where"));
    case EventAction::link_speed: {
      const std::uint32_t cable = cable_at(p.topology, event.where, "where");
      const auto speed = parse_speed(event.speed);
      if (event.speed.empty()) throw BadValue("speed", "link_speed needs `speed`, such as 2xNDR");
      if (!speed)
        throw BadValue("speed", fmt::format("`{}` is no link speed; write for example 2xNDR", event.speed));
      LinkSpec link = p.topology.cables[cable].link;
      link.width = speed->first;
      link.generation = speed->second;
      link.rate.reset();
      return world.link_rate_at(at, cable, link);
    }
    case EventAction::stall_receiver: {
      PatternContext context{p.topology, p.topology.endpoints(), 0, {}, {}};
      const std::uint32_t endpoint = EndpointNames(context).find(event.where, "where");
      return world.stall_receiver(endpoint, at,
                                  event.duration && event.duration->count() < kNeverTicks - at
                                      ? at + event.duration->count()
                                      : kNeverTicks);
    }
  }
}

}  // namespace

std::string from_here(const std::string& assignment) {
  namespace fs = std::filesystem;
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals + 1 == assignment.size()) return assignment;
  const std::string path = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  const bool is_file = path.ends_with(".file") && value.find_first_of("\"'{[/") != 0;
  return is_file ? path + "=" + fs::absolute(value).lexically_normal().string() : assignment;
}

PatternContext pattern_context(const Prepared& p) {
  PatternContext context{p.topology, p.topology.endpoints(), p.scenario.run.seed, {}, p.base_folder};
  context.network = networks_of(p.topology);
  context.mtu = p.settings.mtu;
  return context;
}

Prepared load_scenario(const std::string& path, const LoadOptions& options) {
  return prepare(Document::load(path), std::filesystem::path(path).parent_path().string(), options);
}

Prepared prepare(Document document, std::string base_folder, const LoadOptions& options) {
  Prepared p;
  p.document = std::move(document);
  for (const std::string& assignment : options.sets) p.document.set(from_here(assignment));
  if (options.seed) p.document.set(fmt::format("run.seed={}", *options.seed));
  p.base_folder = std::move(base_folder);
  read_config(p.document, p.scenario);
  const RunConfig& run = p.scenario.run;
  if (run.duration && run.warm_up >= *run.duration)
    throw located(BadValue("warm_up", fmt::format("the warm-up of {} is not shorter than the run of {}",
                                                  to_text(run.warm_up), to_text(*run.duration))),
                  p.document, "run");
  check_wording(p);
  return p;
}

void build_topology(Prepared& p) {
  const ProfileStore store(p.base_folder.empty() ? "." : p.base_folder);
  const FabricConfig& fabric = p.scenario.fabric;
  BuildContext context;
  context.base_folder = p.base_folder;
  context.switch_shape = [&](const std::string& name) -> BuildContext::SwitchShape {
    SwitchProfile profile;
    read_config(store.load("switch", name), profile);
    return {profile.ports, profile.generation, static_cast<std::uint8_t>(profile.width)};
  };
  p.topology = reading(p.document, "fabric.topology", [&] { return fabric.topology->build(context); });
  locating(p.document, "fabric", [&] {
    apply_overrides(p.topology, fabric.overrides, "overrides");
    p.topology.assign_lids(fabric.lid_space == LidSpace::extended, static_cast<std::uint8_t>(fabric.lmc));
  });
  if (fabric.lid_space == LidSpace::extended) p.notes.push_back("lid_space is extended: not InfiniBand");
  resolve_devices(p, store);
  p.settings.mtu = static_cast<std::uint32_t>(fabric.mtu);
  p.settings.stall_check = p.scenario.run.stall_check.count();
  p.notes.insert(p.notes.end(), p.topology.warnings.begin(), p.topology.warnings.end());
}

void build_fabric(Prepared& p) {
  build_topology(p);
  route_fabric(p);
  route_groups(p);
}

void route_groups(Prepared& p) {
  std::vector<MulticastGroup> groups;
  p.group_of_stream.clear();
  const PatternContext context = pattern_context(p);
  for (std::size_t i = 0; i < p.scenario.traffic.size(); ++i)
    locating(p.document, fmt::format("traffic[{}]", i), [&] {
      const std::vector<std::uint32_t> members = p.scenario.traffic[i]->group(context);
      p.group_of_stream.push_back(members.empty() ? Message::kNoGroup
                                                  : static_cast<std::uint32_t>(groups.size()));
      if (members.empty()) return;
      for (const std::uint32_t member : members)
        if (!context.network.empty() && context.network[member] != context.network[members.front()])
          throw BadValue("members",
                         fmt::format("no cables lead from {} to {}: they are in separate networks",
                                     p.topology.display_name(context.endpoints[members.front()].where),
                                     p.topology.display_name(context.endpoints[member].where)));
      MulticastGroup& group = groups.emplace_back();
      group.mlid = kFirstMulticastLid + p.group_of_stream.back();
      for (const std::uint32_t member : members) group.members.push_back(context.endpoints[member].where);
    });
  if (!groups.empty()) p.routes.multicast = multicast_trees(p.topology, std::move(groups));
}

std::unique_ptr<World> make_world(const Prepared& p, const RouteReport& paths) {
  auto world = locating(p.document, "", [&] {
    try {
      return std::make_unique<World>(p.topology, p.routes, p.devices, p.settings);
    } catch (const BadValue& error) {  // the engine's words for its parts, in the scenario's keys
      const bool adapter = error.key.starts_with("hca");
      const std::string key = adapter             ? "hosts" + error.key.substr(3)
                              : error.key.empty() ? "fabric"
                                                  : "fabric." + error.key;
      throw BadValue(key, error.what());
    }
  });
  const std::uint64_t links =
      paths.pairs_by_hops.empty() ? 1 : paths.pairs_by_hops.rbegin()->first + std::uint64_t{1};
  const Ticks most = UINT32_MAX / static_cast<Ticks>(links);
  if (world->longest_delay() > most)
    throw located(
        BadValue("", fmt::format("the longest path has {} links of up to {} each; the engine counts {} of "
                                 "cable, and of pipeline, over a path",
                                 links, to_text(Time{world->longest_delay()}), to_text(Time{UINT32_MAX}))),
        p.document, "fabric.links");
  for (std::size_t i = 0; i < p.scenario.events.size(); ++i)
    locating(p.document, fmt::format("events[{}]", i), [&] { schedule(*world, p, p.scenario.events[i]); });
  return world;
}

RouteReport check_paths(const Prepared& p) {
  RouteReport report = check_routes(p.topology, p.routes);
  if (report.loop) {
    const auto name = [&](const Endpoint& end) { return p.topology.display_name(end.where); };
    throw located(BadValue("", fmt::format("packets from {} to {} would circle for ever: the path {}",
                                           name(report.loop->source), name(report.loop->destination),
                                           report.loop->reason)),
                  p.document, "fabric.routing");
  }
  return report;
}

std::vector<std::unique_ptr<Workload>> make_workloads(const Prepared& p) {
  std::vector<std::unique_ptr<Workload>> workloads;
  PatternContext context = pattern_context(p);
  context.has_lane = lanes_of(p, context.endpoints);
  context.path_sl = path_sls_of(p, context.endpoints);
  for (std::size_t i = 0; i < p.scenario.traffic.size(); ++i) {
    const std::string path = fmt::format("traffic[{}]", i);
    context.name = path;
    context.group = p.group_of_stream[i];
    workloads.push_back(reading(p.document, path, [&] { return p.scenario.traffic[i]->make(context); }));
    if (workloads.back()->planned() == 0 && !p.scenario.run.duration)
      throw located(BadValue("endless", "endless traffic needs run.duration to end"), p.document, path);
  }
  if (workloads.size() > PacketNetwork::kMaxStreams)
    throw located(BadValue("", fmt::format("{} traffic streams; {} at most", workloads.size(),
                                           PacketNetwork::kMaxStreams)),
                  p.document, "traffic");
  return workloads;
}

}  // namespace weft
