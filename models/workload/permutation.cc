// Permutation: a random derangement, so that no endpoint sends to itself.
#include <numeric>

#include <fmt/format.h>

#include "models/workload/closed_loop.h"
#include "models/workload/pattern_rows.h"
#include "sim/error.h"

namespace weft {
namespace {

/// A uniformly random cyclic permutation (Sattolo's algorithm): every endpoint sends to another, whatever n
/// >= 2.
std::vector<std::uint32_t> random_cycle(std::uint32_t n, RandomStream& random) {
  std::vector<std::uint32_t> to(n);
  std::iota(to.begin(), to.end(), 0u);
  for (std::uint32_t i = n; i > 1; --i) std::swap(to[i - 1], to[random.below(i - 1)]);
  return to;
}

class Permutation : public PlannedPattern {
 public:
  void describe(Describe& d) override {
    loop_.describe(d);
    stream.describe(d);
  }
  bool is_random() const override { return true; }
  SendPlan plan(const PatternContext& context) const override {
    const auto n = static_cast<std::uint32_t>(context.endpoints.size());
    if (n < 2)
      throw BadValue("pattern",
                     fmt::format("a permutation needs at least two endpoints; this fabric has {}", n));
    RandomStream random(context.seed, context.name);
    SendPlan sends;
    sends.sources = n;
    sends.count = [](std::uint32_t) -> std::uint64_t { return 1; };
    sends.destination = [to = random_cycle(n, random)](std::uint32_t source, std::uint64_t) {
      return to[source];
    };
    return sends;
  }
};

}  // namespace

std::unique_ptr<Pattern> make_permutation() { return std::make_unique<Permutation>(); }

}  // namespace weft
