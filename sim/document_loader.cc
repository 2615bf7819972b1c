// Document::load and parse: the files of a document, `include:` and its merging.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include "sim/document.h"
#include "sim/yaml.h"

namespace weft {

namespace {

namespace fs = std::filesystem;
using Node = Document::Node;
using Kind = Node::Kind;

constexpr std::size_t kMaxIncludeDepth = 16;
constexpr std::size_t kMaxFiles = 256;
constexpr std::string_view kInclude = "include";

/// Lays `over` on `base`: mappings key by key, anything else replaced.
void merge(Node& base, Node over) {
  if (base.kind != Kind::mapping || over.kind != Kind::mapping) {
    base = std::move(over);
    return;
  }
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.entries.size(); ++i) index.emplace(base.entries[i].key, i);
  base.where = over.where;
  for (Document::Entry& entry : over.entries) {
    const auto known = index.find(entry.key);
    if (known == index.end()) {
      base.entries.push_back(std::move(entry));
      continue;
    }
    Document::Entry& old = base.entries[known->second];
    old.key_where = entry.key_where;
    merge(old.value, std::move(entry.value));
  }
}

/// One identity per file, however it is named.
std::string identity_of(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

}  // namespace

class DocumentLoader {
 public:
  Document load(TextFile text) {
    document_.root_ = read(std::move(text), {});
    return std::move(document_);
  }

 private:
  [[noreturn]] void refuse(Document::Mark mark, std::string message) const {
    throw ConfigError(Diagnostic{document_.locate(mark), std::move(message)});
  }

  /// The tree of one file, its includes merged in. `open` are the identities of the files that led here.
  Node read(TextFile text, std::vector<std::string> open) {
    const auto source = static_cast<std::uint32_t>(document_.sources_.size());
    const std::string name = text.name();
    document_.sources_.push_back(std::move(text));
    Node root = read_yaml(document_.sources_[source], source, false);
    if (root.kind == Kind::null)
      throw ConfigError(Diagnostic{{name, 0, 0, {}}, "the file is empty; keys are written `key: value`"});
    if (root.kind != Kind::mapping) refuse(root.where, "the file must be a mapping of keys (`key: value`)");
    open.push_back(identity_of(name));
    return merge_includes(std::move(root), fs::path(name).parent_path(), open);
  }

  Node merge_includes(Node root, const fs::path& folder, const std::vector<std::string>& open) {
    const auto found = std::find_if(root.entries.begin(), root.entries.end(),
                                    [](const Document::Entry& entry) { return entry.key == kInclude; });
    if (found == root.entries.end()) return root;
    const Node include = std::move(found->value);
    root.entries.erase(found);

    Node merged;
    merged.kind = Kind::mapping;
    if (include.kind == Kind::sequence) {
      for (const Node& item : include.items) merge(merged, read_include(item, folder, open));
    } else {
      merge(merged, read_include(include, folder, open));
    }
    merge(merged, std::move(root));
    return merged;
  }

  Node read_include(const Node& item, const fs::path& folder, const std::vector<std::string>& open) {
    if (item.kind != Kind::scalar || item.scalar.empty())
      refuse(item.where, "`include` takes a file name or a list of them");
    if (item.scalar.find('\0') != std::string::npos) refuse(item.where, "a file name cannot hold a NUL byte");
    const std::string path = (folder / item.scalar).string();
    const std::string identity = identity_of(path);
    if (std::find(open.begin(), open.end(), identity) != open.end())
      refuse(item.where, fmt::format("{} includes itself, by way of this line", quote(item.scalar)));
    if (open.size() >= kMaxIncludeDepth)
      refuse(item.where, fmt::format("includes are nested deeper than {} files", kMaxIncludeDepth));
    if (document_.sources_.size() >= kMaxFiles)
      refuse(item.where, fmt::format("more than {} files are included", kMaxFiles));
    std::error_code error;
    if (!fs::is_regular_file(path, error))
      refuse(item.where, fmt::format("there is no file {}", quote(path)));
    return read(TextFile::load(path, Document::kMaxBytes), open);
  }

  Document document_;
};

Document Document::load(const std::string& path) {
  return DocumentLoader().load(TextFile::load(path, kMaxBytes));
}

Document Document::parse(std::string text, const std::string& file_name) {
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    throw ConfigError(Diagnostic{{file_name, 0, 0, {}},
                                 fmt::format("this is not a text: there is a NUL byte at offset {}", nul)});
  return DocumentLoader().load(TextFile(file_name, std::move(text)));
}

}  // namespace weft
