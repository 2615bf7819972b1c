// A fabric written out: switches, machines, and the cables between their ports.
//
//   topology:
//     type: explicit
//     speed: 4xNDR
//     switches: [{name: "leaf{0..1}", ports: 8}, {name: spine, ports: 8}]
//     hosts: [{name: "h{0..3}"}]
//     cables:
//       - {a: "h{0..3}", b: "leaf{0..1}[{1..2}]", cable: dac, length: 2 m}
//       - {a: "leaf{0..1}[{7..8}]", b: "spine[{1..4}]", length: 10 m}
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "models/topology/machines.h"
#include "models/topology/name_range.h"
#include "models/topology/topology_builder_rows.h"
#include "sim/error.h"
#include "sim/suggest.h"

namespace weft {

namespace {

struct ExplicitSwitch : Configurable {
  void describe(Describe& d) override;
  std::string name;
  std::optional<std::uint32_t> ports;
  std::string profile;
};

struct ExplicitHost : Configurable {
  void describe(Describe& d) override;
  std::string name;
  std::uint32_t ports = 1;
};

struct ExplicitCable : Configurable {
  void describe(Describe& d) override;
  std::string a, b;
  std::string speed;
  std::string cable;
  std::optional<Length> length;
};

class ExplicitTopology : public TopologyBuilder {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::vector<ExplicitSwitch> switches;
  std::vector<ExplicitHost> hosts;
  std::vector<ExplicitCable> cables;
  std::string speed;
};

std::string at(std::string_view list, std::size_t index, std::string_view key) {
  return fmt::format("{}[{}].{}", list, index, key);
}

class Assembly {
 public:
  Assembly(const ExplicitTopology& written, const BuildContext& context)
      : written_(written), context_(context) {}

  Topology assemble() {
    if (!written_.speed.empty())
      std::tie(default_.width, default_.generation) = speed_of(written_.speed, "speed");
    for (std::size_t i = 0; i < written_.hosts.size(); ++i) add_hosts(i);
    for (std::size_t i = 0; i < written_.switches.size(); ++i) add_switches(i);
    for (std::size_t i = 0; i < written_.cables.size(); ++i) add_cables(i);
    if (topology_.nodes.empty()) throw BadValue("switches", "the fabric has no switch and no machine");
    assign_machines(topology_);
    topology_.assign_guids();
    return std::move(topology_);
  }

 private:
  NodeIndex add(NodeKind kind, const std::string& name, unsigned ports, const std::string& key) {
    if (name.empty() || name.find_first_of("[]") != std::string::npos)
      throw BadValue(key,
                     fmt::format("`{}` cannot name a node: names are not empty and have no brackets", name));
    if (!by_name_.try_emplace(name, static_cast<NodeIndex>(topology_.nodes.size())).second)
      throw BadValue(key, fmt::format("`{}` is already the name of a node", name));
    return topology_.add_node(kind, name, ports);
  }

  void add_hosts(std::size_t i) {
    const ExplicitHost& host = written_.hosts[i];
    const std::string key = at("hosts", i, "name");
    for (const std::string& name : expand_ranges(host.name, key))
      add(NodeKind::hca, name, checked_ports(host.ports, at("hosts", i, "ports")), key);
  }

  void add_switches(std::size_t i) {
    const ExplicitSwitch& written = written_.switches[i];
    const std::string key = at("switches", i, "name"), ports_key = at("switches", i, "ports");
    std::optional<BuildContext::SwitchShape> shape;
    if (!written.profile.empty() && (context_.switch_shape || !written.ports))
      shape = context_.shape_of(written.profile, at("switches", i, "profile"));
    if (!shape && !written.ports) throw BadValue(ports_key, "give `ports`, or a `profile` that has them");
    const unsigned ports = checked_ports(written.ports ? *written.ports : shape->ports, ports_key);
    for (const std::string& name : expand_ranges(written.name, key)) {
      const NodeIndex n = add(NodeKind::switch_, name, ports, key);
      topology_.nodes[n].profile = written.profile;
      if (shape) shapes_.emplace(n, *shape);
    }
  }

  static unsigned checked_ports(std::uint32_t ports, const std::string& key) {
    if (ports == 0 || ports > 254)
      throw BadValue(key, fmt::format("a node has 1 to 254 ports, not {}", ports));
    return ports;
  }

  void add_cables(std::size_t i) {
    const ExplicitCable& written = written_.cables[i];
    const std::string key_a = at("cables", i, "a"), key_b = at("cables", i, "b");
    const std::vector<std::string> a = expand_ranges(written.a, key_a), b = expand_ranges(written.b, key_b);
    if (a.size() != b.size())
      throw BadValue(
          key_b,
          fmt::format("`{}` stands for {} ends and `{}` for {}; a cable has one of each, so write ranges "
                      "of one length, as h{{0..2}} and leaf0[{{1..3}}]",
                      written.a, a.size(), written.b, b.size()));
    for (std::size_t c = 0; c < a.size(); ++c) {
      const PortRef from = end(a[c], key_a);
      const PortRef to = end(b[c], key_b);
      if (from.node == to.node)
        throw BadValue(key_b, fmt::format("both ends are on `{}`", topology_.nodes[to.node].name));
      topology_.connect(from, to, link(written, from, to, at("cables", i, "speed")));
    }
  }

  // "leaf0[3]", or "leaf0" for its first free port; checked to exist and to be free.
  PortRef end(std::string_view text, const std::string& key) const {
    const std::size_t bracket = text.find('[');
    const std::string name(text.substr(0, bracket));
    const auto known = by_name_.find(name);
    if (known == by_name_.end())
      throw BadValue(key, fmt::format("there is no node `{}`{}", name, suggestion(name)));
    const Node& node = topology_.nodes[known->second];
    if (bracket == std::string_view::npos) {
      for (unsigned port = 1; port <= node.ports.size(); ++port)
        if (node.port(port).peer_node == kNone) return {known->second, static_cast<std::uint8_t>(port)};
      throw BadValue(key, fmt::format("all {} ports of `{}` are taken", node.ports.size(), name));
    }
    unsigned port = 0;
    const std::string_view digits =
        text.ends_with(']') ? text.substr(bracket + 1, text.size() - bracket - 2) : "";
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} || stop != digits.data() + digits.size())
      throw BadValue(key, fmt::format("`{}` should end in a port number in brackets, as leaf0[1]", text));
    if (port < 1 || port > node.ports.size())
      throw BadValue(key, fmt::format("`{}` has ports 1 to {}, no port {}", name, node.ports.size(), port));
    if (const Port& taken = node.port(port); taken.peer_node != kNone)
      throw BadValue(key, fmt::format("{} is taken: it is cabled to {}[{}]", text,
                                      topology_.nodes[taken.peer_node].name, taken.peer_port));
    return {known->second, static_cast<std::uint8_t>(port)};
  }

  std::string suggestion(const std::string& name) const {
    std::vector<std::string_view> names;
    for (const Node& node : topology_.nodes) names.push_back(node.name);
    return did_you_mean(name, names);
  }

  // The slower of what the two switches' profiles can do, unless the cable or the fabric states a speed.
  LinkSpec link(const ExplicitCable& written, PortRef a, PortRef b, const std::string& key) const {
    LinkSpec link = default_;
    if (!written.speed.empty())
      std::tie(link.width, link.generation) = speed_of(written.speed, key);
    else if (written_.speed.empty()) {
      bool first = true;
      for (const PortRef end : {a, b}) {
        const auto shape = shapes_.find(end.node);
        if (shape == shapes_.end()) continue;
        LinkSpec able;
        able.generation = shape->second.generation;
        able.width = shape->second.width;
        if (first || data_rate(able) < data_rate(link)) link = able;
        first = false;
      }
    }
    link.cable = written.cable;
    link.length = written.length;
    return link;
  }

  const ExplicitTopology& written_;
  const BuildContext& context_;
  Topology topology_;
  LinkSpec default_;
  std::unordered_map<std::string, NodeIndex> by_name_;
  std::unordered_map<NodeIndex, BuildContext::SwitchShape> shapes_;
};

void ExplicitSwitch::describe(Describe& d) {
  d.field("name", name, "Name, or a range of names: leaf{0..3}.").required();
  d.field("ports", ports, "Ports. Default: the profile's.").range("1", "254");
  d.field("profile", profile, "Switch profile. Default: the fabric's.");
}

void ExplicitHost::describe(Describe& d) {
  d.field("name", name,
          "Name, or a range of names: h{0..7}. The first word is the machine, so \"h0 mlx5_0\" and \"h0 "
          "mlx5_1\" are two "
          "adapters of h0.")
      .required();
  d.field("ports", ports, "Ports of the adapter.").range("1", "254");
}

void ExplicitCable::describe(Describe& d) {
  d.field(
       "a", a,
       "One end: leaf0[1], or leaf0 for its first free port. Ranges (leaf{0..3}[7]) pair up with those of b.")
      .required();
  d.field("b", b, "The other end.").required();
  d.field("speed", speed, "Width and generation: 4xNDR, 2xHDR. Default: the topology's `speed`.");
  d.field("cable", cable, "Cable profile by name. Default: the fabric's.");
  d.field("length", length, "Length. Default: the fabric's.");
}

void ExplicitTopology::describe(Describe& d) {
  d.groups("switches", switches, "Switches.");
  d.groups("hosts", hosts, "Machines, one adapter each entry.");
  d.groups("cables", cables, "Cables between ports.");
  d.field("speed", speed,
          "Speed of cables that state none. Default: the slower switch profile's, else 4xNDR.");
}

Topology ExplicitTopology::build(const BuildContext& context) const {
  return Assembly(*this, context).assemble();
}

}  // namespace

std::unique_ptr<TopologyBuilder> make_explicit() { return std::make_unique<ExplicitTopology>(); }

}  // namespace weft
