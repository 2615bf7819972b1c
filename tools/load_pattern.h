// The pattern that `weft fabric load` counts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/workload/pattern.h"
#include "sim/document.h"

namespace weft {

class LoadPattern {
 public:
  /// `all_to_all`, `shift=3`, `sends.csv`, `{pattern: incast, to: h3}`: as a scenario's traffic would say
  /// it. Files start where the user stands. @throws ConfigError that names `--pattern` and what it was given
  explicit LoadPattern(const std::string& said);

  /// Whether another seed draws another.
  bool is_random() const { return pattern_->is_random(); }
  /// The draw of a seed is what `weft run` has with that run.seed as the first entry of `traffic:`. Flows
  /// between separate networks, which no cables join, are among them.
  /// @throws ConfigError for what does not fit the fabric
  FlowList flows(const Topology& topology, std::uint64_t seed) const;

 private:
  Document document_;
  std::unique_ptr<Pattern> pattern_;
};

}  // namespace weft
