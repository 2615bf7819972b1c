#include "models/topology/ibnetdiscover_writer.h"

#include <iterator>

#include <fmt/format.h>

namespace weft {

namespace {

char letter(NodeKind kind) { return kind == NodeKind::switch_ ? 'S' : kind == NodeKind::router ? 'R' : 'H'; }

// One line is one line, whatever a description holds.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

std::string id(const Node& node) {
  if (node.guid != 0) return fmt::format("{}-{:016x}", letter(node.kind), node.guid);
  std::string name = printable(node.name);
  std::erase(name, '"');
  return name;
}

std::string label(const Port& port) {
  return port.label.empty() ? std::string() : fmt::format("[ext {}]", port.label.view());
}

class Writer {
 public:
  Writer(const Topology& topology, const DumpStyle& style) : topology_(topology), style_(style) {}

  std::string write() {
    out_ = style_.head;
    for (const bool switches : {false, true})
      for (const Node& node : topology_.nodes)
        if (style_.adapters_first ? (node.kind == NodeKind::switch_) == switches : !switches) put_node(node);
    return std::move(out_);
  }

 private:
  void put_node(const Node& node) {
    head(node);
    for (std::size_t p = 0; p < node.ports.size(); ++p)
      if (node.ports[p].peer_node < topology_.nodes.size()) line(node, static_cast<unsigned>(p + 1));
  }

  std::string described(const Node& node) const {
    return style_.description == nullptr ? printable(node.name) : style_.description(node.name);
  }

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void head(const Node& node) {
    put("\nvendid=0x{:x}\ndevid=0x{:x}\n", node.vendor_id, node.device_id);
    if (node.system_guid != 0) put("sysimgguid=0x{:x}\n", node.system_guid);
    if (node.kind == NodeKind::switch_) {
      if (node.guid != 0) put("switchguid=0x{:x}({:x})\n", node.guid, node.guid);
      put("Switch\t{} \"{}\"\t\t# \"{}\" {} port 0 lid {} lmc {}\n", node.ports.size(), id(node),
          described(node), node.enhanced_port0 ? "enhanced" : "base", node.lid, node.lmc);
      return;
    }
    const bool router = node.kind == NodeKind::router;
    if (node.guid != 0) put("{}guid=0x{:x}\n", router ? "rt" : "ca", node.guid);
    put("{}\t{} \"{}\"\t\t# \"{}\"\n", router ? "Rt" : "Ca", node.ports.size(), id(node), described(node));
  }

  void line(const Node& node, unsigned number) {
    const Port& port = node.port(number);
    const Node& peer = topology_.nodes[port.peer_node];
    const Port& other = peer.port(port.peer_port);
    const LinkSpec& link = topology_.cables[port.cable].link;
    const std::string speed = style_.speed == nullptr ? speed_text(link) : style_.speed(link);
    const Lid peer_lid = peer.kind == NodeKind::switch_ ? peer.lid : other.lid;
    put("[{}]{}", number, label(port));
    if (node.kind != NodeKind::switch_) put("({:x}) ", port.guid);
    put("\t\"{}\"[{}]{}", id(peer), port.peer_port, label(other));
    if (peer.kind != NodeKind::switch_) put("({:x}) ", other.guid);
    put("\t\t# ");
    if (node.kind != NodeKind::switch_) put("lid {} lmc {} ", port.lid, port.lmc);
    put("\"{}\" lid {} {}\n", described(peer), peer_lid, speed);
  }

  const Topology& topology_;
  const DumpStyle& style_;
  std::string out_;
};

}  // namespace

std::string write_ibnetdiscover(const Topology& topology) { return write_dump(topology, {}); }

std::string write_dump(const Topology& topology, const DumpStyle& style) {
  return Writer(topology, style).write();
}

}  // namespace weft
