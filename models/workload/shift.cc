// Shift: endpoint i sends to i + by (mod n).
#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

class Shift : public PlannedPattern {
 public:
  void describe(Describe& d) override {
    d.field("by", by_, "How far each endpoint sends.").range(1, 100'000'000);
    loop_.describe(d);
    stream.describe(d);
  }
  SendPlan plan(const PatternContext& context) const override {
    const auto n = static_cast<std::uint32_t>(context.endpoints.size());
    if (n < 2)
      throw BadValue("pattern", fmt::format("a shift needs at least two endpoints; this fabric has {}", n));
    if (by_ % n == 0)
      throw BadValue("by",
                     fmt::format("a shift by {} over {} endpoints sends everything to its sender", by_, n));
    SendPlan sends;
    sends.sources = n;
    sends.count = [](std::uint32_t) -> std::uint64_t { return 1; };
    sends.destination = [n, by = by_](std::uint32_t source, std::uint64_t) {
      return static_cast<std::uint32_t>((std::uint64_t{source} + by) % n);
    };
    return sends;
  }

 private:
  std::uint32_t by_ = 1;
};

}  // namespace

std::unique_ptr<Pattern> make_shift() { return std::make_unique<Shift>(); }

}  // namespace weft
