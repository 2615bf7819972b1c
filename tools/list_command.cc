// weft list: the tables of choices, which are the documentation.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/routing/routes.h"
#include "models/topology/topology_builder.h"
#include "models/workload/pattern.h"
#include "scenarios/profile_store.h"
#include "sim/suggest.h"
#include "tools/command.h"
#include "tools/fabric_formats.h"

namespace weft {
namespace {

constexpr std::size_t kNameWidth = 13;

/// A paragraph behind a name, wrapped at 100 columns.
void print_row(std::string_view name, std::string_view text, std::size_t width = kNameWidth) {
  std::string line = fmt::format("  {:<{}} ", name, width);
  const std::string indent(line.size(), ' ');
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (line.size() + word.size() > 100) {
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
      line = indent;
    }
    line += std::string(word) + ' ';
  }
  fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
}

template <class T>
void print_rows(std::string_view title, std::span<const Choice<T>> rows) {
  fmt::print("{}\n", title);
  std::size_t width = kNameWidth;
  for (const Choice<T>& row : rows) width = std::max(width, row.name.size());
  for (const Choice<T>& row : rows) {
    print_row(row.name, row.summary, width);
    if (!row.example.empty()) print_row("", row.example, width);
  }
  fmt::print("\n");
}

void print_formats() {
  fmt::print("formats (weft fabric convert --to)\n");
  for (const FabricFormat& format : fabric_formats()) print_row(format.name, format.summary);
  fmt::print("\n");
}

void print_profiles() {
  const ProfileStore store("");
  fmt::print("profiles\n");
  for (const char* kind : {"switch", "hca", "cable", "link"}) {
    std::string names;
    for (const std::string& name : store.names(kind)) names += (names.empty() ? "" : ", ") + name;
    print_row(kind, names.empty() ? "(none found)" : names);
  }
}

}  // namespace

int list_command(const std::vector<std::string>& arguments) {
  if (arguments.size() > 1) throw UsageError{"one kind at a time, or none for all"};
  const std::string kind = arguments.empty() ? "" : arguments[0];
  static constexpr std::array<std::string_view, 5> kKinds{"topologies", "engines", "patterns", "formats",
                                                          "profiles"};
  if (!kind.empty() && std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end())
    throw UsageError{fmt::format("there is no list of `{}`{}", kind, did_you_mean(kind, kKinds))};
  const auto wanted = [&](std::string_view name) { return kind.empty() || kind == name; };
  if (wanted("topologies")) print_rows("topologies (fabric.topology.type)", topology_builders());
  if (wanted("engines")) print_rows("routing engines (fabric.routing.engine)", routing_engines());
  if (wanted("patterns")) print_rows("traffic patterns (traffic[].pattern)", patterns());
  if (wanted("formats")) print_formats();
  if (wanted("profiles")) print_profiles();
  return kExitOk;
}

}  // namespace weft
