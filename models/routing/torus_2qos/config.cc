#include "models/routing/torus_2qos/config.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <string>

#include <fmt/format.h>

#include "sim/suggest.h"

namespace weft {
namespace {

constexpr std::string_view kDimensionNames = "xyz";

/// More switches than a subnet has addresses are no torus.
constexpr std::uint64_t kMostSwitches = kLastUnicastLid;

struct Word {
  std::string_view text;
  std::size_t column = 1;
};

std::vector<Word> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<Word> words;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back({line.substr(at, end - at), at + 1});
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

/// Decimal, 0x and hexadecimal, or 0 and octal, as C reads numbers.
std::optional<std::uint64_t> number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.starts_with('0')) {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Reader {
 public:
  explicit Reader(const TextFile& file) : file_(file) {}

  TorusConfig read() {
    for (line_ = 1; line_ <= file_.line_count(); ++line_) {
      words_ = words_of(file_.line(line_));
      if (words_.empty() || words_[0].text.starts_with('#')) continue;
      read_line(words_[0].text);
    }
    found_.check();
    if (size_line_ == 0) throw ConfigError({file_.at(1), "no line says `torus` or `mesh` and three radices"});
    for (std::size_t i = 0; i < config_.seeds.size(); ++i) check_seed(config_.seeds[i], places_[i]);
    if (config_.seeds.empty()) found_.add(file_.at(size_line_), "no seed follows, such as `xp_link 0x1 0x2`");
    found_.check();
    return config_;
  }

 private:
  /// Where the words of one seed stand.
  struct Places {
    std::size_t first_line = 0;
    std::map<std::string, Location, std::less<>> keyword;
  };

  void read_line(std::string_view keyword) {
    if (keyword == "torus" || keyword == "mesh") return read_size(keyword == "mesh");
    if (keyword == "next_seed") return begin_seed();
    if (keyword == "port_order") return read_port_order();
    if (keyword == "portgroup_max_ports") {
      if (const auto ports = value(1, "a number of ports", 1, 255)) config_.group_ports = *ports;
      return;
    }
    if (keyword == "max_changes") {
      value(1, "a number of changes", 0, 0xffff'ffff);
      return;
    }
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      if (keyword == fmt::format("{}p_link", kDimensionNames[d])) return read_link(direction_of(d, true));
      if (keyword == fmt::format("{}m_link", kDimensionNames[d])) return read_link(direction_of(d, false));
      if (keyword == fmt::format("{}_dateline", kDimensionNames[d])) return read_dateline(d);
    }
    static constexpr std::string_view kKeywords[] = {"torus",
                                                     "mesh",
                                                     "xp_link",
                                                     "xm_link",
                                                     "yp_link",
                                                     "ym_link",
                                                     "zp_link",
                                                     "zm_link",
                                                     "x_dateline",
                                                     "y_dateline",
                                                     "z_dateline",
                                                     "next_seed",
                                                     "portgroup_max_ports",
                                                     "port_order",
                                                     "max_changes"};
    found_.add(at(0), fmt::format("unknown keyword {}{}", quote(keyword), did_you_mean(keyword, kKeywords)));
  }

  Location at(std::size_t word) const {
    return file_.at(line_, word < words_.size() ? words_[word].column : file_.line(line_).size() + 1);
  }

  void expected(std::size_t word, std::string_view what) {
    found_.add(at(word), word < words_.size() ? fmt::format("{} is not {}", quote(words_[word].text), what)
                                              : fmt::format("{} is missing", what));
  }

  std::optional<std::uint32_t> value(std::size_t word, std::string_view what, std::uint64_t least,
                                     std::uint64_t most) {
    const auto read = word < words_.size() ? number(words_[word].text) : std::nullopt;
    if (!read || *read < least || *read > most) {
      expected(word, fmt::format("{} ({} to {})", what, least, most));
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(*read);
  }

  void read_size(bool mesh) {
    if (size_line_ != 0)
      return found_.add(at(0), fmt::format("the size is given already, in line {}", size_line_));
    size_line_ = line_;
    std::uint64_t switches = 1;
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      config_.mesh[d] = mesh;
      if (d + 1 < words_.size()) {
        std::string_view& radix = words_[d + 1].text;
        const char suffix = radix.back();
        if (suffix == 't' || suffix == 'T') config_.mesh[d] = false;
        if (suffix == 'm' || suffix == 'M') config_.mesh[d] = true;
        if (std::string_view("tTmM").find(suffix) != std::string_view::npos) radix.remove_suffix(1);
      }
      const auto radix = value(d + 1, fmt::format("a radix for {}", kDimensionNames[d]), 1, kMostSwitches);
      config_.size[d] = radix.value_or(1);
      // Two switches with cables both ways round are a line with parallel cables.
      if (config_.size[d] == 2) config_.mesh[d] = true;
      switches *= config_.size[d];
    }
    constexpr std::size_t kBeyond = kTorusDimensions + 1;
    if (kBeyond < words_.size() &&
        std::isdigit(static_cast<unsigned char>(words_[kBeyond].text.front())) != 0)
      found_.add(at(kBeyond), fmt::format("a torus has three dimensions here; {} is a fourth",
                                          quote(words_[kBeyond].text)));
    if (switches > kMostSwitches)
      found_.add(at(0), fmt::format("{} switches; a subnet has {} LIDs", switches, kMostSwitches));
  }

  void begin_seed() {
    config_.seeds.emplace_back();
    places_.push_back({line_, {}});
  }

  /// Notes a key of the seed in hand. @return whether it is there for the first time
  bool first_time() {
    if (config_.seeds.empty()) begin_seed();
    const auto [before, added] = places_.back().keyword.try_emplace(std::string(words_[0].text), at(0));
    if (!added)
      found_.add(at(0), fmt::format("this seed has {} already, in line {}", quote(words_[0].text),
                                    before->second.line));
    return added;
  }

  void read_link(unsigned direction) {
    if (!first_time()) return;
    std::array<Guid, 2> ends{};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto guid = i + 1 < words_.size() ? number(words_[i + 1].text) : std::nullopt;
      if (!guid || *guid == 0) return expected(i + 1, "the GUID of a switch (0x and hexadecimal digits)");
      ends[i] = *guid;
    }
    TorusSeed& seed = config_.seeds.back();
    if (seed.from != 0 && seed.from != ends[0])
      found_.add(at(1),
                 fmt::format("all links of a seed begin at one switch; before this it is 0x{:x}", seed.from));
    if (ends[0] == ends[1]) found_.add(at(2), "the link ends at the switch it begins at");
    seed.from = ends[0];
    seed.neighbour[direction] = ends[1];
  }

  void read_dateline(unsigned dimension) {
    if (!first_time()) return;
    if (words_.size() < 2) return expected(1, "a place");
    std::string_view text = words_[1].text;
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const auto place = number(text);
    if (!place || *place > kMostSwitches) return expected(1, "a place on the ring");
    const int distance = static_cast<int>(*place);
    config_.seeds.back().dateline[dimension] = negative ? -distance : distance;
  }

  void read_port_order() {
    config_.port_order.clear();
    for (std::size_t word = 1; word < words_.size() && !words_[word].text.starts_with('#'); ++word) {
      const auto port = value(word, "a port", 0, 254);
      if (!port) return;
      const auto number_of_port = static_cast<std::uint8_t>(*port);
      if (std::ranges::find(config_.port_order, number_of_port) == config_.port_order.end())
        config_.port_order.push_back(number_of_port);
    }
    if (config_.port_order.empty()) expected(1, "a port");
  }

  void check_seed(const TorusSeed& seed, const Places& places) {
    for (unsigned d = 0; d < kTorusDimensions; ++d) {
      const char name = kDimensionNames[d];
      const int size = static_cast<int>(config_.size[d]);
      if (seed.dateline[d] <= -size || seed.dateline[d] >= size)
        found_.add(places.keyword.find(fmt::format("{}_dateline", name))->second,
                   fmt::format("a dateline of {} is beyond a radix of {}", seed.dateline[d], size));
      if (size == 1) continue;
      const bool up = seed.neighbour[direction_of(d, true)].has_value();
      const bool down = seed.neighbour[direction_of(d, false)].has_value();
      const Location where = file_.at(places.first_line);
      if (!up && !down)
        found_.add(where,
                   fmt::format("this seed needs {0}p_link or {0}m_link: {0} has a radix of {1}", name, size));
      else if (size == 4 && !config_.mesh[d] && !(up && down))
        found_.add(where, fmt::format("this seed needs both {0}p_link and {0}m_link: in a ring of four "
                                      "neither way is told from a square of the torus",
                                      name));
    }
  }

  const TextFile& file_;
  std::size_t line_ = 0;
  std::vector<Word> words_;  // of the line in hand
  std::size_t size_line_ = 0;
  TorusConfig config_;
  std::vector<Places> places_;  // of each seed
  Diagnostics found_;
};

}  // namespace

TorusConfig read_torus_config(const TextFile& file) { return Reader(file).read(); }

std::string write_torus_config(const TorusConfig& config) {
  if (config.seeds.empty())
    throw BadValue(
        "to",
        "a torus-2QoS.conf tells of a torus by a switch and its neighbours in each dimension, and here "
        "is no switch that has them and a GUID");
  std::string text = "torus";
  for (unsigned d = 0; d < kTorusDimensions; ++d)
    text += fmt::format(" {}{}", config.size[d], config.mesh[d] ? "m" : "t");
  text += fmt::format("\nportgroup_max_ports {}\n", config.group_ports);
  if (!config.port_order.empty()) text += fmt::format("port_order {}\n", fmt::join(config.port_order, " "));
  for (std::size_t i = 0; i < config.seeds.size(); ++i) {
    if (i > 0) text += "next_seed\n";
    const TorusSeed& seed = config.seeds[i];
    for (unsigned direction = 0; direction < kTorusDirections; ++direction) {
      if (!seed.neighbour[direction]) continue;
      text += fmt::format("{}{}_link 0x{:x} 0x{:x}\n", kDimensionNames[direction / 2],
                          direction % 2 != 0 ? 'p' : 'm', seed.from, *seed.neighbour[direction]);
    }
    for (unsigned d = 0; d < kTorusDimensions; ++d)
      if (seed.dateline[d] != 0)
        text += fmt::format("{}_dateline {}\n", kDimensionNames[d], seed.dateline[d]);
  }
  return text;
}

}  // namespace weft
