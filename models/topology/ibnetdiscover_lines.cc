#include "models/topology/ibnetdiscover_lines.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "models/topology/line_scanner.h"

namespace weft {

namespace {

bool blank(char c) { return c == ' ' || c == '\t'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

Guid guid_of(std::string_view id) {
  if (id.size() < 3 || id.size() > 18 || id[1] != '-') return 0;
  Guid guid = 0;
  const auto [end, error] = std::from_chars(id.data() + 2, id.data() + id.size(), guid, 16);
  return error == std::errc{} && end == id.data() + id.size() ? guid : 0;
}

constexpr std::array<std::pair<std::string_view, NodeKind>, 4> kNodeWords{{
    {"Switch", NodeKind::switch_},
    {"Ca", NodeKind::hca},
    {"Hca", NodeKind::hca},
    {"Rt", NodeKind::router},
}};

constexpr std::array<std::string_view, 10> kIdWords{"vendid", "devid",    "sysimgguid", "switchguid",
                                                    "caguid", "hcaguids", "rtguid",     "width",
                                                    "speed",  "pdebug"};

std::uint8_t lmc_of(LineScanner& s) { return static_cast<std::uint8_t>(s.number("an LMC", 7)); }

// "4xNDR", "4x???", "??QDR", "4xundefined"; false when the word is nothing of the kind.
bool read_speed(std::string_view word, StatedSpeed& speed) {
  if (const auto known = parse_speed(word); known && word.find('x') != std::string_view::npos) {
    speed = {known->first, known->second};
    return true;
  }
  std::size_t digits = 0;
  while (digits < word.size() && digit(word[digits])) ++digits;
  std::string_view generation;
  if (digits > 0 && digits <= 2 && digits < word.size() && word[digits] == 'x')
    generation = word.substr(digits + 1);
  else if (word.starts_with("??"))
    generation = word.substr(2);
  else
    return false;
  if (digits > 0) {
    const auto width = parse_speed(fmt::format("{}xSDR", word.substr(0, digits)));
    if (!width) return false;
    speed.width = width->first;
  }
  if (generation.empty() || generation.starts_with('?') || generation.starts_with("undefined")) return true;
  const auto known = parse_speed(generation);
  if (!known) return false;
  speed.generation = known->second;
  return true;
}

// `s=4 w=2 v=8`: codes of PortInfo, used where the line has no speed in words.
bool read_option(std::string_view word, StatedSpeed& speed) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  std::uint64_t code = 0;
  const char* end_of_word = word.data() + word.size();
  if (std::from_chars(word.data() + equals + 1, end_of_word, code).ptr != end_of_word) return false;
  const std::string_view key = word.substr(0, equals);
  if (key == "w" && !speed.width) speed.width = width_of_code(code);
  if (key == "s" && !speed.generation) speed.generation = generation_of_code(code);
  return true;
}

}  // namespace

std::optional<std::uint8_t> width_of_code(std::uint64_t code) {
  if (code & 8) return std::uint8_t{12};
  if (code & 4) return std::uint8_t{8};
  if (code & 2) return std::uint8_t{4};
  if (code & 16) return std::uint8_t{2};
  if (code & 1) return std::uint8_t{1};
  return std::nullopt;
}

std::optional<Generation> generation_of_code(std::uint64_t code) {
  if (code & 4) return Generation::qdr;
  if (code & 2) return Generation::ddr;
  if (code & 1) return Generation::sdr;
  return std::nullopt;
}

std::optional<StatedSpeed> stated_speed(std::string_view word) {
  StatedSpeed speed;
  return read_speed(word, speed) ? std::optional(speed) : std::nullopt;
}

bool is_node_line(std::string_view line) {
  for (const auto& [word, kind] : kNodeWords) {
    if (!line.starts_with(word) || line.size() == word.size() || !blank(line[word.size()])) continue;
    const std::size_t next = line.find_first_not_of(" \t", word.size());
    return next == std::string_view::npos || line[next] != ':';  // `Switch : 0x...` is a line of ibswitches
  }
  return false;
}

bool is_port_line(std::string_view line) { return line.size() > 1 && line[0] == '[' && digit(line[1]); }

bool is_id_line(std::string_view line) {
  return std::ranges::any_of(kIdWords, [line](std::string_view word) {
    return line.starts_with(word) && line.size() > word.size() && line[word.size()] == '=';
  });
}

NodeLine read_node_line(std::string_view line) {
  LineScanner s(line);
  NodeLine node;
  const std::string_view kind = s.word();
  for (const auto& [word, value] : kNodeWords)
    if (word == kind) node.kind = value;
  s.done();
  const std::size_t count_at = s.at();
  node.ports = static_cast<unsigned>(s.number("the number of ports", 254));
  if (node.ports == 0) {
    s.move_to(count_at);
    s.fail("a node has at least one port");
  }
  s.done();
  node.id_column = s.column();
  node.id = s.quoted("the node's name");
  if (node.id.empty()) throw LineError{node.id_column, "the node's name is empty"};
  node.guid = guid_of(node.id);
  while (!s.done()) {
    if (s.peek() == '"') {
      node.description = s.description();
      continue;
    }
    const std::string_view word = s.word();
    if (word == "enhanced")
      node.enhanced_port0 = true;
    else if (word == "lid")
      node.lid = s.lid();
    else if (word == "lmc")
      node.lmc = lmc_of(s);
  }
  return node;
}

PortLine read_port_line(std::string_view line) {
  LineScanner s(line);
  PortLine port;
  port.number = s.port_number("the start of the line");
  port.label = s.label();
  port.guid = s.port_guid();
  s.done();
  port.peer_column = s.column();
  port.peer = s.quoted("the peer's name");
  if (s.next_is('[')) port.peer_number = s.port_number("the peer's name");
  s.label();
  port.peer_guid = s.port_guid();
  bool described = false;
  while (!s.done()) {
    if (s.peek() == '"') {
      s.description();
      described = true;
      continue;
    }
    const std::uint32_t column = s.column();
    const std::string_view word = s.word();
    if (word == "#") continue;
    if (word == "lid")
      (described ? port.peer_lid : port.lid) = s.lid();
    else if (word == "lmc")
      port.lmc = lmc_of(s);
    else if (word == "slot")
      s.word();
    else if (word == "(scp)" || read_speed(word, port.speed) || read_option(word, port.speed))
      continue;
    else if (described && digit(word[0]) && word.find('x') != std::string_view::npos)
      throw LineError{column, fmt::format("unknown link speed `{}`", word)};
    else if (port.leftover.empty())
      port.leftover = word;
  }
  return port;
}

IdLine read_id_line(std::string_view line) {
  const std::size_t equals = line.find('=');
  IdLine id;
  id.key = line.substr(0, equals);
  LineScanner s(line);
  s.skip(equals + 1);
  id.value =
      id.key == "width" || id.key == "speed" || id.key == "pdebug" ? s.number(id.key, 255) : s.hex(id.key);
  return id;
}

}  // namespace weft
