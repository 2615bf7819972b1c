// A YAML file as a tree that knows where every key and value stands. sim/yaml.cc is the one door to yaml-cpp.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"
#include "sim/text_file.h"

namespace weft {

/// A YAML document with locations. Mappings keep the user's order; duplicate keys, several documents in one
/// file, unknown anchors, and nesting or expansion beyond any sane scenario are found when it is read.
class Document {
 public:
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxNodes = 1'000'000;  // after aliases are expanded, in one file
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

  /// A place in one of the texts the document was made of; `locate` turns it into a Location with its line.
  struct Mark {
    std::uint32_t source = 0;  // a file, or an argument, in the order they were read
    std::uint32_t line = 0;    // from 1; 0 in an argument
    std::uint32_t column = 0;
    friend auto operator<=>(const Mark&, const Mark&) = default;
  };

  struct Entry;
  struct Node {
    enum class Kind { null, scalar, sequence, mapping } kind = Kind::null;
    Mark where;
    std::string scalar;          // as written, unquoted
    std::vector<Node> items;     // sequence
    std::vector<Entry> entries;  // mapping, in order
    const Node* find(std::string_view key) const;
    Node* find(std::string_view key);
    const Entry* find_entry(std::string_view key) const;
  };
  struct Entry {
    std::string key;
    Mark key_where;
    Node value;
  };

  /// Reads `path` (plain or gzip). `include: other.yaml` (one or a list, relative to the including file) is
  /// merged in first, the including file's keys winning; cycles are errors. @throws ConfigError located
  static Document load(const std::string& path);
  static Document parse(std::string text, const std::string& file_name);

  /// `path.to.key=value` or `list[2].key=value`; the value is YAML (so `[1, 2]` and `{type: x}` work) and
  /// replaces what stood there. Missing mappings on the way are created.
  /// @param said what the user wrote to say so, for messages; empty: `--set ` and the assignment
  /// @throws ConfigError naming the argument
  void set(std::string_view assignment, std::string_view said = {});

  /// Where the value at `path` ("fabric.topology.hosts", "traffic[1].message") stands; where the nearest
  /// enclosing node stands when it is absent.
  Location locate(std::string_view path) const;
  Location locate(Mark mark) const;

  /// "line 12 of two_hosts.yaml", "--set"
  std::string origin(Mark mark) const;

  /// The root is a mapping.
  const Node& root() const { return root_; }

 private:
  friend class DocumentLoader;
  Node root_;
  std::vector<TextFile> sources_;  // indexed by Mark::source
};

}  // namespace weft
