// Pairs: the flows a user lists, "a -> b".
#include <algorithm>

#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

std::string trimmed(const std::string& text, std::size_t from, std::size_t to) {
  while (from < to && text[from] == ' ') ++from;
  while (to > from && text[to - 1] == ' ') --to;
  return text.substr(from, to - from);
}

class Pairs : public PlannedPattern {
 public:
  void describe(Describe& d) override {
    d.list("flows", flows_, "Each `source -> destination`. A source with several takes them in turn.");
    loop_.describe(d);
    stream.describe(d);
  }
  SendPlan plan(const PatternContext& context) const override {
    const EndpointNames names(context);
    if (flows_.empty()) throw BadValue("flows", "no flow is listed; write for example `flows: [h0 -> h1]`");
    std::vector<std::vector<std::uint32_t>> to(context.endpoints.size());
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const std::string key = fmt::format("flows[{}]", i);
      const std::size_t arrow = flows_[i].find("->");
      if (arrow == std::string::npos)
        throw BadValue(key, fmt::format("`{}` is not a flow; write `source -> destination`", flows_[i]));
      const std::uint32_t source = names.find(trimmed(flows_[i], 0, arrow), key);
      const std::uint32_t destination = names.find(trimmed(flows_[i], arrow + 2, flows_[i].size()), key);
      if (source == destination) throw BadValue(key, fmt::format("`{}` sends to its sender", flows_[i]));
      to[source].push_back(destination);
    }
    SendPlan sends;
    sends.sources = static_cast<std::uint32_t>(to.size());
    sends.count = [to](std::uint32_t source) -> std::uint64_t { return to[source].size(); };
    sends.destination = [to](std::uint32_t source, std::uint64_t n) { return to[source][n]; };
    return sends;
  }

 private:
  std::vector<std::string> flows_;
};

}  // namespace

std::unique_ptr<Pattern> make_pairs() { return std::make_unique<Pairs>(); }

}  // namespace weft
