// The fabric as nue searches it: switches in the order of their LIDs, the channels between them and their
// weights, and the destinations.
//
// A search starts at a destination and runs outwards, so a channel here leads away from the destination, and
// packets travel the other way: what reaches a switch by a channel leaves that switch by the channel's far
// port. Dependencies are turned round likewise, which changes nothing about circles.
//
// OpenSM's order of LIDs is that of the bytes swapped, as its LIDs are in network order on a little-endian
// machine.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/switch_graph.h"

namespace weft {

/// Consecutive numbers of channels.
struct NueChannels {
  struct Iterator {
    std::uint32_t at;
    std::uint32_t operator*() const { return at; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator==(const Iterator&) const = default;
  };
  std::uint32_t first, last;  // `last` is behind them
  Iterator begin() const { return {first}; }
  Iterator end() const { return {last}; }
  std::uint32_t size() const { return last - first; }
};

/// Switches that cables join: what one subnet manager would see. Switches are numbered from 0, channels too:
/// those that leave switch 0 by port number, then those of switch 1, and so on.
struct NueSubnet {
  std::vector<NodeIndex> switches;
  std::vector<std::uint32_t> first;     // by switch, one more at the end: its first channel
  std::vector<std::uint32_t> from, to;  // by channel: the switches at its ends
  std::vector<std::uint32_t> reverse;   // by channel: the one of the same cable that leads back
  std::vector<std::uint8_t> far_port;   // by channel: its port at `to`
  std::vector<std::uint64_t> weight;    // by channel: the more paths use it the heavier
  std::vector<std::uint8_t> terminals;  // by switch: LIDs on it, its own among them; 8 bits, as in OpenSM
  std::vector<LidOwner> destinations;   // adapter ports and switches, in OpenSM's order of their GUIDs
  std::vector<std::uint32_t> homes;     // by destination: the switch it hangs on

  std::uint32_t size() const { return static_cast<std::uint32_t>(switches.size()); }
  std::uint32_t channels() const { return static_cast<std::uint32_t>(to.size()); }
  /// The channels that leave a switch.
  NueChannels leaving(std::uint32_t sw) const { return {first[sw], first[sw + 1]}; }
};

/// A tree over the switches, as the channel that leads into each; kNone for its root.
using NueTree = std::vector<std::uint32_t>;

/// The subnets of a topology. Separate planes are one each.
std::vector<NueSubnet> nue_subnets(const Topology& topology);

/// Shortest ways by weight from `root` to all switches, as OpenSM's Dijkstra breaks ties.
/// @returns kNone for a switch too far away, too: OpenSM takes 2^31 - 1 for infinity
NueTree lightest_tree(const NueSubnet& subnet, std::uint32_t root);

/// The same tree with another switch as its root.
NueTree rerooted(const NueSubnet& subnet, NueTree tree, std::uint32_t root);

/// What every switch sends down the tree to its root weighs on the channels it takes.
void add_weights(NueSubnet& subnet, const NueTree& tree);

inline constexpr std::uint64_t kNueUnreached = 0x7fff'ffff;

}  // namespace weft
