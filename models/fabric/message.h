// What the fabric carries for its user, and what it reports back.
#pragma once

#include <cstdint>

#include "models/fabric/attribution.h"
#include "sim/units.h"

namespace weft {

/// A request to move `bytes` from one endpoint to another by RC SEND, or to all other members of a multicast
/// group by UD SEND. Messages with the same (source, destination or group, sl, flow) share a queue pair; RC
/// delivers them in order.
struct Message {
  std::uint32_t source = 0, destination = 0;  // endpoint numbers (Topology::endpoints order)
  std::uint64_t bytes = 0;
  static constexpr std::uint8_t kPathSl = 255;
  std::uint8_t sl = kPathSl;  // kPathSl: the one the routes want on this path, 0 where they want none
  std::uint32_t flow = 0;
  std::uint32_t stream = 0;  // the user's: which workload posted it
  static constexpr std::uint32_t kNoGroup = 0xffff'ffff;
  /// Number of a group of the routes' multicast tables; `destination` then says nothing when posted, and who
  /// has it when delivered. One packet at most: `bytes` is no more than the MTU.
  std::uint32_t group = kNoGroup;
  std::uint64_t tag = 0;           // the user's
  PicosecondsPerByte static_rate;  // injection limit of this QP over wire bytes; num = 0: none
};

/// A message at its end.
struct Delivery {
  Message message;
  Ticks posted = 0;
  Ticks delivered = 0;       // when the receiver's software sees the completion (CQE polled)
  std::uint64_t number = 0;  // of its source, from 0
  Parts parts;               // sum to delivered - posted
};

/// Who uses the fabric. Calls come at the time they report, ordered by (time, entity).
class FabricUser {
 public:
  virtual ~FabricUser() = default;
  /// The receiver has it.
  virtual void on_delivered(const Delivery& delivery) = 0;
  /// The sender has its completion (ACK received, CQE polled).
  virtual void on_sent(const Message& message) = 0;
  /// A wake-up asked for by World::wake.
  virtual void on_wake(std::uint32_t endpoint, std::uint32_t tag) = 0;
  /// A sample is due (World::sample_every); nothing moves while it runs.
  virtual void on_sample() {}
};

}  // namespace weft
