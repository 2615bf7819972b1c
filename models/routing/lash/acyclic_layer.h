// One virtual layer of a fabric: paths that may wait for each other's channels, but never in a circle.
//
// A path that would close a circle is not taken in. The layer keeps its channels in an order in which every
// path goes forward (Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs",
// ACM JEA 11, 2006): a path whose dependencies are there already, as most are, or go forward costs next to
// nothing, and the others the part of the layer between their two ends instead of a search of all of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

class AcyclicLayer {
 public:
  /// @param channels that paths are made of: numbers below this
  explicit AcyclicLayer(std::uint32_t channels);

  /// Takes in a path, the channels in the order it takes them, each once. A path may be taken in many times.
  /// @return false when that would close a circle: then nothing has changed
  bool add(std::span<const std::uint32_t> path);
  /// Takes out a path that is in.
  void remove(std::span<const std::uint32_t> path);

 private:
  /// A channel that paths go on to, and how many of them.
  struct Next {
    std::uint32_t channel;
    std::uint32_t paths;
  };

  bool depend(std::uint32_t from, std::uint32_t to);
  void release(std::uint32_t from, std::uint32_t to);
  bool reorder(std::uint32_t from, std::uint32_t to);
  /// Makes `ahead_` the channels that follow from `start`, none placed behind `limit`, which is not passed.
  /// @return false when `limit` is among them
  bool search_ahead(std::uint32_t start, std::uint32_t limit);
  void search_back(std::uint32_t start, std::uint32_t limit);

  std::vector<std::uint32_t> place_;                // by channel: where it stands in the order
  std::vector<std::vector<Next>> next_;             // by channel
  std::vector<std::vector<std::uint32_t>> before_;  // by channel: those it is a Next of
  std::vector<std::uint32_t> seen_;                 // by channel: the last search that met it
  std::uint32_t searches_ = 0;
  std::vector<std::uint32_t> ahead_, back_, places_;  // of the search in hand
};

}  // namespace weft
