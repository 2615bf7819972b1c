// Bisection: a random half of the endpoints sends to the other half, each to a partner of its own.
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

class Bisection : public PlannedPattern {
 public:
  void describe(Describe& d) override {
    d.field("both_ways", both_ways_, "Partners send to each other.");
    loop_.describe(d);
    stream.describe(d);
  }
  bool is_random() const override { return true; }
  SendPlan plan(const PatternContext& context) const override {
    const auto n = static_cast<std::uint32_t>(context.endpoints.size());
    if (n < 2)
      throw BadValue("pattern",
                     fmt::format("a bisection needs at least two endpoints; this fabric has {}", n));
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    RandomStream random(context.seed, context.name);
    random.shuffle(std::span(order));
    std::vector<std::uint32_t> to(n, kNone);  // of an odd number one stays out
    for (std::uint32_t i = 0; i + 1 < n; i += 2) {
      to[order[i]] = order[i + 1];
      if (both_ways_) to[order[i + 1]] = order[i];
    }
    SendPlan sends;
    sends.sources = n;
    sends.count = [to](std::uint32_t source) -> std::uint64_t { return to[source] == kNone ? 0 : 1; };
    sends.destination = [to](std::uint32_t source, std::uint64_t) { return to[source]; };
    return sends;
  }

 private:
  bool both_ways_ = false;
};

}  // namespace

std::unique_ptr<Pattern> make_bisection() { return std::make_unique<Bisection>(); }

}  // namespace weft
