// All-to-all: endpoint i sends to i+1, i+2, ... (mod n), one message each.
#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

class AllToAll : public PlannedPattern {
 public:
  AllToAll() { loop_.message = Bytes{64 * 1024}; }
  void describe(Describe& d) override {
    loop_.describe(d);
    stream.describe(d);
  }
  SendPlan plan(const PatternContext& context) const override {
    const auto n = static_cast<std::uint32_t>(context.endpoints.size());
    if (n < 2)
      throw BadValue("pattern",
                     fmt::format("an all-to-all needs at least two endpoints; this fabric has {}", n));
    SendPlan sends;
    sends.sources = n;
    sends.count = [n](std::uint32_t) -> std::uint64_t { return n - 1; };
    sends.destination = [n](std::uint32_t source, std::uint64_t i) {
      return static_cast<std::uint32_t>((source + 1 + i) % n);
    };
    return sends;
  }
};

}  // namespace

std::unique_ptr<Pattern> make_all_to_all() { return std::make_unique<AllToAll>(); }

}  // namespace weft
