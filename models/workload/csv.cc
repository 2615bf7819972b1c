// CSV traffic: one message a line.
//
//   src,dst,bytes,start_us
//   h0,h1,1048576,0
//
// The header names the columns in any order; a size or a start carries its unit there: bytes, KiB, MiB, kB,
// MB, GB; start_ps, start_ns, start_us, start_ms, start_s. `sl` is optional. src and dst are endpoint numbers
// or names.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "models/workload/pattern_rows.h"
#include "sim/error.h"
#include "sim/suggest.h"
#include "sim/text_file.h"

namespace weft {
namespace {

struct Send {
  Ticks start = 0;
  std::uint64_t bytes = 0;
  std::uint32_t destination = 0;
  std::uint8_t sl = Message::kPathSl;
};

struct Field {
  std::string_view text;
  std::size_t column;  // from 1
};

/// Splits at commas; blanks around a field and one pair of double quotes are taken off.
std::vector<Field> split(std::string_view line) {
  std::vector<Field> fields;
  std::size_t at = 0;
  while (true) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    std::size_t from = at, to = comma;
    while (from < to && (line[from] == ' ' || line[from] == '\t')) ++from;
    while (to > from && (line[to - 1] == ' ' || line[to - 1] == '\t')) --to;
    if (to - from >= 2 && line[from] == '"' && line[to - 1] == '"') ++from, --to;
    fields.push_back({line.substr(from, to - from), from + 1});
    if (comma == line.size()) return fields;
    at = comma + 1;
  }
}

struct Columns {
  std::optional<std::size_t> source, destination, size, start, sl;
  std::uint64_t size_unit = 1;  // bytes
  Ticks start_unit = 1;         // ps
  std::size_t count = 0;
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

Columns read_header(const TextFile& file, std::size_t line) {
  static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 9> kSizes{{{"bytes", 1},
                                                                                     {"kb", 1000},
                                                                                     {"mb", 1'000'000},
                                                                                     {"gb", 1'000'000'000},
                                                                                     {"kib", 1024},
                                                                                     {"mib", 1 << 20},
                                                                                     {"gib", 1 << 30},
                                                                                     {"b", 1},
                                                                                     {"size_bytes", 1}}};
  static constexpr std::array<std::pair<std::string_view, Ticks>, 5> kStarts{
      {{"start_ps", 1},
       {"start_ns", 1'000},
       {"start_us", 1'000'000},
       {"start_ms", 1'000'000'000},
       {"start_s", 1'000'000'000'000}}};
  static constexpr std::array<std::string_view, 9> kKnown{
      "src", "dst", "bytes", "start_ps", "start_ns", "start_us", "start_ms", "start_s", "sl"};
  Columns columns;
  const std::vector<Field> fields = split(file.line(line));
  columns.count = fields.size();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string name = lower(fields[i].text);
    const auto fail = [&](const std::string& message) {
      throw ConfigError({file.at(line, fields[i].column), message});
    };
    std::optional<std::size_t>* slot = nullptr;
    if (name == "src" || name == "source") slot = &columns.source;
    if (name == "dst" || name == "destination") slot = &columns.destination;
    if (name == "sl") slot = &columns.sl;
    if (name.rfind("size_", 0) == 0 && name != "size_bytes") name = name.substr(5);
    for (const auto& [word, unit] : kSizes)
      if (name == word) slot = &columns.size, columns.size_unit = unit;
    // "start [us]", "start (us)" and "start us" are spelled start_us as well
    if (name.rfind("start", 0) == 0) {
      std::string plain;
      for (const char c : name)
        if (c != '[' && c != ']' && c != '(' && c != ')') plain += c == ' ' ? '_' : c;
      for (const auto& [word, unit] : kStarts)
        if (plain == word) slot = &columns.start, columns.start_unit = unit;
      if (name == "start")
        fail("column `start` has no unit; name it start_ps, start_ns, start_us, start_ms or start_s");
    }
    if (slot == nullptr && name == "size")
      fail("column `size` has no unit; name it bytes, KiB, MiB, GiB, kB, MB or GB");
    if (fields.size() == 1 && name.find_first_of(";\t") != std::string::npos)
      fail("the fields are to be separated by commas");
    if (slot == nullptr && name.find_first_not_of("0123456789.") == std::string::npos)
      fail("the first line names the columns, such as `src,dst,bytes,start_us`");
    if (slot == nullptr)
      fail(fmt::format("unknown column `{}`{}", fields[i].text, did_you_mean(name, kKnown)));
    if (slot->has_value()) fail(fmt::format("column `{}` stands twice", fields[i].text));
    *slot = i;
  }
  const auto need = [&](const std::optional<std::size_t>& slot, std::string_view name) {
    if (!slot) throw ConfigError({file.at(line), fmt::format("the header has no column `{}`", name)});
  };
  need(columns.source, "src");
  need(columns.destination, "dst");
  need(columns.size, "bytes");
  return columns;
}

/// A non-negative decimal times `unit`, exactly.
std::uint64_t read_number(const TextFile& file, std::size_t line, const Field& field, std::uint64_t unit,
                          std::uint64_t maximum, std::string_view what, std::string_view unit_name) {
  const auto fail = [&](const std::string& why) {
    throw ConfigError({file.at(line, field.column), fmt::format("`{}` {}", field.text, why)});
  };
  if (field.text.empty())
    throw ConfigError({file.at(line, field.column), fmt::format("{} is missing here", what)});
  Uint128 value = 0, scale = 1;
  bool point = false, digits = false;
  for (const char c : field.text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') fail(fmt::format("is not {}", what));
    digits = true;
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (point) scale *= 10;
    if (value > Uint128{maximum} * 1'000'000'000'000 || scale > Uint128{1'000'000'000'000'000'000})
      fail(fmt::format("has too many digits for {}", what));
  }
  if (!digits) fail(fmt::format("is not {}", what));
  value *= unit;
  if (value % scale != 0) fail(fmt::format("is no whole number of {}", unit_name));
  value /= scale;
  if (value > maximum) fail(fmt::format("is too large for {}", what));
  return static_cast<std::uint64_t>(value);
}

class CsvWorkload : public Workload {
 public:
  CsvWorkload(std::vector<std::vector<Send>> sends, StreamSettings stream)
      : sends_(std::move(sends)), next_(sends_.size()), stream_(stream) {}

  void start(Network& network, std::uint32_t stream) override {
    network_ = &network;
    number_ = stream;
    for (std::uint32_t source = 0; source < sends_.size(); ++source)
      if (!sends_[source].empty()) wait_or_send(source);
  }
  void on_wake(std::uint32_t source, std::uint32_t) override { wait_or_send(source); }
  std::uint64_t planned() const override {
    std::uint64_t sum = 0;
    for (const auto& list : sends_) sum += list.size();
    return sum;
  }

 private:
  void wait_or_send(std::uint32_t source) {
    const std::vector<Send>& list = sends_[source];
    for (std::size_t& n = next_[source]; n < list.size(); ++n) {
      const Ticks at = list[n].start + stream_.start.count();
      if (at > network_->now()) return network_->wake(number_, source, at, 0);
      Message message;
      message.source = source;
      message.destination = list[n].destination;
      message.bytes = list[n].bytes;
      message.sl = list[n].sl;
      message.stream = number_;
      message.flow = number_;
      if (stream_.rate) message.static_rate = picoseconds_per_byte(*stream_.rate);
      network_->post(message);
    }
  }

  std::vector<std::vector<Send>> sends_;  // by source, by start
  std::vector<std::size_t> next_;
  StreamSettings stream_;
  Network* network_ = nullptr;
  std::uint32_t number_ = 0;
};

class Csv : public Pattern {
 public:
  void describe(Describe& d) override {
    d.field("file", file_, "The CSV file (plain or gzip): src,dst,bytes[,start_UNIT][,sl].").required();
    stream.describe(d);
  }
  std::unique_ptr<Workload> make(const PatternContext& context) const override {
    return std::make_unique<CsvWorkload>(read(context), stream);
  }
  FlowList flows(const PatternContext& context) const override {
    return [all = read(context)](const std::function<void(const Flow&)>& visit) {
      for (std::uint32_t source = 0; source < all.size(); ++source)
        for (const Send& send : all[source]) visit({source, send.destination, send.bytes});
    };
  }

 private:
  /// By source, by start.
  std::vector<std::vector<Send>> read(const PatternContext& context) const;

  std::string file_;
};

std::vector<std::vector<Send>> Csv::read(const PatternContext& context) const {
  const std::string path = file_.empty() || file_.front() == '/' || context.base_folder.empty()
                               ? file_
                               : context.base_folder + "/" + file_;
  const TextFile file = TextFile::load(path);
  std::optional<Columns> columns;
  std::vector<std::vector<Send>> sends(context.endpoints.size());
  const EndpointNames names(context);
  Diagnostics found;
  std::size_t rows = 0;
  for (std::size_t n = 1; n <= file.line_count(); ++n) {
    const std::string_view line = file.line(n);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#') continue;
    if (!columns) {
      columns = read_header(file, n);
      continue;
    }
    const std::vector<Field> fields = split(line);
    try {
      if (fields.size() != columns->count)
        throw ConfigError(
            {file.at(n), fmt::format("{} fields; the header has {}", fields.size(), columns->count)});
      const auto end = [&](std::size_t i) {
        try {
          return names.find(std::string(fields[i].text), "");
        } catch (const BadValue& error) {
          throw ConfigError({file.at(n, fields[i].column), error.what()});
        }
      };
      Send send;
      const std::uint32_t source = end(*columns->source);
      send.destination = end(*columns->destination);
      if (source == send.destination)
        throw ConfigError(
            {file.at(n, fields[*columns->destination].column), "the message goes to its sender"});
      send.bytes = read_number(file, n, fields[*columns->size], columns->size_unit, std::uint64_t{1} << 50,
                               "a size", "bytes");
      send.sl = stream.message_sl();
      if (columns->start)
        send.start = static_cast<Ticks>(read_number(file, n, fields[*columns->start],
                                                    static_cast<std::uint64_t>(columns->start_unit),
                                                    std::uint64_t{1} << 62, "a start time", "picoseconds"));
      if (columns->sl)
        send.sl = static_cast<std::uint8_t>(
            read_number(file, n, fields[*columns->sl], 1, 15, "a service level (0 to 15)", "levels"));
      try {
        check_flow(context, source, send.destination,
                   send.sl == Message::kPathSl ? std::nullopt : std::optional<std::uint32_t>(send.sl));
      } catch (const BadValue& error) {
        throw ConfigError({file.at(n, fields[*columns->destination].column), error.what()});
      }
      sends[source].push_back(send);
      ++rows;
    } catch (const ConfigError& error) {
      for (const Diagnostic& d : error.diagnostics()) found.add(d.where, d.message);
    }
  }
  found.check();
  if (!columns)
    throw ConfigError({file.at(1), "the file is empty; expected a header `src,dst,bytes,start_us`"});
  if (rows == 0) throw ConfigError({file.at(file.line_count()), "the file has a header but no message"});
  for (auto& list : sends)
    std::stable_sort(list.begin(), list.end(),
                     [](const Send& a, const Send& b) { return a.start < b.start; });
  return sends;
}

}  // namespace

std::unique_ptr<Pattern> make_csv() { return std::make_unique<Csv>(); }

}  // namespace weft
