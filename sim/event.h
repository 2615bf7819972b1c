// The event: 16 bytes, ordered by content.
//
// A key says what happens, never when it was pushed: (time, phase, entity, detail). It is unique by
// construction, so the order of events does not depend on the container, on the partition, or on which events
// were elided. Inside one (time, phase) of the fabric nothing depends on order; host and control events of an
// instant are handed out sorted by key.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace weft {

/// The phases of an instant, in order. An event never schedules into an earlier phase of its own instant.
enum class Phase : std::uint8_t {
  control,    // link up/down, rate changes, samples: global, at a barrier when parallel
  host,       // doorbells, completions, timers: what happens at an adapter or its machine
  heads,      // packets become ready at outputs
  arbitrate,  // an output picks one packet and starts it
};

struct Event {
  std::int64_t time;  // ps (or the tick of the engine's instance)
  std::uint64_t key;  // phase : 2 | entity : 30 | detail : 32

  constexpr Phase phase() const { return static_cast<Phase>(key >> 62); }
  constexpr std::uint32_t entity() const { return static_cast<std::uint32_t>(key >> 32) & kMaxEntity; }
  constexpr std::uint32_t detail() const { return static_cast<std::uint32_t>(key); }

  static constexpr std::uint32_t kMaxEntity = (1u << 30) - 1;

  friend constexpr bool operator==(const Event&, const Event&) = default;
  /// Content order: what a log, a reference queue and the sorted phases use.
  friend constexpr bool operator<(const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.key < b.key;
  }
};

constexpr Event make_event(std::int64_t time, Phase phase, std::uint32_t entity, std::uint32_t detail) {
  return {time, static_cast<std::uint64_t>(phase) << 62 | static_cast<std::uint64_t>(entity) << 32 | detail};
}

static_assert(sizeof(Event) == 16);

}  // namespace weft
