#include "models/topology/ibnetdiscover_dump.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/suggest.h"

namespace weft {

namespace {

constexpr std::size_t kMostWarnings = 20;
constexpr std::size_t kMostForeignLines = 3;  // so many before any node: the file is something else

class DumpReader {
 public:
  explicit DumpReader(const TextFile& file) : file_(file) {}

  Dump read() {
    for (std::size_t n = 1; n <= file_.line_count(); ++n) read_line(n);
    errors_.check();
    if (dump_.nodes.empty()) refuse_empty();
    return std::move(dump_);
  }

 private:
  void read_line(std::size_t n) {
    std::string_view line = file_.line(n);
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(indent);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r'))
      line.remove_suffix(1);
    try {
      if (line.empty() || line[0] == '#') return;
      if (is_port_line(line))
        on_port(n, indent, read_port_line(line));
      else if (is_node_line(line))
        on_node(n, indent, read_node_line(line));
      else if (is_id_line(line))
        on_id(n, read_id_line(line));
      else
        on_other(n, line);
    } catch (const LineError& error) {
      errors_.add(file_.at(n, static_cast<std::uint32_t>(error.column + indent)), error.message);
      if (is_node_line(line)) state_ = State::in_broken_node;
    }
  }

  void on_id(std::size_t n, const IdLine& id) {
    if (id.key == "vendid")
      pending_.vendor_id = static_cast<std::uint32_t>(id.value);
    else if (id.key == "devid")
      pending_.device_id = static_cast<std::uint32_t>(id.value);
    else if (id.key == "sysimgguid")
      pending_.system_guid = id.value;
    else if (id.key == "width")
      net_speed_.width = width_of_code(id.value);
    else if (id.key == "speed")
      net_speed_.generation = generation_of_code(id.value);
    else if (id.key != "pdebug") {
      pending_.guid = id.value;
      pending_.line = n;
    }
  }

  void on_node(std::size_t n, std::size_t indent, const NodeLine& said) {
    DumpNode node = std::exchange(pending_, {});
    const auto [known, fresh] = dump_.by_id.try_emplace(said.id, dump_.nodes.size());
    state_ = fresh ? State::in_node : State::in_broken_node;
    if (!fresh)
      return errors_.add(file_.at(n, static_cast<std::uint32_t>(said.id_column + indent)),
                         fmt::format("\"{}\" is described twice, first on line {}", said.id,
                                     dump_.nodes[known->second].line));
    if (said.guid != 0 && node.guid != 0 && said.guid != node.guid)
      dump_.warnings.add(
          file_, node.line,
          fmt::format("GUID 0x{:x} and the name \"{}\" differ; the name holds", node.guid, said.id));
    if (said.guid != 0) node.guid = said.guid;
    if (node.guid != 0) {
      const auto [other, unused] = guids_.try_emplace(node.guid, n);
      if (!unused)
        errors_.add(file_.at(n), fmt::format("GUID 0x{:016x} is already that of the node on line {}",
                                             node.guid, other->second));
    }
    node.said = said;
    node.line = n;
    dump_.nodes.push_back(std::move(node));
  }

  void on_port(std::size_t n, std::size_t indent, PortLine said) {
    if (state_ == State::in_broken_node) return;
    if (state_ == State::before_nodes)
      return errors_.add(file_.at(n), "a port line, but no Switch, Ca or Rt line before it");
    DumpNode& node = dump_.nodes.back();
    const Location place = file_.at(n, static_cast<std::uint32_t>(indent + 2));
    if (said.number > node.said.ports)
      return errors_.add(place, fmt::format("port {} of a node with {} ports (line {})", said.number,
                                            node.said.ports, node.line));
    if (!said.leftover.empty())
      dump_.warnings.add(file_, n, fmt::format("`{}` is not understood and not used", said.leftover));
    if (!said.speed.width) said.speed.width = net_speed_.width;
    if (!said.speed.generation) said.speed.generation = net_speed_.generation;
    const auto [first, fresh] = node.ports.try_emplace(said.number, DumpPort{said, n, indent});
    if (!fresh)
      errors_.add(place, fmt::format("port {} of \"{}\" is described twice, first on line {}", said.number,
                                     node.said.id, first->second.line));
  }

  void on_other(std::size_t n, std::string_view line) {
    for (const std::string_view heading : {"Chassis ", "Non-Chassis Nodes", "Hostname:", "DR path"})
      if (line.starts_with(heading)) return;
    if (std::string reason = foreign_format(line); !reason.empty())
      throw ConfigError(Diagnostic{file_.at(n), std::move(reason)});
    if (is_noise(line))
      return dump_.warnings.add(file_, n,
                                fmt::format("skipped `{}`, no part of the dump", line.substr(0, 80)));
    if (line[0] == '@' || line.starts_with("module") || line.starts_with("include"))
      return errors_.add(file_.at(n),
                         "ibsim's module, include and alias lines are not read; start ibsim with this file "
                         "and run ibnetdiscover in it");
    if (dump_.nodes.empty() && ++foreign_lines_ > kMostForeignLines)
      throw ConfigError(Diagnostic{file_.at(first_foreign_line_), "this is not ibnetdiscover output"});
    if (foreign_lines_ == 1) first_foreign_line_ = n;
    constexpr std::array<std::string_view, 8> words{"Switch", "Ca",         "Rt",     "vendid",
                                                    "devid",  "sysimgguid", "caguid", "switchguid"};
    const std::string_view near = nearest_word(line.substr(0, line.find_first_of(" \t=\"")), words);
    errors_.add(file_.at(n),
                near.empty() ? "not a line of ibnetdiscover output"
                             : fmt::format("not a line of ibnetdiscover output; did you mean `{}`?", near));
    // It may have been a node's line: what follows must not go to the node before.
    state_ = State::in_broken_node;
  }

  [[noreturn]] void refuse_empty() const {
    for (std::size_t n = 1; n <= file_.line_count(); ++n)
      if (file_.line(n).find_first_not_of(" \t\r#") != std::string_view::npos)
        throw ConfigError(Diagnostic{file_.at(n),
                                     "the dump describes no node: there is no line such as "
                                     "`Switch 36 \"S-0002c902...\"`; see what ibnetdiscover printed"});
    throw ConfigError(
        Diagnostic{{file_.name(), 1, 1, {}}, "the file is empty: ibnetdiscover wrote nothing into it"});
  }

  enum class State { before_nodes, in_node, in_broken_node };

  const TextFile& file_;
  Diagnostics errors_;
  Dump dump_;
  std::unordered_map<Guid, std::size_t> guids_;  // -> line
  DumpNode pending_;                             // what the id lines said before a node's own
  StatedSpeed net_speed_;                        // ibsim's width= and speed=
  State state_ = State::before_nodes;
  std::size_t foreign_lines_ = 0, first_foreign_line_ = 1;
};

}  // namespace

void DumpWarnings::add(const TextFile& file, std::size_t line, std::string_view message) {
  if (++count_ <= kMostWarnings) kept_.push_back(fmt::format("{}:{}: {}", file.name(), line, message));
}

std::vector<std::string> DumpWarnings::take(const TextFile& file) {
  if (count_ > kept_.size())
    kept_.push_back(fmt::format("{}: and {} more like these", file.name(), count_ - kept_.size()));
  return std::move(kept_);
}

Dump read_dump(const TextFile& file) { return DumpReader(file).read(); }

}  // namespace weft
