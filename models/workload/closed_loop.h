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

/// Runs a plan. Completion of a send (ACK) starts the source's next message. @throws BadValue for a flow that
/// cannot be
std::unique_ptr<Workload> make_closed_loop(const PatternContext& context, SendPlan plan,
                                           const LoopSettings& loop, const StreamSettings& stream);

}  // namespace weft
