// Turns deliveries and counters into the tables of a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/fabric/world.h"
#include "scenarios/loader.h"
#include "sim/histogram.h"
#include "sim/recorder.h"

namespace weft {

/// What one traffic stream did.
class StreamMeter {
 public:
  StreamMeter(const Pattern& pattern, std::string name) : pattern_(&pattern), name_(std::move(name)) {}

  void add_post(const Message& message, Ticks now);
  void add(const Delivery& delivery, Ticks warm_up);

  struct Flow {
    std::uint32_t source = 0, destination = 0;
    std::uint64_t posted = 0;               // messages, from the start
    std::uint64_t messages = 0, bytes = 0;  // delivered, from the start
    std::uint64_t window_messages = 0;
    std::int64_t window_bytes = 0;  // arrived after the warm-up, packet by packet
    Ticks first_posted = 0, last_delivered = 0;
    Uint128 latency_sum = 0;
  };

 private:
  friend class Measurement;
  Flow& flow_of(const Message& message, Ticks first_seen);
  void add_part(const Message& message, std::int64_t bytes);
  /// One size of a latency test: every distinct latency, with the parts of a message that had it.
  struct Size {
    std::uint64_t seen = 0;  // warm-up included
    std::map<Ticks, std::pair<std::uint64_t, Parts>> latencies;
    std::uint64_t count = 0;
  };

  const Pattern* pattern_;
  std::string name_;
  std::vector<Flow> flows_;
  std::unordered_map<std::uint64_t, std::size_t> flow_index_;
  std::map<std::uint64_t, Size> sizes_;  // latency tests only
  Histogram latency_;
  Parts parts_;  // summed over counted messages
  std::uint64_t messages_ = 0;
  std::int64_t bytes_ = 0;  // arrived after the warm-up
  Ticks first_posted_ = kNeverTicks, last_delivered_ = 0;
};

class Measurement {
 public:
  Measurement(const Prepared& prepared, const World& world);

  void on_post(const Message& message) { streams_[message.stream].add_post(message, world_.now()); }
  void on_delivery(const Delivery& delivery) { streams_[delivery.message.stream].add(delivery, warm_up_); }
  /// The warm-up is over: counters count from here.
  void start_window();
  /// The run is over. What has arrived of messages still under way counts for their flows' rates.
  void end_window();
  void on_sample();
  /// Writes every table. `end` is when the run stopped.
  void write(Recorder& recorder, Ticks end) const;

 private:
  void write_latency(Recorder& recorder) const;
  void write_streams(Recorder& recorder, Ticks end) const;
  void write_flows(Recorder& recorder, Ticks end) const;
  void write_ports(Recorder& recorder, Ticks end) const;
  double flow_gbps(const StreamMeter::Flow& flow, Ticks end) const;

  const Prepared& prepared_;
  const World& world_;
  Ticks warm_up_;
  std::vector<std::string> names_;  // of endpoints
  std::vector<StreamMeter> streams_;
  std::vector<World::PortCounters> at_window_;
  Ticks window_start_ = 0;
  struct Sample {
    Ticks time;
    std::uint64_t data_hops, live_packets, messages_delivered, delivered_bytes;
  };
  std::vector<Sample> samples_;
};

}  // namespace weft
