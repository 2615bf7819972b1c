// The switches of a torus or mesh at their coordinates, and the ports between them by direction.
//
// placement.h fills a grid. It may be incomplete: a place whose switch failed is empty, a cable that
// failed is in no direction's ports. What such a grid can still carry without deadlock is judged as OpenSM
// 3.3.23 does (osm_torus.c, torus-2QoS(8)): each ring may be cut once, and switches may be missing in one
// column along z only, next to each other.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/routing/switch_graph.h"
#include "models/routing/torus_2qos/config.h"

namespace weft {

using TorusPlace = std::array<std::uint32_t, kTorusDimensions>;

struct TorusSwitch {
  NodeIndex node = kNone;
  TorusPlace at{};
  std::array<std::vector<std::uint8_t>, kTorusDirections> ports;  // in the lower end's port order
  friend bool operator==(const TorusSwitch&, const TorusSwitch&) = default;
};

class TorusGrid {
 public:
  /// Switches are numbered in the order they were placed.
  static constexpr std::uint32_t kNobody = kNone;

  TorusGrid() = default;
  explicit TorusGrid(const TorusConfig& config);

  std::uint32_t size(unsigned dimension) const { return size_[dimension]; }
  bool mesh(unsigned dimension) const { return mesh_[dimension]; }
  std::size_t places() const { return number_at_.size(); }
  const std::vector<TorusSwitch>& switches() const { return switches_; }
  const TorusSwitch& operator[](std::uint32_t number) const { return switches_[number]; }
  /// Number of the switch at a place; kNobody where none stands.
  std::uint32_t at(const TorusPlace& place) const { return number_at_[index(place)]; }
  /// Number of a node; kNobody for nodes outside the torus.
  std::uint32_t number_of(NodeIndex node) const {
    return node < number_of_.size() ? number_of_[node] : kNobody;
  }
  /// One step on from `place`, round the ring, mesh or not.
  TorusPlace step(TorusPlace place, unsigned direction) const;
  /// The switch that the ports of a direction lead to; kNobody where there are none.
  std::uint32_t next(std::uint32_t number, unsigned direction) const {
    return switches_[number].ports[direction].empty() ? kNobody : at(step(switches_[number].at, direction));
  }

  /// Puts a switch on an empty place. @return whether it stood nowhere before
  bool place(NodeIndex node, const TorusPlace& place);
  void add_port(std::uint32_t number, unsigned direction, std::uint8_t port) {
    switches_[number].ports[direction].push_back(port);
  }

  /// Why it cannot be routed free of deadlock; empty when it can.
  std::string broken() const;

 private:
  std::size_t index(const TorusPlace& place) const {
    return (std::size_t{place[2]} * size_[1] + place[1]) * size_[0] + place[0];
  }
  std::string missing_switches() const;
  std::string cut_rings(unsigned dimension) const;

  std::array<std::uint32_t, kTorusDimensions> size_{};
  std::array<bool, kTorusDimensions> mesh_{};
  std::vector<std::uint32_t> number_at_;  // by index()
  std::vector<std::uint32_t> number_of_;  // by node
  std::vector<TorusSwitch> switches_;
};

/// "(1,0,2)"
std::string to_text(const TorusPlace& place);

}  // namespace weft
