// What a host-phase event of the fabric says: its kind and one number, packed into the event's detail.
#pragma once

#include <cstdint>

#include "sim/event.h"

namespace weft {

enum class HostEvent : std::uint8_t {
  doorbell,   // the adapter sees posted work requests
  gate,       // the injection gate of some QP opens
  delivered,  // a receive completion is seen by software; number: message row
  sent,       // a send completion is seen by software; number: message row
  wake,       // the user asked for it; number: the user's tag
};

inline constexpr int kHostKindShift = 28;
inline constexpr std::uint32_t kHostDetail = (1u << kHostKindShift) - 1;

constexpr Event host_event(std::int64_t time, std::uint32_t port, HostEvent kind, std::uint32_t number) {
  return make_event(time, Phase::host, port, static_cast<std::uint32_t>(kind) << kHostKindShift | number);
}

// Control events: entities of their own, above every port.
inline constexpr std::uint32_t kLinkEntity = Event::kMaxEntity - 2;
inline constexpr std::uint32_t kWatchEntity = Event::kMaxEntity - 1;
inline constexpr std::uint32_t kSampleEntity = Event::kMaxEntity;

}  // namespace weft
