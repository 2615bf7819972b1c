#include "models/topology/ibnetdiscover.h"

#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "models/topology/ibnetdiscover_dump.h"
#include "models/topology/machines.h"
#include "models/topology/name_map.h"
#include "models/topology/ports_report.h"
#include "models/topology/topology_builder_rows.h"

namespace weft {

namespace {

constexpr std::uint32_t kAggregationDevice = 0xcf09;  // Mellanox SHARP aggregation node
constexpr std::size_t kMostMissingNodes = 3;          // more look like a file cut short

// Compares the two ends of every link, then builds the Topology.
class Joiner {
 public:
  Joiner(const TextFile& file, const LinkSpec& unstated, const NameMap& names)
      : file_(file),
        unstated_(unstated),
        names_(names),
        dump_(is_ports_report(file) ? read_ports_report(file) : read_dump(file)) {}

  Topology join() {
    for (const DumpNode& node : dump_.nodes) add(node);
    check_peers_exist();
    for (std::size_t n = 0; n < dump_.nodes.size(); ++n)
      for (const auto& [number, port] : dump_.nodes[n].ports) settle({n, port});
    check_lids();
    errors_.check();
    if (topology_.cables.empty())
      throw ConfigError(
          Diagnostic{file_.at(dump_.nodes[0].line),
                     fmt::format("the dump describes {} node(s) but no link; ibnetdiscover prints this "
                                 "where the port it runs on is down",
                                 dump_.nodes.size())});
    topology_.warnings = dump_.warnings.take(file_);
    if (unstated_links_ > 0)
      topology_.warnings.push_back(fmt::format("{}: {} links state no speed; {} assumed (`unstated_speed`)",
                                               file_.name(), unstated_links_, speed_text(unstated_)));
    rename();
    assign_machines(topology_);
    return std::move(topology_);
  }

 private:
  // The map's names, before machines are read off them.
  void rename() {
    if (names_.names.empty()) return;
    std::size_t used = 0;
    for (Node& node : topology_.nodes)
      if (const std::string* name = names_.find(node)) {
        node.name = *name;
        ++used;
      }
    topology_.warnings.insert(topology_.warnings.end(), names_.warnings.begin(), names_.warnings.end());
    if (used == 0)
      topology_.warnings.push_back(fmt::format(
          "none of the {} names of the name map is of a node of this fabric", names_.names.size()));
  }

  // One end of a link: the node by its index in the dump, which is its NodeIndex too.
  struct End {
    std::size_t node;
    const DumpPort& port;
    PortRef ref() const {
      return {static_cast<NodeIndex>(node), static_cast<std::uint8_t>(port.said.number)};
    }
  };

  const DumpNode& said_of(const End& end) const { return dump_.nodes[end.node]; }
  std::string text(const End& end) const {
    return fmt::format("\"{}\"[{}]", said_of(end).said.id, end.port.said.number);
  }
  Location peer_place(const DumpPort& port) const {
    return file_.at(port.line, static_cast<std::uint32_t>(port.said.peer_column + port.indent));
  }

  void add(const DumpNode& from) {
    const NodeLine& said = from.said;
    const NodeIndex index = topology_.add_node(
        said.kind, std::string(said.description.empty() ? said.id : said.description), said.ports);
    Node& node = topology_.nodes[index];
    node.guid = from.guid;
    node.system_guid = from.system_guid;
    node.vendor_id = from.vendor_id;
    node.device_id = from.device_id;
    node.enhanced_port0 = said.enhanced_port0;
    const bool aggregation = from.device_id == kAggregationDevice ||
                             said.description.find("Aggregation Node") != std::string_view::npos;
    if (said.kind == NodeKind::hca && aggregation) node.kind = NodeKind::aggregation_node;
    if (said.kind == NodeKind::switch_) {
      node.lid = said.lid;
      node.lmc = said.lmc;
    }
    for (const auto& [number, port] : from.ports) {
      node.port(number).label = port.said.label;
      if (said.kind == NodeKind::switch_) continue;
      node.port(number).guid = port.said.guid;
      node.port(number).lid = port.said.lid.value_or(0);
      node.port(number).lmc = port.said.lmc;
    }
  }

  void check_peers_exist() {
    std::vector<const DumpPort*> missing;  // one mention for each node
    std::set<std::string_view> seen;
    for (const DumpNode& node : dump_.nodes)
      for (const auto& [number, port] : node.ports)
        if (!dump_.by_id.contains(port.said.peer) && seen.insert(port.said.peer).second)
          missing.push_back(&port);
    if (missing.size() > kMostMissingNodes)
      return errors_.add(
          peer_place(*missing[0]),
          fmt::format("\"{}\" is never described, nor are {} other peers: the dump looks cut short after "
                      "line {}",
                      missing[0]->said.peer, missing.size() - 1, file_.line_count()));
    for (const DumpPort* port : missing)
      errors_.add(peer_place(*port), fmt::format("\"{}\" is never described", port->said.peer));
  }

  void settle(const End& end) {
    const PortLine& said = end.port.said;
    const auto known = dump_.by_id.find(said.peer);
    if (known == dump_.by_id.end() || !settled_.insert(end.port.line).second) return;
    const DumpNode& peer = dump_.nodes[known->second];
    if (said.peer_number > peer.said.ports)
      return errors_.add(peer_place(end.port),
                         fmt::format("\"{}\" has {} ports (line {}), no port {}", peer.said.id,
                                     peer.said.ports, peer.line, said.peer_number));
    if (known->second == end.node && said.peer_number == said.number)
      return dump_.warnings.add(file_, end.port.line,
                                fmt::format("{} is plugged into itself; left out", text(end)));
    const auto found = peer.ports.find(said.peer_number);
    if (found == peer.ports.end())
      return errors_.add(
          peer_place(end.port),
          fmt::format("{} is cabled to \"{}\"[{}] here, but \"{}\" (line {}) has no line for port {}",
                      text(end), said.peer, said.peer_number, said.peer, peer.line, said.peer_number));
    const End mirror{known->second, found->second};
    settled_.insert(mirror.port.line);
    const PortLine& back = mirror.port.said;
    const auto answer = dump_.by_id.find(back.peer);
    if (answer == dump_.by_id.end() || answer->second != end.node || back.peer_number != said.number)
      return errors_.add(
          peer_place(end.port),
          fmt::format("{} is cabled to {} here, but on line {} {} is cabled to \"{}\"[{}]", text(end),
                      text(mirror), mirror.port.line, text(mirror), back.peer, back.peer_number));
    connect(end, mirror);
  }

  std::optional<LinkSpec> speed_of(const End& end) const {
    const StatedSpeed& stated = end.port.said.speed;
    if (!stated.width || !stated.generation) return std::nullopt;
    LinkSpec link = unstated_;
    link.width = *stated.width;
    link.generation = *stated.generation;
    return link;
  }

  void connect(const End& a, const End& b) {
    const std::optional<LinkSpec> here = speed_of(a), there = speed_of(b);
    LinkSpec link = here ? *here : there ? *there : unstated_;
    if (!here && !there) {
      ++unstated_links_;
      link.width = a.port.said.speed.width.value_or(link.width);
      link.generation = a.port.said.speed.generation.value_or(link.generation);
    }
    if (here && there && *here != *there) {
      dump_.warnings.add(file_, a.port.line,
                         fmt::format("the link runs at {} here and at {} on line {}; the slower holds",
                                     speed_text(*here), speed_text(*there), b.port.line));
      if (data_rate(*there) < data_rate(*here)) link = *there;
    }
    if (a.node == b.node)
      dump_.warnings.add(file_, a.port.line, fmt::format("\"{}\" is cabled to itself", said_of(a).said.id));
    topology_.connect(a.ref(), b.ref(), link);
    reconcile(b, a);
    reconcile(a, b);
  }

  // What the line at the other end says of this end's addresses; the end's own line holds where both speak.
  void reconcile(const End& end, const End& other) {
    Node& node = topology_.nodes[end.node];
    const bool is_switch = node.kind == NodeKind::switch_;
    Port& port = node.port(end.port.said.number);
    Lid& lid = is_switch ? node.lid : port.lid;
    const PortLine& said = other.port.said;
    if (const Lid seen = said.peer_lid.value_or(0); lid == 0)
      lid = seen;
    else if (seen != 0 && seen != lid)
      dump_.warnings.add(file_, other.port.line,
                         fmt::format("LID {} for {}, whose own line says {}", seen, text(end), lid));
    if (is_switch) return;
    if (port.guid == 0)
      port.guid = said.peer_guid;
    else if (said.peer_guid != 0 && said.peer_guid != port.guid)
      dump_.warnings.add(file_, other.port.line,
                         fmt::format("port GUID 0x{:x} for {}, whose own line says 0x{:x}", said.peer_guid,
                                     text(end), port.guid));
  }

  void check_lids() {
    std::unordered_map<Lid, std::size_t> lines;
    const auto claim = [&](Lid lid, unsigned lmc, std::size_t line) {
      for (Lid l = lid; lid != 0 && l < lid + (1u << lmc); ++l)
        if (const auto [first, fresh] = lines.try_emplace(l, line); !fresh)
          return errors_.add(file_.at(line),
                             fmt::format("LID {} is already taken on line {}", l, first->second));
    };
    for (std::size_t n = 0; n < dump_.nodes.size(); ++n) {
      const Node& node = topology_.nodes[n];
      claim(node.lid, node.lmc, dump_.nodes[n].line);
      for (const auto& [number, port] : dump_.nodes[n].ports)
        claim(node.port(number).lid, node.port(number).lmc, port.line);
    }
  }

  const TextFile& file_;
  LinkSpec unstated_;
  const NameMap& names_;
  Dump dump_;
  Diagnostics errors_;
  Topology topology_;
  std::set<std::size_t> settled_;  // lines whose link is made, or whose fault is reported
  std::size_t unstated_links_ = 0;
};

class IbnetdiscoverTopology : public TopologyBuilder {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::string file;
  std::string unstated_speed = "4xSDR";
  std::string name_map;

 private:
  TextFile name_map_file(const BuildContext& context) const;
};

}  // namespace

Topology read_ibnetdiscover(const TextFile& file, const LinkSpec& unstated_speed, const NameMap& names) {
  return Joiner(file, unstated_speed, names).join();
}

std::unique_ptr<TopologyBuilder> make_ibnetdiscover() { return std::make_unique<IbnetdiscoverTopology>(); }

void IbnetdiscoverTopology::describe(Describe& d) {
  d.field("file", file,
          "What ibnetdiscover printed (also with -p), or an ibsim .net file; plain or gzip. Relative to the "
          "scenario.")
      .required();
  d.field("unstated_speed", unstated_speed,
          "Speed of links that state none, as old dumps do: 4xSDR, 4xQDR ...")
      .source("ibnetdiscover printed no speeds in SDR days");
  d.field("name_map", name_map,
          "Names for nodes by GUID, a file of lines such as `0x0008f10400411f56 \"leaf 3\"` as OpenSM and "
          "infiniband-diags take (--node-name-map). Default: the descriptions in the dump.");
}

TextFile IbnetdiscoverTopology::name_map_file(const BuildContext& context) const {
  try {
    return TextFile::load(context.path_of(name_map));
  } catch (const ConfigError& error) {  // of the file as a whole: the key that names it is the place
    throw BadValue("name_map", fmt::format("{}: {}", name_map, error.diagnostics()[0].message));
  }
}

Topology IbnetdiscoverTopology::build(const BuildContext& context) const {
  LinkSpec unstated;
  std::tie(unstated.width, unstated.generation) = speed_of(unstated_speed, "unstated_speed");
  const NameMap names = name_map.empty() ? NameMap{} : read_name_map(name_map_file(context));
  return read_ibnetdiscover(TextFile::load(context.path_of(file)), unstated, names);
}

}  // namespace weft
