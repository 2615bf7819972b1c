// How much of a traffic pattern each link carries with these routes, by counting: no queues, no packets, no
// time. What it says is what the fabric's shape and its tables allow; what buffers, bursts and back-pressure
// take away from that is the packet engine's to say.
//
// Each flow follows the tables from its adapter to its destination's first LID (path bits of an LMC are not
// used). A link's bytes are shared by its flows in proportion to what each has to send, so that they end
// together: a flow's bandwidth is the least, over its links, of rate x own bytes / bytes of the link. With
// messages of one size that is rate / flows (the model of "effective bisection bandwidth": Hoefler,
// Schneider, Lumsdaine 2008). What a flow leaves unused on its other links is given to no one else. Lanes
// share their link's rate, whichever they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/routing/routes.h"

namespace weft {

/// What one end sends another, both by place in Topology::endpoints().
struct Flow {
  std::uint32_t source = 0, destination = 0;
  std::uint64_t bytes = 1;
};
/// Calls its argument for every flow of a pattern, the same ones each time it is asked.
using FlowList = std::function<void(const std::function<void(const Flow&)>&)>;

/// One direction of a cable.
struct LinkLoad {
  PortRef port;             // that sends on it
  std::uint64_t flows = 0;  // that take it
  double bytes = 0;         // they carry
  /// What the flows would send if each source sent at its own link's rate, its flows in proportion to their
  /// bytes, over the link's rate: beyond 1 the link holds them up.
  double load = 0;
};

struct LoadReport {
  std::uint64_t flows = 0;        // that arrive, and are counted below
  std::uint64_t links_taken = 0;  // by all of them together
  std::uint64_t lost = 0;         // that do not arrive; they load nothing
  Flow first_lost;
  /// Every direction of every cable between switches and traffic ends, busy or not: cable by cable.
  std::vector<LinkLoad> links;
  double busiest_seconds = 0;  // what the link with most bytes for its rate takes to carry them
  double mean_bandwidth = 0, least_bandwidth = 0;  // of a flow, bits per second
  /// Bandwidth over what the flow could have if only its source's link bound it: that link's rate, divided
  /// among the source's flows.
  double mean_share = 0, least_share = 0;
  Flow slowest;  // the first flow of the least share
};

/// The `count` links of highest load, most first; ties in the order of `links`.
std::vector<LinkLoad> most_loaded(const LoadReport& report, std::size_t count);

/// Counts one pattern after another over the same routes.
class StaticLoad {
 public:
  /// @throws BadValue when the tables hold port sets: how their traffic spreads is not a matter of counting
  StaticLoad(const Topology& topology, const Routes& routes);  // which must outlive it

  /// The result is good until the next call. Time: twice the links that all flows take.
  const LoadReport& of(const FlowList& flows);

  const std::vector<Endpoint>& endpoints() const { return endpoints_; }

 private:
  static constexpr std::uint32_t kNothing = 0xffff'ffff;

  /// What is behind a port of a switch, or of a traffic end.
  struct Way {
    std::uint32_t link = kNothing;     // in report_.links
    std::uint32_t switch_ = kNothing;  // number of the switch there, if it is one
  };
  struct End {
    Way out;
    std::uint32_t last = kNothing;  // the link that leads to it
    Lid lid = 0;
  };

  bool walk(const Flow& flow);  // fills path_; false: it does not arrive
  void reset();

  std::vector<Endpoint> endpoints_;
  std::vector<End> ends_;             // by endpoint
  std::vector<LftRow> tables_;        // by switch number
  std::vector<std::uint32_t> first_;  // by switch number, one more at the end: its port 1 in ways_
  std::vector<Way> ways_;
  std::vector<double> rates_;            // by link: bytes per second
  std::vector<std::uint32_t> path_;      // links of the flow at hand
  std::vector<double> bytes_of_source_;  // by endpoint
  LoadReport report_;
};

}  // namespace weft
