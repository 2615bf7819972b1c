#include "sim/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "sim/utf8.h"

namespace weft {

namespace {

using Node = Document::Node;
using Kind = Node::Kind;
using Mark = Document::Mark;

/// Builds the tree from the parser's events: it alone sees duplicate keys, and it stops before anything
/// grows.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const TextFile& text, std::uint32_t source, bool argument)
      : text_(text), source_(source), argument_(argument) {}

  Node take() {
    check_last_quote();
    found_.check();
    return std::move(root_);
  }
  Location location(const YAML::Mark& mark) const {
    if (argument_ || mark.is_null()) return {text_.name(), 0, 0, {}};
    return text_.at(static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0)
      refuse(mark, "a second document (or stray text) starts here; one file holds one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add_leaf(Kind::null, mark, {}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(mark, tag);
    if (tag == "!") last_quoted_ = mark;
    add_leaf(Kind::scalar, mark, value, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark, "this alias stands inside the node it names");
    const Anchor& anchored = found->second;
    check_depth(mark, stack_.size() + anchored.height);
    count(mark, anchored.nodes);
    add(mark, anchored.node, anchored.height);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(Kind::sequence, mark, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(Kind::mapping, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override {
    merge_into(stack_.back());
    close();
  }

 private:
  /// A mapping or sequence whose end has not been seen.
  struct Frame {
    Node node;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    std::size_t nodes_before = 0;
    std::size_t height = 1;
    bool has_key = false;  // a mapping whose next node is the value of `key`
    std::string key;
    YAML::Mark key_mark;
    std::unordered_map<std::string, std::uint32_t> seen;  // key -> line
    std::vector<Node> merges;                             // values of `<<`
  };
  struct Anchor {
    Node node;
    std::size_t nodes = 0;
    std::size_t height = 0;
  };

  /// The parser takes the end of a truncated file for the closing quote.
  void check_last_quote() const {
    if (last_quoted_.is_null()) return;
    const std::string_view content = text_.content();
    const std::string_view line = text_.line(static_cast<std::size_t>(last_quoted_.line) + 1);
    std::size_t at = static_cast<std::size_t>(line.data() - content.data()) +
                     static_cast<std::size_t>(last_quoted_.column);
    while (at < content.size() && (content[at] == '&' || content[at] == '!'))  // the mark stands before these
      at = content.find_first_not_of(" \t\n", content.find_first_of(" \t\n", at));
    if (at >= content.size() || (content[at] != '\'' && content[at] != '"')) return;
    const char quote_sign = content[at];
    for (++at; at < content.size(); ++at) {
      if (quote_sign == '"' && content[at] == '\\')
        ++at;
      else if (content[at] == quote_sign && quote_sign == '\'' && content.substr(at + 1).starts_with('\''))
        ++at;
      else if (content[at] == quote_sign)
        return;
    }
    refuse(last_quoted_, "the quote that opens here is never closed");
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message) const {
    throw ConfigError(Diagnostic{location(mark), std::move(message)});
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;  // "?" plain, "!" quoted
    refuse(mark, fmt::format("the YAML tag {} has no meaning here", quote(tag)));
  }
  void check_depth(const YAML::Mark& mark, std::size_t depth) const {
    if (depth > Document::kMaxDepth)
      refuse(mark, fmt::format("nested deeper than {} levels", Document::kMaxDepth));
  }
  void count(const YAML::Mark& mark, std::size_t nodes) {
    nodes_ += nodes;
    if (nodes_ > Document::kMaxNodes)
      refuse(mark,
             fmt::format("the document has more than {} values, aliases expanded", Document::kMaxNodes));
  }
  Mark mark_of(const YAML::Mark& mark) const {
    if (argument_ || mark.is_null()) return {source_, 0, 0};
    return {source_, static_cast<std::uint32_t>(mark.line) + 1, static_cast<std::uint32_t>(mark.column) + 1};
  }

  void open(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    // The parser takes a bracket that is never closed for the beginning of a key, too.
    refuse_as_key(mark, "a list or a mapping cannot be a key; is a bracket left open?");
    check_depth(mark, stack_.size() + 1);
    Frame& frame = stack_.emplace_back();
    frame.mark = mark;
    frame.anchor = anchor;
    frame.nodes_before = nodes_;
    frame.node.kind = kind;
    frame.node.where = mark_of(mark);
    count(mark, 1);
  }
  void close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    keep_anchor(frame.mark, frame.anchor, frame.node, nodes_ - frame.nodes_before, frame.height);
    add(frame.mark, std::move(frame.node), frame.height);
  }
  void add_leaf(Kind kind, const YAML::Mark& mark, std::string text, YAML::anchor_t anchor) {
    count(mark, 1);
    Node node;
    node.kind = kind;
    node.where = mark_of(mark);
    node.scalar = std::move(text);
    keep_anchor(mark, anchor, node, 1, 0);
    add(mark, std::move(node), 0);
  }
  void keep_anchor(const YAML::Mark& mark, YAML::anchor_t anchor, const Node& node, std::size_t nodes,
                   std::size_t height) {
    if (anchor == 0) return;
    count(mark, nodes);
    anchors_[anchor] = {node, nodes, height};
  }

  /// In a mapping that waits for a key, only a word will do.
  void refuse_as_key(const YAML::Mark& mark, std::string_view why) const {
    if (!stack_.empty() && stack_.back().node.kind == Kind::mapping && !stack_.back().has_key)
      refuse(mark, std::string(why));
  }

  /// Puts a finished node where it belongs: as the root, an item, a key or a value.
  void add(const YAML::Mark& mark, Node node, std::size_t height) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = stack_.back();
    if (frame.node.kind == Kind::sequence) {
      frame.height = std::max(frame.height, height + 1);
      frame.node.items.push_back(std::move(node));
      return;
    }
    if (!frame.has_key) {
      if (node.kind != Kind::scalar) refuse_as_key(mark, "a key must be a word");
      frame.key = std::move(node.scalar);
      frame.key_mark = mark;
      frame.has_key = true;
      return;
    }
    frame.has_key = false;
    frame.height = std::max(frame.height, height + 1);
    // A missing value is reported by the parser where the next token stands: its key is the better place.
    if (node.kind == Kind::null) node.where = mark_of(frame.key_mark);
    if (frame.key == "<<")
      add_merge(mark, frame, std::move(node));
    else
      add_entry(frame, std::move(node));
  }
  void add_entry(Frame& frame, Node node) {
    const auto [first, fresh] =
        frame.seen.emplace(frame.key, static_cast<std::uint32_t>(frame.key_mark.line) + 1);
    if (fresh) {
      frame.node.entries.push_back({std::move(frame.key), mark_of(frame.key_mark), std::move(node)});
      return;
    }
    const std::string elsewhere = argument_ ? "" : fmt::format("; first given in line {}", first->second);
    found_.add(location(frame.key_mark), fmt::format("duplicate key {}{}", quote(frame.key), elsewhere));
  }

  /// YAML's merge key: `<<: *defaults`, or a list of such.
  void add_merge(const YAML::Mark& mark, Frame& frame, Node node) {
    const bool one = node.kind == Kind::mapping;
    const bool many =
        node.kind == Kind::sequence && std::all_of(node.items.begin(), node.items.end(),
                                                   [](const Node& n) { return n.kind == Kind::mapping; });
    if (!one && !many) refuse(mark, "`<<` takes a mapping (`<<: *name`) or a list of them");
    if (!frame.merges.empty()) refuse(frame.key_mark, "duplicate key `<<`; give it a list");
    if (one)
      frame.merges.push_back(std::move(node));
    else
      frame.merges = std::move(node.items);
  }
  static void merge_into(Frame& frame) {
    for (Node& merged : frame.merges)
      for (Document::Entry& entry : merged.entries)
        if (frame.seen.emplace(entry.key, 0).second) frame.node.entries.push_back(std::move(entry));
  }

  const TextFile& text_;
  std::uint32_t source_;
  bool argument_;
  YAML::Mark last_quoted_ = YAML::Mark::null_mark();
  int documents_ = 0;
  std::size_t nodes_ = 0;
  Node root_;
  std::vector<Frame> stack_;
  std::unordered_map<YAML::anchor_t, Anchor> anchors_;
  Diagnostics found_;
};

/// What the parser would misread in silence: it stops at some control characters and counts tabs as it likes.
std::optional<std::pair<std::size_t, std::string>> unreadable(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first != line.npos && line[first] != '#' && line.substr(0, first).find('\t') != line.npos)
    return std::pair(line.find('\t'), std::string("a tab is no indentation in YAML; use spaces"));
  for (std::size_t i = 0; i < line.size();) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F)
      return std::pair(i, fmt::format("control character 0x{:02X} in a YAML text", byte));
    const std::size_t length = utf8_length(line.substr(i, 4));
    if (length == 0) return std::pair(i, fmt::format("byte 0x{:02X} is not UTF-8", byte));
    i += length;
  }
  return std::nullopt;
}

/// What yaml-cpp's terse messages usually mean.
std::string_view hint(std::string_view message) {
  if (message == "end of map flow not found") return " (is a `}` or a comma missing before this?)";
  if (message == "end of sequence flow not found") return " (is a `]` or a comma missing before this?)";
  if (message == "end of map not found") return " (a key that does not line up with those above?)";
  if (message == "end of sequence not found") return " (an entry that does not line up with those above?)";
  if (message == "illegal map value") return " (a text with `: ` in it needs quotes)";
  return {};
}

void check_text(const TextFile& text, bool argument) {
  for (std::size_t n = 1; n <= text.line_count(); ++n) {
    const auto wrong = unreadable(text.line(n));
    if (!wrong) continue;
    throw ConfigError(
        Diagnostic{argument ? Location{text.name(), 0, 0, {}} : text.at(n, wrong->first + 1), wrong->second});
  }
}

}  // namespace

Document::Node read_yaml(const TextFile& text, std::uint32_t source, bool argument) {
  check_text(text, argument);
  TreeBuilder builder(text, source, argument);
  try {
    std::istringstream stream{std::string(text.content())};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::Exception& error) {
    throw ConfigError(Diagnostic{builder.location(error.mark),
                                 fmt::format("not valid YAML: {}{}", error.msg, hint(error.msg))});
  }
  return builder.take();
}

}  // namespace weft
