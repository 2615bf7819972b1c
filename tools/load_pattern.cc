#include "tools/load_pattern.h"

#include <fmt/format.h>

#include "scenarios/locating.h"
#include "sim/config.h"
#include "tools/json.h"

namespace weft {
namespace {

struct PatternChoice : Configurable {
  std::unique_ptr<Pattern> pattern;
  void describe(Describe& d) override {
    d.choice("traffic", pattern, patterns(), "pattern", "What is sent.");
  }
};

std::string as_yaml(const std::string& said) {
  if (said.starts_with('{')) return said;
  if (said.ends_with(".csv") || said.ends_with(".csv.gz"))
    return fmt::format("{{pattern: csv, file: {}}}", json_text(said));
  if (said.starts_with("shift="))
    return fmt::format("{{pattern: shift, by: {}}}", json_text(said.substr(said.find('=') + 1)));
  return fmt::format("{{pattern: {}}}", json_text(said));
}

}  // namespace

LoadPattern::LoadPattern(const std::string& said) : document_(Document::parse("{}", "(command line)")) {
  document_.set("traffic=" + as_yaml(said), "--pattern " + said);
  PatternChoice choice;
  read_config(document_, choice);
  pattern_ = std::move(choice.pattern);
}

FlowList LoadPattern::flows(const Topology& topology, std::uint64_t seed) const {
  const PatternContext context{topology, topology.endpoints(), seed, "traffic[0]", ""};
  return locating(document_, "traffic", [&] { return pattern_->flows(context); });
}

}  // namespace weft
