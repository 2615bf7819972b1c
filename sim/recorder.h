// What a run found out, as named tables and values. Models and workloads write here; reports read only from
// here.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/text.h"

namespace weft {

/// One cell: nothing, a count, a measured number, or a text.
using Value = std::variant<std::monostate, std::int64_t, double, Text>;

struct TableColumn {
  std::string name;  // as in the CSV header: "t_avg"
  std::string unit;  // "ns", "Gb/s", "%"; empty for counts and names
  int decimals = 2;  // digits shown on the terminal; files hold what identifies the number
};

/// A table of results. The first `keys` columns name a row.
struct Table {
  std::string name;   // file name of its CSV: "latency"
  std::string title;  // one line for the terminal
  std::size_t keys = 1;
  std::vector<TableColumn> columns;
  std::vector<std::vector<Value>> rows;
  bool on_terminal = true;

  void add(std::vector<Value> row) { rows.push_back(std::move(row)); }
  /// Index of a column by name; npos when there is none.
  std::size_t column(std::string_view column_name) const;
  /// The row whose key columns, joined by " ", read `key`; nullptr when there is none.
  const std::vector<Value>* row(std::string_view key) const;
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

class Recorder {
 public:
  /// A new table, kept in order of creation. References stay valid.
  Table& table(std::string name, std::string title, std::size_t keys, std::vector<TableColumn> columns);
  const Table* find(std::string_view name) const;
  const std::deque<Table>& tables() const { return tables_; }

  /// A single named value ("simulated_time_us"); setting it again replaces it.
  void set(std::string_view name, Value value);
  const Value* get(std::string_view name) const;
  const std::vector<std::pair<std::string, Value>>& values() const { return values_; }

  /// Something a reader of the results must know; the same sentence is kept once.
  void warn(std::string message);
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::deque<Table> tables_;
  std::vector<std::pair<std::string, Value>> values_;
  std::vector<std::string> warnings_;
};

/// A value as files hold it: shortest text that reads back to the same number.
std::string to_text(const Value& value);

}  // namespace weft
