#include "tools/results_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "sim/error.h"
#include "sim/fingerprint.h"
#include "tools/json.h"
#include "tools/version.h"
#include "tools/write_file.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

std::string csv_cell(const Value& value) {
  const std::string text = to_text(value);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv(const Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    out += c == 0 ? "" : ",";
    out += csv_cell(column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit));
  }
  out += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) out += (c == 0 ? "" : ",") + csv_cell(row[c]);
    out += "\n";
  }
  return out;
}

std::uint64_t hash_of(const std::string& text) {
  Chain chain;
  for (const char c : text) chain.add(static_cast<unsigned char>(c));
  return chain.value();
}

/// Every device profile in force, with a hash of its values: overrides of the scenario included.
std::string profiles_json(Prepared& prepared) {
  const Document nothing = Document::parse("{}", "");
  std::string out;
  const auto add = [&](std::string_view kind, std::string_view name, Configurable& profile) {
    out +=
        fmt::format("{}\n    {{\"kind\": {}, \"name\": {}, \"hash\": \"{:016x}\"}}", out.empty() ? "" : ",",
                    json_text(kind), json_text(name), hash_of(dump_config(nothing, profile)));
  };
  for (auto& [name, profile] : prepared.devices.switches) add("switch", name, profile);
  for (auto& [name, profile] : prepared.devices.hcas) add("hca", name, profile);
  for (auto& [name, profile] : prepared.devices.cables) add("cable", name, profile);
  for (auto& [generation, profile] : prepared.devices.links) add("link", to_text(generation), profile);
  return out;
}

/// Runs that write into one folder take turns, so that what is there comes from one of them.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ >= 0) ::flock(fd_, LOCK_EX);
  }
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int fd_;
};

/// Tables an earlier run left in the folder, by that run's own list of them, and this one does not write.
void remove_stale_tables(const fs::path& folder, const Recorder& recorder) {
  std::ifstream earlier(folder / "provenance.json");
  for (std::string line; std::getline(earlier, line);) {
    const std::size_t from = line.find("    \""), to = line.rfind(".csv\"");
    if (from != 0 || to == std::string::npos || to < 5) continue;
    const std::string name = line.substr(5, to - 5);
    if (name.find('/') != std::string::npos || recorder.find(name) != nullptr) continue;
    std::error_code ignored;
    fs::remove(folder / (name + ".csv"), ignored);
  }
}

}  // namespace

std::string summary_json(const Prepared& prepared, const RunResult& result, const Recorder& recorder) {
  std::string out =
      fmt::format("{{\n  \"name\": {},\n  \"verdict_text\": {},\n  \"weft_version\": {},\n  \"seed\": {},\n",
                  json_text(prepared.scenario.name), json_text(result.verdict_text), json_text(kVersion),
                  prepared.scenario.run.seed);
  for (const auto& [name, value] : recorder.values())
    out += fmt::format("  {}: {},\n", json_text(name), json_value(value));
  out += "  \"warnings\": [";
  for (std::size_t i = 0; i < recorder.warnings().size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", json_text(recorder.warnings()[i]));
  out += "],\n  \"tables\": {";
  bool first = true;
  for (const Table& table : recorder.tables()) {
    if (!table.on_terminal) continue;
    out += fmt::format("{}\n    {}: {}", first ? "" : ",", json_text(table.name), json_table(table));
    first = false;
  }
  return out + "\n  }\n}\n";
}

void create_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw BadValue("out", fmt::format("cannot create the folder {}: {}", folder, error.message()));
}

void write_results(const std::string& folder, Prepared& prepared, const RunResult& result,
                   const Recorder& recorder) {
  create_folder(folder);
  const FolderLock lock(folder);
  // The summary goes first and comes last: a folder without one was not finished.
  std::error_code ignored;
  fs::remove(fs::path(folder) / "summary.json", ignored);
  std::optional<BadValue> first;
  const auto write = [&](const std::string& name, const std::string& content) {
    try {
      write_file(fs::path(folder) / name, content);
    } catch (const BadValue& error) {
      if (!first) first = error;
    }
  };
  remove_stale_tables(folder, recorder);
  std::string tables;
  for (const Table& table : recorder.tables()) {
    write(table.name + ".csv", csv(table));
    tables += fmt::format("{}\n    {}", tables.empty() ? "" : ",", json_text(table.name + ".csv"));
  }
  const std::string resolved = dump_config(prepared.document, prepared.scenario);
  write("scenario.resolved.yaml", resolved);
  write("provenance.json",
        fmt::format("{{\n  \"weft_version\": {},\n  \"build\": {},\n  \"scenario_hash\": \"{:016x}\",\n"
                    "  \"profiles\": [{}\n  ],\n  \"tables\": [{}\n  ],\n  \"seed\": {},\n  \"fingerprint\": "
                    "\"{:016x}\"\n}}\n",
                    json_text(kVersion), json_text(build_text()), hash_of(resolved), profiles_json(prepared),
                    tables, prepared.scenario.run.seed, result.fingerprint));
  write("summary.json", summary_json(prepared, result, recorder));
  if (first) throw *first;
}

}  // namespace weft
