// Traffic patterns: who sends how much to whom. One file and one row of the table each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/network.h"
#include "models/routing/static_load.h"
#include "models/topology/topology.h"
#include "sim/random.h"
#include "sim/schema.h"

namespace weft {

/// What a pattern knows of the fabric it runs on.
struct PatternContext {
  const Topology& topology;
  std::vector<Endpoint> endpoints;  // Topology::endpoints()
  std::uint64_t seed = 1;
  std::string name;         // "traffic[0]": names its random stream
  std::string base_folder;  // relative file names start here
  /// Of each endpoint the network it is in: cables lead only to those of the same number. Empty: all are in
  /// one.
  std::vector<std::uint32_t> network = {};
  /// Whether an endpoint has a data VL for a service level. Empty: each has one for all.
  std::function<bool(std::uint32_t endpoint, std::uint32_t sl)> has_lane = {};
  /// Service level the routes want from one endpoint to another. Empty: 0.
  std::function<std::uint32_t(std::uint32_t from, std::uint32_t to)> path_sl = {};
  std::uint32_t mtu = 4096;                 // most a multicast message can hold
  std::uint32_t group = Message::kNoGroup;  // number of the group that Pattern::group asked for
};

/// Refuses a flow that no message of can arrive. @throws BadValue: key "" for endpoints in separate networks,
/// "sl" for a service level that one of them drops
void check_flow(const PatternContext& context, std::uint32_t source, std::uint32_t destination,
                std::optional<std::uint32_t> sl);

/// What a user may call an endpoint.
class EndpointNames {
 public:
  explicit EndpointNames(const PatternContext& context);
  /// The endpoint meant by a machine name ("h3": its first port), an adapter name, "name[port]", or a number.
  /// @throws BadValue(key) with a suggestion
  std::uint32_t find(const std::string& text, const std::string& key) const;

 private:
  const Topology& topology_;
  std::size_t count_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
};

/// What reports call each endpoint: its machine where that says which, else its adapter, else its port.
/// Unique.
std::vector<std::string> endpoint_names(const Topology& topology);

/// Keys every pattern has.
struct StreamSettings {
  std::optional<std::uint32_t> sl;
  std::uint8_t message_sl() const;  // as Message takes it
  std::optional<Rate> rate;         // static rate of each queue pair
  Time start{0};
  void describe(Describe& d);
};

/// One entry of `traffic:`.
class Pattern : public Configurable {
 public:
  StreamSettings stream;
  /// Who belongs to the multicast group it sends to; empty: it sends to none. @throws BadValue as make()
  virtual std::vector<std::uint32_t> group(const PatternContext&) const { return {}; }
  /// @throws BadValue for values that do not fit this fabric
  virtual std::unique_ptr<Workload> make(const PatternContext& context) const = 0;
  /// What it sends, without when: each message to another destination once, whatever `messages`, `endless`
  /// and the like say. The result does not need `context` any more. @throws as make
  virtual FlowList flows(const PatternContext& context) const = 0;
  /// Whether another seed makes other flows.
  virtual bool is_random() const { return false; }
  /// Messages of a ping-pong style stream are reported as latency by size rather than as bandwidth.
  virtual bool is_latency_test() const { return false; }
  /// Leading messages of each size that are left out of the latency figures.
  virtual std::uint64_t warm_up_messages() const { return 0; }
};

/// The table.
std::span<const Choice<Pattern>> patterns();

}  // namespace weft
