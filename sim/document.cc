#include "sim/document.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "sim/config_path.h"
#include "sim/yaml.h"

namespace weft {

namespace {

using Node = Document::Node;
using Kind = Node::Kind;

std::string shown(const std::string& path, const PathStep& step) {
  return step.key.empty() ? fmt::format("{}[{}]", path, step.index) : join_path(path, step.key);
}

/// The child of `node` that `step` names, for writing: missing mappings are made.
/// @throws std::string what is wrong
Node& descend(Node& node, const std::string& path, const PathStep& step, Document::Mark where) {
  const std::string name = path.empty() ? "the document" : quote(path);
  if (step.key.empty()) {
    if (node.kind != Kind::sequence)
      throw fmt::format("{} is no list, so it has no entry [{}]", name, step.index);
    const std::size_t size = node.items.size();
    if (step.index < size) return node.items[step.index];
    throw size == 0
        ? fmt::format("there is no {}: the list is empty", quote(shown(path, step)))
        : fmt::format("there is no {}: entries are counted 0 to {}", quote(shown(path, step)), size - 1);
  }
  if (node.kind == Kind::scalar)
    throw fmt::format("{} is {}, so it has no key {}", name, quote(node.scalar), quote(step.key));
  if (node.kind == Kind::sequence)
    throw fmt::format("{} is a list; name an entry, e.g. {}", name, quote(path + "[0]." + step.key));
  if (node.kind == Kind::null) {
    node.kind = Kind::mapping;
    node.where = where;
  }
  if (Node* child = node.find(step.key)) return *child;
  return node.entries.emplace_back(Document::Entry{step.key, where, Node{}}).value;
}

}  // namespace

const Document::Entry* Document::Node::find_entry(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

const Document::Node* Document::Node::find(std::string_view key) const {
  const Entry* entry = find_entry(key);
  return entry ? &entry->value : nullptr;
}

Document::Node* Document::Node::find(std::string_view key) {
  for (Entry& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

void Document::set(std::string_view assignment, std::string_view said) {
  const std::string argument = said.empty() ? "--set " + std::string(assignment) : std::string(said);
  const Location where{argument, 0, 0, {}};
  const std::size_t equals = assignment.find('=');
  const auto steps = parse_path(assignment.substr(0, equals));
  if (equals == assignment.npos || !steps || steps->empty())
    throw ConfigError(Diagnostic{where, "write `path.to.key=value` or `list[0].key=value`"});
  if (steps->size() > kMaxDepth)
    throw ConfigError(Diagnostic{where, fmt::format("the path is deeper than {} levels", kMaxDepth)});

  const auto source = static_cast<std::uint32_t>(sources_.size());
  TextFile text(argument, std::string(assignment.substr(equals + 1)));
  Node value = read_yaml(text, source, true);
  const Mark mark{source, 0, 0};
  Node changed = root_;  // so that a refused argument changes nothing
  try {
    Node* node = &changed;
    std::string path;
    for (const PathStep& step : *steps) {
      node = &descend(*node, path, step, mark);
      path = shown(path, step);
    }
    *node = std::move(value);
    node->where = mark;
  } catch (const std::string& message) {
    throw ConfigError(Diagnostic{where, message});
  }
  root_ = std::move(changed);
  sources_.push_back(std::move(text));
}

Location Document::locate(Mark mark) const {
  const TextFile& text = sources_[mark.source];
  return mark.line == 0 ? Location{text.name(), 0, 0, {}} : text.at(mark.line, mark.column);
}

Location Document::locate(std::string_view path) const {
  const Node* node = &root_;
  for (const PathStep& step : parse_path(path).value_or(std::vector<PathStep>{})) {
    const Node* child = step.key.empty()
                            ? (step.index < node->items.size() ? &node->items[step.index] : nullptr)
                            : node->find(step.key);
    if (!child) break;
    node = child;
  }
  return locate(node->where);
}

std::string Document::origin(Mark mark) const {
  if (mark.line == 0) return "--set";
  const std::string& name = sources_[mark.source].name();
  return fmt::format("line {} of {}", mark.line, std::filesystem::path(name).filename().string());
}

}  // namespace weft
