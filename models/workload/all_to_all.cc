// All-to-all: endpoint i sends to i+1, i+2, ... (mod n), one message each.
#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

class AllToAll : public Pattern {
 public:
  AllToAll() { loop_.message = Bytes{64 * 1024}; }
  void describe(Describe& d) override {
    loop_.describe(d);
    stream.describe(d);
  }
  std::unique_ptr<Workload> make(const PatternContext& context) const override {
    const auto n = static_cast<std::uint32_t>(context.endpoints.size());
    if (n < 2)
      throw BadValue("pattern",
                     fmt::format("an all-to-all needs at least two endpoints; this fabric has {}", n));
    SendPlan plan;
    plan.sources = n;
    plan.count = [n](std::uint32_t) -> std::uint64_t { return n - 1; };
    plan.destination = [n](std::uint32_t source, std::uint64_t i) {
      return static_cast<std::uint32_t>((source + 1 + i) % n);
    };
    return make_closed_loop(context, std::move(plan), loop_, stream);
  }

 private:
  LoopSettings loop_;
};

}  // namespace

std::unique_ptr<Pattern> make_all_to_all() { return std::make_unique<AllToAll>(); }

}  // namespace weft
