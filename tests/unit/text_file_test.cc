#include "sim/text_file.h"

#include <zlib.h>

#include <filesystem>
#include <string>

#include "tests/catch.h"
#include "tests/temp_folder.h"

using std::literals::operator""s;

namespace weft {

namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string refusal(const std::string& path, std::size_t max_bytes = TextFile::kMaxBytes) {
  try {
    TextFile::load(path, max_bytes);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("lines are split and numbered from 1", "[fast]") {
  const TextFile file("f", "one\ntwo\n\nfour");
  REQUIRE(file.line_count() == 4);
  CHECK(file.line(1) == "one");
  CHECK(file.line(2) == "two");
  CHECK(file.line(3).empty());
  CHECK(file.line(4) == "four");
  CHECK(TextFile("f", "one\n").line_count() == 1);
  CHECK(TextFile("f", "one\n").line(1) == "one");
  CHECK(TextFile("f", "").line_count() == 0);
  CHECK(TextFile("f", "\n").line_count() == 1);
  CHECK(TextFile("f", "\n").line(1).empty());
}

TEST_CASE("line ends of Windows and a byte-order mark are taken off", "[fast]") {
  const TextFile file("f",
                      "\xEF\xBB\xBF"
                      "a\r\nb\rc\r\n");
  CHECK(file.content() == "a\nb\rc\n");
  REQUIRE(file.line_count() == 2);
  CHECK(file.line(1) == "a");
  CHECK(file.line(2) == "b\rc");
}

TEST_CASE("a place has its line's text", "[fast]") {
  const TextFile file("f", "one\ntwo\n");
  const Location where = file.at(2, 3);
  CHECK(where.file == "f");
  CHECK(where.line == 2);
  CHECK(where.column == 3);
  CHECK(where.text == "two");
  CHECK(file.at(3).text.empty());
  CHECK(file.at(0).text.empty());
}

TEST_CASE("lines survive a move of the file", "[fast]") {
  TextFile a("f", "x\ny");  // short enough to live inside the string object
  const TextFile b = std::move(a);
  CHECK(b.line(2) == "y");
}

TEST_CASE("plain and packed files read the same", "[fast]") {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "line " + std::to_string(i) + "\n";
  CHECK(TextFile::load(folder.write("plain", text)).content() == text);
  CHECK(TextFile::load(folder.write("packed", gzip(text))).content() == text);
  CHECK(TextFile::load(folder.write("two", gzip("a\n") + gzip("b\n"))).content() == "a\nb\n");
  CHECK(TextFile::load(folder.write("padded", gzip("a\n") + std::string(700, '\0'))).content() == "a\n");
  CHECK(TextFile::load(folder.write("nothing", "")).content().empty());
  CHECK(TextFile::load(folder.write("packed nothing", gzip(""))).content().empty());
}

TEST_CASE("a damaged gzip is refused", "[fast]") {
  const TempFolder folder;
  const std::string good =
      gzip("some text that is long enough to be packed, some text that is long enough\n");
  for (std::size_t kept = 2; kept < good.size(); ++kept) {
    const std::string path = folder.write("cut", good.substr(0, kept));
    CHECK(refusal(path) == path + ": error: the gzip file is truncated: its end is missing");
  }
  std::string flipped = good;
  flipped[good.size() - 6] ^= 1;  // in the checksum
  const std::string path = folder.write("flipped", flipped);
  CHECK(refusal(path) == path + ": error: the gzip file is damaged: incorrect data check");
  const std::string trailing = folder.write("trailing", good + "junk");
  CHECK(refusal(trailing) == trailing + ": error: the gzip file is damaged: incorrect header check");
  std::size_t refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    damaged[i] ^= 0x55;
    refused += refusal(folder.write("damaged", damaged)) != "accepted";
  }
  CHECK(refused >= good.size() - 6);  // time, system and flags of the header carry no text
}

TEST_CASE("a small gzip cannot fill the memory", "[fast]") {
  const TempFolder folder;
  const std::string path = folder.write("bomb", gzip(std::string(20'000'000, 'a')));
  CHECK(std::filesystem::file_size(path) < 50'000);
  CHECK(refusal(path, 1 << 20) == path + ": error: the text is longer than 1 MiB");
  const std::string plain = folder.write("long", std::string(2'000'000, 'a'));
  CHECK(refusal(plain, 1 << 20) == plain + ": error: the text is longer than 1 MiB");
  CHECK(refusal(folder.write("exact", std::string(1 << 20, 'a')), 1 << 20) == "accepted");
}

TEST_CASE("what is no text file is refused", "[fast]") {
  const TempFolder folder;
  const std::string nul = folder.write("binary", "ab\0c"s);
  CHECK(refusal(nul) == nul + ": error: this is not a text: there is a NUL byte at offset 2");
  const std::string packed = folder.write("packed binary", gzip("ab\0c"s));
  CHECK(refusal(packed) == packed + ": error: this is not a text: there is a NUL byte at offset 2");
  CHECK(refusal(folder.path()) == folder.path() + ": error: this is a folder, not a file");
  const std::string absent = folder.path() + "/absent";
  CHECK(refusal(absent) == absent + ": error: cannot open the file: No such file or directory");
  CHECK(refusal("") == "error: cannot open the file: No such file or directory");
  CHECK(refusal("a\0b"s) == "error: a file name cannot hold a NUL byte");
  CHECK(refusal("/dev/zero") == "/dev/zero: error: this is not a text: there is a NUL byte at offset 0");
}

}  // namespace weft
