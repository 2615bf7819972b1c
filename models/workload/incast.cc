// Incast: many endpoints send to one.
#include <algorithm>

#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

class Incast : public PlannedPattern {
 public:
  void describe(Describe& d) override {
    d.field("to", to_, "The endpoint all send to: a machine's name or an endpoint's number.");
    d.list("from", from_, "Who sends; every other endpoint when left out.");
    loop_.describe(d);
    stream.describe(d);
  }
  SendPlan plan(const PatternContext& context) const override {
    const EndpointNames names(context);
    const std::uint32_t target = names.find(to_, "to");
    const auto n = static_cast<std::uint32_t>(context.endpoints.size());
    std::vector<bool> sends(n, from_.empty());
    sends[target] = false;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const std::string key = fmt::format("from[{}]", i);
      const std::uint32_t source = names.find(from_[i], key);
      if (source == target) throw BadValue(key, fmt::format("`{}` is the target itself", from_[i]));
      if (sends[source]) throw BadValue(key, fmt::format("`{}` is listed twice", from_[i]));
      sends[source] = true;
    }
    if (std::find(sends.begin(), sends.end(), true) == sends.end())
      throw BadValue("to", "nobody sends to it: this fabric has no other endpoint");
    SendPlan incast;
    incast.sources = n;
    incast.count = [sends](std::uint32_t source) -> std::uint64_t { return sends[source] ? 1 : 0; };
    incast.destination = [target](std::uint32_t, std::uint64_t) { return target; };
    return incast;
  }

 private:
  std::string to_ = "0";
  std::vector<std::string> from_;
};

}  // namespace

std::unique_ptr<Pattern> make_incast() { return std::make_unique<Incast>(); }

}  // namespace weft
