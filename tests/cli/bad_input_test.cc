// Broken scenarios, dumps and command lines, each with the exact text a user gets: tests/bad_input/*.cases. A
// case is
//
//   == what is wrong
//   -- s.yaml                              a file it needs, and its lines; `-- escaped s.yaml`: the lines joined, with
//   weft: 1                                \n \r \t \\ and \xNN read as such
//   -- $ weft check s.yaml -> 1            the command (words split at blanks), its exit status
//   s.yaml:1:1: error: ...                 all of its standard error; nothing goes to its standard output
#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "tests/catch.h"
#include "tests/cli/process.h"
#include "tests/temp_folder.h"

namespace weft {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    switch (text.at(++i)) {
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case '\\':
        out += '\\';
        break;
      case 'x':
        out += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
        i += 2;
        break;
      default:
        throw std::runtime_error("unknown escape in " + text);
    }
  }
  return out;
}

struct Case {
  std::string title;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> command;
  int status = 0;
  std::string error;
};

Case read_case(const std::vector<std::string>& lines) {
  Case result;
  result.title = lines[0].substr(3);
  for (std::size_t n = 1; n < lines.size();) {
    if (lines[n].rfind("-- ", 0) != 0)
      throw std::runtime_error("expected `-- ` in case " + result.title + ": " + lines[n]);
    const std::string head = lines[n].substr(3);
    const bool escaped = head.rfind("escaped ", 0) == 0;
    std::string body;
    for (++n; n < lines.size() && lines[n].rfind("-- ", 0) != 0; ++n)
      body += lines[n] + (escaped ? "" : "\n");
    if (head.rfind("$ weft ", 0) == 0) {
      const std::size_t arrow = head.rfind(" -> ");
      result.command = words_of(head.substr(7, arrow - 7));
      result.status = std::stoi(head.substr(arrow + 4));
      result.error = body;
    } else {
      result.files.emplace_back(escaped ? head.substr(8) : head, escaped ? unescaped(body) : body);
    }
  }
  return result;
}

std::vector<Case> cases_in(const std::string& path) {
  const std::vector<std::string> lines = lines_of(read_file(path));
  std::vector<Case> cases;
  for (std::size_t n = 0; n < lines.size();) {
    std::size_t end = n + 1;
    while (end < lines.size() && lines[end].rfind("== ", 0) != 0) ++end;
    std::vector<std::string> block(lines.begin() + static_cast<std::ptrdiff_t>(n),
                                   lines.begin() + static_cast<std::ptrdiff_t>(end));
    while (!block.empty() && block.back().empty()) block.pop_back();  // the blank line between cases
    if (!block.empty() && block[0].rfind("== ", 0) == 0) cases.push_back(read_case(block));
    n = end;
  }
  return cases;
}

void check_cases(const std::string& name) {
  const std::vector<Case> cases = cases_in(WEFT_SOURCE_DIR "/tests/bad_input/" + name + ".cases");
  REQUIRE(cases.size() > 9);
  for (const Case& one : cases) {
    INFO(name << ": " << one.title);
    const TempFolder folder;
    for (const auto& [file, content] : one.files) folder.write(file, content);
    RunOptions options;
    options.folder = folder.path();
    const Outcome outcome = run_weft(one.command, options);
    CHECK(outcome.err == one.error);
    CHECK(outcome.out.empty());
    CHECK(outcome.status == one.status);
    CHECK(one.status != 0);
  }
}

}  // namespace

TEST_CASE("broken YAML is refused with the right words", "[fast]") { check_cases("yaml"); }
TEST_CASE("wrong keys and values are refused with the right words", "[fast]") { check_cases("keys"); }
TEST_CASE("wrong --set arguments are refused with the right words", "[fast]") { check_cases("set"); }
TEST_CASE("impossible topologies and devices are refused with the right words", "[fast]") {
  check_cases("topology");
}
TEST_CASE("impossible QoS, routing, events and expectations are refused with the right words", "[fast]") {
  check_cases("fabric");
}
TEST_CASE("impossible traffic is refused with the right words", "[fast]") { check_cases("traffic"); }
TEST_CASE("broken traffic files are refused with the right words", "[fast]") { check_cases("csv"); }
TEST_CASE("broken dumps are refused with the right words", "[fast]") { check_cases("dumps"); }

TEST_CASE("broken topologies of every kind are refused with the right words", "[fast]") {
  check_cases("kinds");
}

TEST_CASE("what weft fabric's commands cannot do is refused with the right words", "[fast]") {
  check_cases("commands");
}

TEST_CASE("every file of cases is run", "[fast]") {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_SOURCE_DIR "/tests/bad_input"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"commands.cases", "csv.cases", "dumps.cases", "fabric.cases",
                                          "keys.cases", "kinds.cases", "set.cases", "topology.cases",
                                          "traffic.cases", "yaml.cases"});
}

}  // namespace weft
