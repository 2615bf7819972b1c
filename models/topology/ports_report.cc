#include "models/topology/ports_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "models/topology/line_scanner.h"

namespace weft {

namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// What a line says of one end.
struct PortEnd {
  NodeKind kind = NodeKind::hca;
  Lid lid = 0;
  unsigned port = 0;
  Guid guid = 0;
  std::string_view text;     // of the GUID
  std::uint32_t column = 1;  // of the end
  std::string_view name;
};

struct ReportLine {
  PortEnd own;
  StatedSpeed speed;
  std::optional<PortEnd> peer;
};

std::optional<NodeKind> kind_of(std::string_view word) {
  if (word == "SW") return NodeKind::switch_;
  if (word == "CA") return NodeKind::hca;
  if (word == "RT") return NodeKind::router;
  return std::nullopt;
}

PortEnd read_end(LineScanner& s) {
  PortEnd end;
  s.done();
  end.column = s.column();
  const std::string_view word = s.word();
  const auto kind = kind_of(word);
  if (!kind)
    throw LineError{end.column, fmt::format("{} is no kind of node; CA, SW or RT stands here", quote(word))};
  end.kind = *kind;
  end.lid = s.lid();
  s.done();
  const std::uint32_t port_column = s.column();
  end.port = static_cast<unsigned>(s.number("a port number", 254));
  if (end.port == 0) throw LineError{port_column, "port numbers count from 1"};
  s.done();
  const std::uint32_t guid_column = s.column();
  const std::size_t guid_at = s.at();
  end.guid = s.hex("a port GUID");
  end.text = s.since(guid_at);
  if (end.guid == 0) throw LineError{guid_column, "a port GUID is not 0"};
  return end;
}

/// 'name', or 'name' - 'name' where `other` asks for it; the line's last quote ends them, as names may hold
/// quotes.
void read_names(LineScanner& s, ReportLine& line) {
  constexpr std::string_view between = "' - '";
  const auto fail = [&](std::string_view what) {
    s.done();
    throw LineError{s.column(), std::string(what)};
  };
  std::string_view rest = trimmed(s.rest());
  if (line.peer) {
    if (!rest.starts_with("(") || !rest.ends_with(")"))
      fail("( 'description' - 'description' ) should stand here (is the line cut short?)");
    rest = trimmed(rest.substr(1, rest.size() - 2));
  }
  if (rest.size() < 2 || rest.front() != '\'' || rest.back() != '\'')
    fail("a description in single quotes should stand here (is the line cut short?)");
  const std::size_t cut = line.peer ? rest.find(between) : rest.size() - 1;
  if (cut == std::string_view::npos) fail("two descriptions, 'one' - 'other', should stand here");
  line.own.name = rest.substr(1, cut - 1);
  if (line.peer) {
    const std::size_t from = cut + between.size();
    line.peer->name = rest.substr(from, rest.size() - 1 - from);
  }
}

ReportLine read_line(std::string_view text) {
  LineScanner s(text);
  ReportLine line;
  line.own = read_end(s);
  s.done();
  const std::uint32_t width_column = s.column();
  const std::string_view width = s.word(), generation = s.word();
  const auto speed = stated_speed(fmt::format("{}{}", width, generation));
  if (!speed)
    throw LineError{width_column,
                    fmt::format("unknown link speed {}", quote(fmt::format("{} {}", width, generation)))};
  line.speed = *speed;
  if (s.accept('-')) line.peer = read_end(s);
  read_names(s, line);
  return line;
}

class ReportReader {
 public:
  explicit ReportReader(const TextFile& file) : file_(file) {}

  Dump read() {
    for (std::size_t n = 1; n <= file_.line_count(); ++n) read_line_of(n);
    errors_.check();
    for (const auto& [n, line] : lines_)
      if (line.peer) link(n, line);
    errors_.check();
    if (told_once_ > 0)
      dump_.warnings.add(
          file_, first_told_once_,
          fmt::format("{} link(s), this one first, are told by the line of one end only", told_once_));
    dump_.warnings.add(
        file_, lines_[0].first,
        "a ports report (ibnetdiscover -p) tells no GUIDs of adapters, only of their ports, which "
        "stand for them, and no LMCs");
    return std::move(dump_);
  }

 private:
  struct Seen {
    std::size_t node = 0;
    std::string_view id;  // the text by which lines refer to it
  };

  void read_line_of(std::size_t n) {
    const std::string_view whole = file_.line(n), text = trimmed(whole);
    const auto indent = static_cast<std::uint32_t>(text.data() - whole.data());
    if (text.empty() || text[0] == '#') return;
    if (is_noise(text))
      return dump_.warnings.add(file_, n,
                                fmt::format("skipped `{}`, no part of the report", text.substr(0, 80)));
    try {
      ReportLine line = read_line(text);
      line.own.column += indent;
      if (line.peer) line.peer->column += indent;
      add(n, line);
    } catch (const LineError& error) {
      errors_.add(file_.at(n, error.column + indent), error.message);
    }
  }

  void add(std::size_t n, const ReportLine& line) {
    const auto index = node_of(n, line.own);
    if (!index) return;
    const auto [first, fresh] = own_line_.try_emplace({*index, line.own.port}, lines_.size());
    if (!fresh)
      return errors_.add(file_.at(n, line.own.column),
                         fmt::format("port {} of {} is described twice, first on line {}", line.own.port,
                                     line.own.text, lines_[first->second].first));
    lines_.emplace_back(n, line);
  }

  /// The node of an end, new where it is the first seen of it; none where its GUID is another's.
  std::optional<std::size_t> node_of(std::size_t n, const PortEnd& end) {
    const auto known = by_guid_.find(end.guid);
    if (known != by_guid_.end()) {
      DumpNode& node = dump_.nodes[known->second.node];
      if (node.said.kind != end.kind ||
          (end.kind != NodeKind::switch_ && number_of_.at(end.guid) != end.port)) {
        errors_.add(file_.at(n, end.column),
                    fmt::format("{} is the GUID of another port on line {}", end.text, node.line));
        return std::nullopt;
      }
      settle_lid(n, end, node);
      node.said.ports = std::max(node.said.ports, end.port);
      return known->second.node;
    }
    std::size_t index = dump_.nodes.size();
    if (end.kind != NodeKind::switch_) {
      const auto [adapter, fresh] = adapters_.try_emplace({end.kind, end.name, end.guid - end.port}, index);
      index = adapter->second;
      number_of_[end.guid] = end.port;
    }
    if (index == dump_.nodes.size()) {
      DumpNode& node = dump_.nodes.emplace_back();
      node.said.kind = end.kind;
      node.said.id = end.text;
      node.said.id_column = end.column;
      node.said.description = end.name;
      node.said.lid = end.kind == NodeKind::switch_ ? end.lid : 0;
      node.line = n;
      node.guid = end.guid;
    }
    DumpNode& node = dump_.nodes[index];
    node.said.ports = std::max(node.said.ports, end.port);
    by_guid_.try_emplace(end.guid, Seen{index, end.text});
    dump_.by_id.try_emplace(end.text, index);
    return index;
  }

  /// A switch has one LID, whichever of its ports a line is of; that of its first line holds.
  void settle_lid(std::size_t n, const PortEnd& end, DumpNode& node) {
    if (node.said.kind != NodeKind::switch_ || end.lid == 0 || end.lid == node.said.lid) return;
    if (node.said.lid == 0)
      node.said.lid = end.lid;
    else
      dump_.warnings.add(file_, n,
                         fmt::format("LID {} for {}, which line {} gives LID {}", end.lid, end.text,
                                     node.line, node.said.lid));
  }

  void link(std::size_t n, const ReportLine& line) {
    const PortEnd &own = line.own, &peer = *line.peer;
    const auto there = node_of(n, peer);
    if (!there) return;
    const std::size_t here = by_guid_.at(own.guid).node;
    put(n, here, own, peer, line.speed);
    const auto mirror = own_line_.find({*there, peer.port});
    if (mirror != own_line_.end()) {
      if (lines_[mirror->second].second.peer) return;
      return errors_.add(file_.at(n, peer.column),
                         fmt::format("{}[{}] is cabled to {}[{}] here, but has no peer on line {}", own.text,
                                     own.port, peer.text, peer.port, lines_[mirror->second].first));
    }
    if (!put(n, *there, peer, own, line.speed)) return;  // another line has told this end: compared later
    if (told_once_++ == 0) first_told_once_ = n;
  }

  /// The line of a topology that says the same; false where the port has one.
  bool put(std::size_t n, std::size_t node, const PortEnd& own, const PortEnd& peer,
           const StatedSpeed& speed) {
    DumpPort port;
    port.line = n;
    port.said.number = own.port;
    port.said.peer = by_guid_.at(peer.guid).id;
    port.said.peer_column = peer.column;
    port.said.peer_number = peer.port;
    port.said.speed = speed;
    port.said.peer_lid = peer.lid;
    if (own.kind != NodeKind::switch_) {
      port.said.guid = own.guid;
      port.said.lid = own.lid;
    }
    if (peer.kind != NodeKind::switch_) port.said.peer_guid = peer.guid;
    return dump_.nodes[node].ports.try_emplace(own.port, port).second;
  }

  const TextFile& file_;
  Diagnostics errors_;
  Dump dump_;
  std::vector<std::pair<std::size_t, ReportLine>> lines_;             // with their numbers
  std::map<std::pair<std::size_t, unsigned>, std::size_t> own_line_;  // node and port -> index in lines_
  std::unordered_map<Guid, Seen> by_guid_;
  std::unordered_map<Guid, unsigned> number_of_;  // port number of an adapter's port
  std::map<std::tuple<NodeKind, std::string_view, Guid>, std::size_t> adapters_;
  std::size_t told_once_ = 0, first_told_once_ = 0;
};

}  // namespace

bool is_ports_line(std::string_view line) {
  LineScanner s(line);
  if (!kind_of(s.word())) return false;
  for (int numbers = 0; numbers < 2; ++numbers) {
    const std::string_view word = s.word();
    if (word.empty() || !std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) return false;
  }
  return s.word().starts_with("0x");
}

bool is_ports_report(const TextFile& file) {
  for (std::size_t n = 1; n <= file.line_count(); ++n) {
    const std::string_view text = trimmed(file.line(n));
    if (text.empty() || text[0] == '#' || is_noise(text)) continue;
    return is_ports_line(text);
  }
  return false;
}

Dump read_ports_report(const TextFile& file) { return ReportReader(file).read(); }

}  // namespace weft
