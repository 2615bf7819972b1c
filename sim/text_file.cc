#include "sim/text_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "sim/units.h"

namespace weft {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

[[noreturn]] void refuse(const std::string& path, std::string message) {
  throw ConfigError(Diagnostic{Location{path, 0, 0, {}}, std::move(message)});
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }

/// Grows a text and refuses what is no text as soon as it shows: an endless device must not fill the memory.
class TextSink {
 public:
  TextSink(const std::string& path, std::size_t max_bytes) : path_(path), max_bytes_(max_bytes) {}

  void append(const char* data, std::size_t size) {
    if (size > max_bytes_ - text_.size())
      refuse(path_, fmt::format("the text is longer than {}", to_text(Bytes{max_bytes_})));
    const void* nul = size == 0 ? nullptr : std::memchr(data, '\0', size);
    if (nul != nullptr) {
      const auto offset = text_.size() + static_cast<std::size_t>(static_cast<const char*>(nul) - data);
      refuse(path_, fmt::format("this is not a text: there is a NUL byte at offset {}", offset));
    }
    text_.append(data, size);
  }
  std::string take() { return std::move(text_); }

 private:
  const std::string& path_;
  std::size_t max_bytes_;
  std::string text_;
};

/// Reads the file to its end, handing each chunk to `consume(data, size)`.
template <class Consume>
void read_chunks(const std::string& path, std::FILE* file, Consume&& consume) {
  std::string chunk(kChunk, '\0');
  while (true) {
    const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), file);
    if (n > 0) consume(chunk.data(), n);
    if (n == chunk.size()) continue;
    if (std::ferror(file) != 0) refuse(path, fmt::format("cannot read the file: {}", std::strerror(errno)));
    return;
  }
}

/// Unpacks a gzip stream of one or several members fed in chunks.
class Gunzip {
 public:
  Gunzip(const std::string& path, TextSink& sink) : path_(path), sink_(sink), out_(kChunk, '\0') {
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) refuse(path_, "cannot unpack gzip: out of memory");
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip() { inflateEnd(&stream_); }

  void feed(char* data, std::size_t size) {
    stream_.next_in = reinterpret_cast<Bytef*>(data);
    stream_.avail_in = static_cast<uInt>(size);
    do {
      if (between_members_) {
        // Tar-like zero padding after a member is common and harmless.
        while (stream_.avail_in > 0 && *stream_.next_in == 0) ++stream_.next_in, --stream_.avail_in;
        if (stream_.avail_in == 0) return;
        inflateReset(&stream_);
        between_members_ = false;
      }
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        refuse(path_, fmt::format("the gzip file is damaged: {}", stream_.msg ? stream_.msg : "bad data"));
      sink_.append(out_.data(), out_.size() - stream_.avail_out);
      between_members_ = result == Z_STREAM_END;
    } while (stream_.avail_in > 0 || stream_.avail_out == 0);
  }
  void finish() const {
    if (!between_members_) refuse(path_, "the gzip file is truncated: its end is missing");
  }

 private:
  const std::string& path_;
  TextSink& sink_;
  std::string out_;
  z_stream stream_{};
  bool between_members_ = false;
};

}  // namespace

TextFile TextFile::load(const std::string& path, std::size_t max_bytes) {
  std::error_code ignored;
  if (path.find('\0') != std::string::npos) refuse("", "a file name cannot hold a NUL byte");
  if (std::filesystem::is_directory(path, ignored)) refuse(path, "this is a folder, not a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) refuse(path, fmt::format("cannot open the file: {}", std::strerror(errno)));

  TextSink sink(path, max_bytes);
  std::unique_ptr<Gunzip> gunzip;
  bool first = true;
  read_chunks(path, file.get(), [&](char* data, std::size_t size) {
    if (std::exchange(first, false) && is_gzip({data, size})) gunzip = std::make_unique<Gunzip>(path, sink);
    if (gunzip)
      gunzip->feed(data, size);
    else
      sink.append(data, size);
  });
  if (gunzip) gunzip->finish();
  return TextFile(path, sink.take());
}

TextFile::TextFile(std::string name, std::string content)
    : name_(std::move(name)), content_(std::move(content)) {
  if (content_.starts_with(kByteOrderMark)) content_.erase(0, kByteOrderMark.size());
  if (content_.find('\r') != std::string::npos) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < content_.size(); ++i)
      if (content_[i] != '\r' || i + 1 == content_.size() || content_[i + 1] != '\n')
        content_[kept++] = content_[i];
    content_.resize(kept);
  }
  for (std::size_t start = 0; start < content_.size();) {
    starts_.push_back(start);
    const std::size_t end = content_.find('\n', start);
    if (end == std::string::npos) break;
    start = end + 1;
  }
}

std::string_view TextFile::line(std::size_t n) const {
  const std::size_t start = starts_[n - 1];
  const std::size_t end = n < starts_.size() ? starts_[n] - 1 : content_.size();
  std::string_view text = std::string_view(content_).substr(start, end - start);
  if (n == starts_.size() && text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

Location TextFile::at(std::size_t line_number, std::size_t column) const {
  Location where{name_, static_cast<std::uint32_t>(line_number), static_cast<std::uint32_t>(column), {}};
  if (line_number >= 1 && line_number <= line_count()) where.text = line(line_number);
  return where;
}

}  // namespace weft
