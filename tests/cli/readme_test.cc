// README.md keeps its word: every command in a ```console block is run, in order, in a folder that looks like
// the checkout, must succeed, and must print what the README shows. There a line `...` stands for any lines,
// and how long a run took is not compared. A ```yaml block is the file my.yaml.
//
// tools/run.sh stands for building and `weft run`, of which the second half is run here; both it and
// tools/test.sh are run as written by tests/clean_root.sh.
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tests/catch.h"
#include "tests/cli/process.h"
#include "tests/temp_folder.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

struct Command {
  std::size_t line = 0;  // of README.md
  std::string text;
  std::vector<std::string> shown;  // empty: nothing is promised of its output
};

struct Readme {
  std::vector<Command> commands;
  std::string yaml;
};

Readme read_readme() {
  Readme readme;
  std::ifstream file(WEFT_SOURCE_DIR "/README.md");
  std::string line, block;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.rfind("```", 0) == 0)
      block = block.empty() ? line.substr(3) : "";
    else if (block == "yaml")
      readme.yaml += line + "\n";
    else if (block == "console" && line.rfind("$ ", 0) == 0)
      readme.commands.push_back({number, line.substr(2), {}});
    else if (block == "console")
      readme.commands.back().shown.push_back(line);
  }
  return readme;
}

/// Without what differs from run to run.
std::string timeless(const std::string& line) {
  static const std::regex kTimes("simulated in [0-9.]+ s, [0-9.]+ M data");
  return std::regex_replace(line, kTimes, "simulated in T s, R M data");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(timeless(text.substr(at, end - at)));
    at = end + 1;
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

/// Whether `got` is `shown`, each `...` of which stands for any number of lines.
bool matches(const std::vector<std::string>& shown, std::size_t s, const std::vector<std::string>& got,
             std::size_t g) {
  for (; s < shown.size(); ++s, ++g) {
    if (shown[s] == "...") {
      for (std::size_t end = g; end <= got.size(); ++end)
        if (matches(shown, s + 1, got, end)) return true;
      return false;
    }
    if (g >= got.size() || timeless(shown[s]) != got[g]) return false;
  }
  return g == got.size();
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("every command of README.md works and prints what it shows", "[fast]") {
  const Readme readme = read_readme();
  REQUIRE(readme.commands.size() > 12);
  const TempFolder checkout;
  for (const char* name : {"scenarios", "tools"})
    fs::create_directory_symlink(std::string(WEFT_SOURCE_DIR "/") + name, checkout.path() + "/" + name);
  fs::copy(WEFT_SOURCE_DIR "/results", checkout.path() + "/results", fs::copy_options::recursive);
  checkout.write("my.yaml", readme.yaml);
  const bool has_python = std::system("command -v python3 >/dev/null") == 0;
  if (!has_python) WARN("skipped, no python3: the picture");

  const std::string program = fs::path(WEFT_BINARY).parent_path().string();
  for (const Command& command : readme.commands) {
    INFO("README.md:" << command.line << ": " << command.text);
    if (command.text == "tools/test.sh") {
      struct stat status {};
      CHECK((stat(WEFT_SOURCE_DIR "/tools/test.sh", &status) == 0 && (status.st_mode & S_IXUSR) != 0));
      continue;
    }
    std::string text = command.text;
    const std::string builder = "tools/run.sh ";
    if (text.rfind(builder, 0) == 0) text = "weft run " + text.substr(builder.size());
    if (const std::size_t picture = text.find(" && python3"); !has_python && picture != text.npos)
      text.resize(picture);
    RunOptions options;
    options.folder = checkout.path();
    const Outcome outcome =
        run_program({"bash", "-c", "PATH='" + program + "':$PATH\n{ " + text + "\n} 2>&1"}, options);
    CHECK(outcome.status == 0);
    if (command.shown.empty()) continue;
    const std::vector<std::string> got = lines_of(outcome.out);
    INFO("it prints\n" << joined(got));
    CHECK(matches(command.shown, 0, got, 0));
  }

  // The committed results are what the command in the README makes of the scenario today.
  for (const auto& entry : fs::directory_iterator(WEFT_SOURCE_DIR "/results/hello")) {
    const std::string name = entry.path().filename().string();
    INFO("results/hello/" << name << "; the README's command makes it again");
    std::string committed = read_file(entry.path().string()),
                made = read_file(checkout.path() + "/results/hello/" + name);
    static const std::regex kBuild("\"build\": \"[^\"]*\"");
    if (name == "provenance.json") {
      committed = std::regex_replace(committed, kBuild, "");
      made = std::regex_replace(made, kBuild, "");
    }
    CHECK(committed == made);
  }
}

TEST_CASE("every link of the READMEs leads somewhere", "[fast]") {
  for (const char* name :
       {"README.md", "sim/README.md", "models/README.md", "scenarios/README.md", "calibrate/README.md",
        "tools/README.md", "tests/README.md", "results/README.md"}) {
    const fs::path path = fs::path(WEFT_SOURCE_DIR) / name;
    INFO(name);
    REQUIRE(fs::is_regular_file(path));
    const std::string text = read_file(path.string());
    static const std::regex kLink("\\]\\(([^)#]+)\\)");
    for (std::sregex_iterator link(text.begin(), text.end(), kLink), end; link != end; ++link) {
      const std::string target = (*link)[1];
      if (target.find("://") != target.npos) continue;
      INFO(target);
      CHECK(fs::exists(path.parent_path() / target));
    }
  }
}

}  // namespace weft
