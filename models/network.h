// The one door between workload and network: post(message) -> completion.
//
// Queue depth, queue pairs and patterns live above it; packets, flows or formulas below. `packet` is the
// engine of models/fabric; `fluid` and `analytic` come in beside it behind the same interface.
#pragma once

#include <cstdint>
#include <vector>

#include "models/fabric/message.h"

namespace weft {

/// What a workload may ask of the network.
class Network {
 public:
  virtual ~Network() = default;
  virtual Ticks now() const = 0;
  virtual std::uint32_t endpoint_count() const = 0;
  /// Data rate of the endpoint's link, bits per second.
  virtual double endpoint_rate(std::uint32_t endpoint) const = 0;
  /// Posts at once. The workload that gets the completions is the one registered as message.stream.
  virtual void post(const Message& message) = 0;
  /// Calls that workload's on_wake(endpoint, tag) at `at`. tag < 2^20.
  virtual void wake(std::uint32_t stream, std::uint32_t endpoint, Ticks at, std::uint32_t tag) = 0;
};

/// A source of messages. All calls come at the simulated time they speak of.
class Workload {
 public:
  virtual ~Workload() = default;
  /// Time zero: post the first messages, ask for wake-ups.
  virtual void start(Network& network, std::uint32_t stream) = 0;
  virtual void on_delivered(const Delivery&) {}
  virtual void on_sent(const Message&) {}
  virtual void on_wake(std::uint32_t /*endpoint*/, std::uint32_t /*tag*/) {}
  /// Messages it means to send in all, those to a group counted once for each receiver; 0 when it goes on for
  /// as long as the run does.
  virtual std::uint64_t planned() const = 0;
};

}  // namespace weft
