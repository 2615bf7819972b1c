#include "models/topology/json_writer.h"

#include <fmt/format.h>

#include "sim/json_text.h"

namespace weft {

namespace {

/// A JSON object in one line; members are added in order.
class Line {
 public:
  Line& text(std::string_view key, std::string_view value) { return put(key, json_text(value)); }
  Line& put(std::string_view key, std::string_view json) {
    text_ += fmt::format("{}\"{}\": {}", text_.empty() ? "" : ", ", key, json);
    return *this;
  }
  Line& number(std::string_view key, std::uint64_t value) { return put(key, std::to_string(value)); }
  Line& number_unless_zero(std::string_view key, std::uint64_t value) {
    return value == 0 ? *this : number(key, value);
  }
  Line& guid(std::string_view key, Guid value) {
    return value == 0 ? *this : text(key, fmt::format("0x{:016x}", value));
  }
  std::string done() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

template <class Values, class Write>
std::string array(const Values& values, Write write, std::string_view between = ", ") {
  std::string text;
  for (const auto& value : values) {
    if (!text.empty()) text += between;
    text += write(value);
  }
  return "[" + text + "]";
}

std::string numbers(const std::vector<std::uint32_t>& values) {
  return array(values, [](std::uint32_t value) { return std::to_string(value); });
}

/// What a port has of its own, by number; empty where no port has anything.
std::string ports(const Node& node) {
  std::string text;
  for (std::size_t p = 0; p < node.ports.size(); ++p) {
    const Port& port = node.ports[p];
    if (port.guid == 0 && port.lid == 0 && port.label.empty()) continue;
    Line line;
    line.number("port", p + 1).guid("guid", port.guid).number_unless_zero("lid", port.lid);
    line.number_unless_zero("lmc", port.lmc);
    if (!port.label.empty()) line.text("label", port.label.view());
    text += (text.empty() ? "" : ", ") + line.done();
  }
  return text;
}

std::string node_text(const Node& node) {
  Line line;
  line.text("name", node.name).text("kind", to_text(node.kind)).number("ports", node.ports.size());
  line.guid("guid", node.guid).guid("system_guid", node.system_guid);
  line.number_unless_zero("vendor_id", node.vendor_id).number_unless_zero("device_id", node.device_id);
  line.number_unless_zero("lid", node.lid).number_unless_zero("lmc", node.lmc);
  if (node.enhanced_port0) line.put("enhanced_port0", "true");
  if (node.level >= 0) line.number("level", static_cast<std::uint64_t>(node.level));
  if (!node.profile.empty()) line.text("profile", node.profile);
  if (node.host != kNone) line.number("machine", node.host).number("rail", node.rail);
  if (const std::string own = ports(node); !own.empty()) line.put("of_ports", "[" + own + "]");
  return line.done();
}

std::string end_text(PortRef end) { return fmt::format("[{}, {}]", end.node, end.port); }

std::string cable_text(const Cable& cable) {
  const Ratio rate = data_rate(cable.link).bits_per_second;
  Line line;
  line.put("a", end_text(cable.a)).put("b", end_text(cable.b)).text("speed", speed_text(cable.link));
  line.number("bits_per_second", rate.num / rate.den);
  if (!cable.link.cable.empty()) line.text("cable", cable.link.cable);
  if (cable.link.length)
    line.put("metres", fmt::format("{}", static_cast<double>(cable.link.length->micrometres) / 1e6));
  return line.done();
}

}  // namespace

std::string write_json(const Topology& topology) {
  constexpr std::string_view kLines = ",\n  ";
  std::string text = "{\"format\": \"weft-fabric\", \"version\": 1,\n \"machines\": " +
                     array(topology.hosts, [](const std::string& name) { return json_text(name); });
  text += ",\n \"nodes\": " + array(topology.nodes, node_text, kLines);
  text += ",\n \"cables\": " + array(topology.cables, cable_text, kLines);
  if (topology.planes > 1) text += fmt::format(",\n \"planes\": {}", topology.planes);
  if (topology.tree)
    text += ",\n \"tree\": " + Line()
                                   .put("children", numbers(topology.tree->down))
                                   .put("parents", numbers(topology.tree->up))
                                   .put("parallel", numbers(topology.tree->parallel))
                                   .done();
  if (topology.grid)
    text += ",\n \"grid\": " + Line()
                                   .put("size", numbers(topology.grid->size))
                                   .put("wraps", array(topology.grid->wraps,
                                                       [](bool wraps) { return wraps ? "true" : "false"; }))
                                   .done();
  return text + "}\n";
}

}  // namespace weft
