// A small scenario language that uses every kind of key: what the tests of the configuration read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config.h"
#include "sim/schema.h"

namespace weft::sample {

enum class Speed { slow, fast };

inline std::span<const std::pair<std::string_view, Speed>> words_of(Speed) {
  static constexpr std::pair<std::string_view, Speed> kWords[] = {{"slow", Speed::slow},
                                                                  {"fast", Speed::fast}};
  return kWords;
}

struct Shape : Configurable {};

struct Tree : Shape {
  std::uint32_t hosts = 0;
  std::uint8_t levels = 2;
  Ratio taper{1, 1};
  std::optional<Length> cable;
  void describe(Describe& d) override {
    d.field("hosts", hosts, "Machines attached to the leaves.").required().range(1, 1'000'000);
    d.field("levels", levels, "Switch levels.").range(1, 4);
    d.field("taper", taper, "Up-bandwidth over down-bandwidth.").source("full bisection");
    d.field("cable", cable, "Length of every cable.").range("1 m", "10 km");
  }
};

struct Grid : Shape {
  std::vector<std::uint32_t> sides{4, 4};
  Speed speed = Speed::fast;
  bool wrap = true;
  void describe(Describe& d) override {
    d.list("sides", sides, "Switches along each dimension.");
    d.field("speed", speed, "How fast.");
    d.field("wrap", wrap, "Whether the ends are joined.");
  }
};

/// Shapes of shapes: a struct that holds its own kind.
struct Nest : Shape {
  std::vector<std::unique_ptr<Shape>> parts;
  void describe(Describe& d) override;
};

inline std::span<const Choice<Shape>> shapes() {
  static constexpr Choice<Shape> kTable[] = {
      {"tree", "Leaf and spine.", []() -> std::unique_ptr<Shape> { return std::make_unique<Tree>(); }},
      {"grid", "A mesh with its ends joined.",
       []() -> std::unique_ptr<Shape> { return std::make_unique<Grid>(); }},
      {"nest", "Several shapes.", []() -> std::unique_ptr<Shape> { return std::make_unique<Nest>(); }}};
  return kTable;
}

inline void Nest::describe(Describe& d) { d.choices("parts", parts, shapes(), "type", "The shapes.", false); }

struct Flow : Configurable {
  std::string name;
  Bytes message{1 << 20};
  Ratio load{1, 1};
  Time start{};
  Rate rate;
  void describe(Describe& d) override {
    d.field("name", name, "What the report calls it.");
    d.field("message", message, "Bytes of one message.").range("1 B", "1 GiB").source("assumed");
    d.field("load", load, "Offered share.").range("0", "1");
    d.field("start", start, "When it begins.");
    d.field("rate", rate, "Limit.");
  }
};

struct Fabric : Configurable {
  std::unique_ptr<Shape> shape;
  std::unique_ptr<Shape> spare;
  std::optional<Flow> probe;
  void describe(Describe& d) override {
    d.choice("shape", shape, shapes(), "type", "What is cabled.");
    d.choice("spare", spare, shapes(), "type", "What stands by.", false);
    d.group("probe", probe, "A probe flow.");
  }
};

struct Scenario : Configurable {
  std::uint32_t version = 1;
  std::string name = "unnamed";
  std::uint64_t guid = 7;
  std::int16_t offset = -3;
  double factor = 0.5;
  std::vector<Bytes> sizes;
  Fabric fabric;
  std::vector<Flow> traffic;
  void describe(Describe& d) override {
    d.field("weft", version, "Version of the language.").required().range(1, 1);
    d.field("name", name, "Of the study.");
    d.field("guid", guid, "An identifier.");
    d.field("offset", offset, "A signed number.").range(-100, 100);
    d.field("factor", factor, "A real number.").range(0.0, 2.5);
    d.list("sizes", sizes, "Message sizes.");
    d.group("fabric", fabric, "The fabric.");
    d.groups("traffic", traffic, "What is sent.");
  }
};

inline Scenario read(const Document& document) {
  Scenario scenario;
  read_config(document, scenario);
  return scenario;
}

inline Scenario read(const std::string& yaml) { return read(Document::parse(yaml, "s.yaml")); }

/// The findings for `yaml`, without the lines and carets; "accepted" when there are none.
inline std::string findings(const Document& document) {
  try {
    read(document);
  } catch (const ConfigError& error) {
    std::string text;
    for (const Diagnostic& d : error.diagnostics())
      text += (text.empty() ? "" : "\n") + d.where.file + ":" + std::to_string(d.where.line) + ":" +
              std::to_string(d.where.column) + " " + d.message;
    return text;
  }
  return "accepted";
}

inline std::string findings(const std::string& yaml) {
  try {
    return findings(Document::parse(yaml, "s"));
  } catch (const ConfigError& error) {
    const Diagnostic& d = error.diagnostics().front();
    return "parse " + std::to_string(d.where.line) + ":" + std::to_string(d.where.column) + " " + d.message;
  }
}

inline constexpr const char* kGood =
    "weft: 1\n"
    "name: two hosts\n"
    "sizes: [4 KiB, 1 MiB]\n"
    "fabric:\n"
    "  shape: {type: tree, hosts: 64, taper: 2/3}\n"
    "  spare: grid\n"
    "traffic:\n"
    "  - {name: \"a: b\", message: 4 KiB, load: 70 %}\n"
    "  - message: 64 kB\n"
    "    rate: 400 Gbps  # of one port\n";

}  // namespace weft::sample
