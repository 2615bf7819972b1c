// The closed loop: every source keeps `depth` messages under way until its list is done.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/workload/pattern.h"

namespace weft {

/// Keys of the patterns that send lists of messages.
struct LoopSettings {
  Bytes message{1024 * 1024};
  std::uint32_t messages = 1;
  bool endless = false;
  std::uint32_t depth = 1;
  void describe(Describe& d);
};

/// What each source sends, as a pure function: memory does not grow with the number of messages.
struct SendPlan {
  std::uint32_t sources = 0;                                                        // endpoints
  std::function<std::uint64_t(std::uint32_t source)> count;                         // messages a round
  std::function<std::uint32_t(std::uint32_t source, std::uint64_t n)> destination;  // n < count(source)
  std::uint64_t rounds = 1;                                                         // 0 = endless
  // Where every message goes to the other members of a group instead; `destination` is not asked.
  std::uint32_t group = Message::kNoGroup, members = 0;
};

/// A pattern that is a plan, run as a closed loop: completion of a send (ACK) starts the source's next
/// message.
class PlannedPattern : public Pattern {
 public:
  std::unique_ptr<Workload> make(const PatternContext& context) const final;
  FlowList flows(const PatternContext& context) const final;

 protected:
  /// @throws BadValue for values that do not fit this fabric
  virtual SendPlan plan(const PatternContext& context) const = 0;

  LoopSettings loop_;

 private:
  SendPlan checked_plan(const PatternContext& context) const;
};

}  // namespace weft
