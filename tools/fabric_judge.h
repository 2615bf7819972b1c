// What `weft fabric` says of one set of routes: who is reached, how loaded are the links, can it deadlock.
#pragma once

#include <string>
#include <vector>

#include "models/routing/channel_graph.h"
#include "models/routing/lane_drops.h"
#include "models/routing/validate.h"
#include "scenarios/loader.h"

namespace weft {

struct Judgement {
  RouteReport paths;
  double mean_subscription = 0;  // flows over a switch-to-switch link, all-to-all
  CreditLoopReport traffic;      // between the adapters
  unsigned lanes = 1;            // data VLs the routes need
  LaneDrops drops;
  bool sound() const { return paths.reached == paths.pairs && drops.pairs == 0 && traffic.free_of_loops(); }
  std::uint64_t most() const { return paths.subscription.empty() ? 0 : paths.subscription.front().flows; }
  std::uint64_t least() const { return paths.subscription.empty() ? 0 : paths.subscription.back().flows; }
};

Judgement judge(const Prepared& prepared);

/// On the lanes the scenario has, with all service levels its traffic may choose.
CreditLoopReport find_credit_loop_of(const Prepared& prepared, Ends ends);

/// "no credit loop (128 channels, 608 dependencies)", or the loop, a link a line.
std::string loop_text(const Topology& topology, const CreditLoopReport& report);

/// "leaf0[9]", "spine1[1]": a port and what it is cabled to. For many ports: looks a name up once.
class PortNames {
 public:
  explicit PortNames(const Topology& topology) : topology_(topology), names_(topology.display_names()) {}
  const std::string& operator[](NodeIndex node) const { return names_[node]; }
  std::string operator[](PortRef port) const;
  std::string peer(PortRef port) const;

 private:
  const Topology& topology_;
  std::vector<std::string> names_;
};

}  // namespace weft
