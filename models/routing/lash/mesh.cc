#include "models/routing/lash/mesh.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "models/routing/lash/mesh_shape.h"

namespace weft {
namespace {

// Of two links of a switch that lie along different axes, the far ends are this far apart round the corner;
// nothing else tells axes from each other.
constexpr std::uint32_t kRoundCorner = 2;
constexpr std::uint32_t kMostAcross =
    4;  // of two along one axis, where there is a way over a neighbouring row
constexpr std::uint32_t kApart = 0x7fff'ffff;
constexpr int kNowhere = 0x7fff'ffff;

/// Axes are numbered from 1: +x, -x, +y, -y ... ; 0 is none yet.
using Axis = unsigned;

/// What is found out about one switch.
struct Place {
  NeighbourDistances distances;  // empty: it has too many links for a mesh
  unsigned dimensions = 0;       // of the mesh it looks like; 0: of none
  std::vector<Axis> axes;        // by link
  std::vector<int> coordinates;  // by dimension of the fabric

  bool along_other_axis(std::size_t link, std::size_t other) const {
    return distances[link][other] == kRoundCorner;
  }

  /// The axis of the link on the other side: - of + and + of -, or the same where there is no other side.
  Axis opposite(Axis axis) const {
    if (distances.empty()) return 0;
    const auto link = static_cast<std::size_t>(std::ranges::find(axes, axis) - axes.begin());
    if (link == axes.size()) return 0;
    for (std::size_t other = 0; other < axes.size(); ++other)
      if (other != link && !along_other_axis(link, other)) return axis % 2 == 0 ? axis - 1 : axis + 1;
    return axis;
  }
};

class MeshAnalysis {
 public:
  explicit MeshAnalysis(LashLinks& links) : links_(links), places_(links.size()) {}

  std::vector<std::uint32_t> run() {
    for (std::size_t at = 0; at < links_.size(); ++at) places_[at].axes.resize(links_[at].size());
    std::vector<std::uint32_t> order(links_.size());
    std::iota(order.begin(), order.end(), 0u);
    if (!find_seed()) return order;
    seed_axes();
    bool changed = true;
    while (changed) {
      changed = spread_across();
      changed |= spread_over_cables();
      changed |= spread_round_corners();
    }
    find_coordinates();
    rank_dimensions();
    for (std::size_t at = 0; at < links_.size(); ++at) reorder_links(at);
    merge_sort(order);
    renumber(order);
    return order;
  }

 private:
  /// Looks round every switch, and takes the first of the commonest kind for the seed.
  bool find_seed() {
    std::map<Polynomial, std::size_t> kind_of;
    std::vector<std::pair<std::size_t, std::size_t>> kinds;  // members, the first of them
    for (std::size_t at = 0; at < links_.size(); ++at) {
      if (links_[at].size() > kMostMeshLinks) continue;
      look_round(at);
      const Polynomial polynomial = characteristic_polynomial(places_[at].distances);
      places_[at].dimensions = mesh_dimensions(polynomial);
      if (places_[at].dimensions > 0 && at_the_edge(at)) continue;
      const auto [kind, is_new] = kind_of.try_emplace(polynomial, kinds.size());
      if (is_new) kinds.emplace_back(0, at);
      ++kinds[kind->second].first;
    }
    if (kinds.empty()) return false;
    seed_ = std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.first; })->second;
    return seed().dimensions > 0;
  }

  /// A neighbour has more links: what it looks like is not what the mesh is.
  bool at_the_edge(std::size_t at) const {
    return std::ranges::any_of(
        links_[at], [&](const LashLink& link) { return links_[link.peer].size() > links_[at].size(); });
  }

  void look_round(std::size_t at) {
    NeighbourDistances& distances = places_[at].distances;
    std::vector<std::uint32_t> from_here(links_.size());
    for (const LashLink& link : links_[at]) {
      measure(link.peer, at, from_here);
      std::vector<std::uint32_t>& row = distances.emplace_back();
      for (const LashLink& to : links_[at]) row.push_back(from_here[to.peer]);
    }
  }

  /// Links from `start` to each switch by ways that leave `around` out.
  void measure(std::size_t start, std::size_t around, std::vector<std::uint32_t>& distance) const {
    std::ranges::fill(distance, kApart);
    std::vector<std::size_t> queue{start};
    distance[start] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const LashLink& link : links_[queue[next]]) {
        if (link.peer == around || distance[link.peer] != kApart) continue;
        distance[link.peer] = distance[queue[next]] + 1;
        queue.push_back(link.peer);
      }
    }
  }

  const Place& seed() const { return places_[seed_]; }

  void seed_axes() {
    std::vector<Axis>& axes = places_[seed_].axes;
    for (Axis axis = 1; axis <= 2 * seed().dimensions; axis += 2) {
      const auto link = static_cast<std::size_t>(std::ranges::find(axes, Axis{0}) - axes.begin());
      if (link == axes.size()) return;
      axes[link] = axis;
      for (std::size_t other = 0; other < axes.size(); ++other) {
        if (axes[other] != 0 || seed().along_other_axis(link, other)) continue;
        axes[other] = axis + 1;
        break;
      }
    }
  }

  /// Gives a link that has no axis one. @return whether that changed anything
  static bool give(Axis& link, Axis axis) {
    if (link != 0 || axis == 0) return false;
    link = axis;
    return true;
  }

  /// From a link to the one on the other side of its switch, where only one can be that.
  bool spread_across() {
    bool changed = false;
    for (Place& place : places_) {
      if (place.distances.empty()) continue;
      if (place.axes.size() <= 2 && place.axes.size() < seed().axes.size()) continue;  // a bit of a chain
      for (std::size_t link = 0; link < place.axes.size(); ++link) {
        if (place.axes[link] == 0) continue;
        std::size_t candidates = 0, across = 0;
        for (std::size_t other = 0; other < place.axes.size(); ++other) {
          if (other == link || place.along_other_axis(link, other)) continue;
          ++candidates;
          across = other;
        }
        if (candidates == 1 && place.distances[link][across] <= kMostAcross)
          changed |= give(place.axes[across], seed().opposite(place.axes[link]));
      }
    }
    return changed;
  }

  /// From one end of a link to the other.
  bool spread_over_cables() {
    bool changed = false;
    for (std::size_t at = 0; at < places_.size(); ++at) {
      if (places_[at].distances.empty()) continue;
      for (std::size_t link = 0; link < links_[at].size(); ++link) {
        Place& far = places_[links_[at][link].peer];
        if (places_[at].axes[link] == 0 || far.distances.empty()) continue;
        const std::vector<LashLink>& back = links_[links_[at][link].peer];
        const auto end =
            static_cast<std::size_t>(std::ranges::find(back, at, &LashLink::peer) - back.begin());
        changed |= give(far.axes[end], seed().opposite(places_[at].axes[link]));
      }
    }
    return changed;
  }

  /// From two sides of a square to those across.
  bool spread_round_corners() {
    bool changed = false;
    for (std::size_t at = 0; at < places_.size(); ++at) {
      const Place& place = places_[at];
      if (place.distances.empty()) continue;
      for (std::size_t i = 0; i < place.axes.size(); ++i) {
        if (place.axes[i] == 0) continue;
        for (std::size_t j = 0; j < place.axes.size(); ++j) {
          if (i == j || place.axes[j] == 0 || !place.along_other_axis(i, j)) continue;
          changed |= close_square(at, i, j);
        }
      }
    }
    return changed;
  }

  bool close_square(std::size_t at, std::size_t i, std::size_t j) {
    const std::size_t first = links_[at][i].peer, second = links_[at][j].peer;
    for (std::size_t k = 0; k < links_[first].size(); ++k) {
      const std::uint32_t corner = links_[first][k].peer;
      if (corner == at) continue;
      const auto l = static_cast<std::size_t>(std::ranges::find(links_[second], corner, &LashLink::peer) -
                                              links_[second].begin());
      if (l == links_[second].size()) continue;
      const bool along_j = give(places_[first].axes[k], places_[at].axes[j]);
      const bool along_i = give(places_[second].axes[l], places_[at].axes[i]);
      return along_j || along_i;
    }
    return false;
  }

  /// Nearer to 0, the positive one of two as near.
  static bool nearer(int a, int b) {
    return std::abs(a) < std::abs(b) || (std::abs(a) == std::abs(b) && a > b);
  }

  /// Steps from the seed along each dimension. They need not agree all round a torus: what holds depends on
  /// the order of switches, which is OpenSM's.
  void find_coordinates() {
    for (Place& place : places_) place.coordinates.assign(seed().dimensions, kNowhere);
    std::ranges::fill(places_[seed_].coordinates, 0);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t at = 0; at < places_.size(); ++at) {
        if (places_[at].coordinates[0] == kNowhere) continue;
        for (std::size_t link = 0; link < links_[at].size(); ++link) {
          if (places_[at].axes[link] == 0) continue;
          changed |= step(places_[at], places_[at].axes[link] - 1, places_[links_[at][link].peer]);
        }
      }
    }
  }

  static bool step(const Place& from, unsigned along, Place& to) {
    bool changed = false;
    for (std::size_t dimension = 0; dimension < from.coordinates.size(); ++dimension) {
      int there = from.coordinates[dimension];
      if (dimension == along / 2) there += along % 2 == 0 ? 1 : -1;
      if (!nearer(there, to.coordinates[dimension])) continue;
      to.coordinates[dimension] = there;
      changed = true;
    }
    return changed;
  }

  /// The longest first.
  void rank_dimensions() {
    std::vector<int> lengths;
    for (std::size_t dimension = 0; dimension < seed().dimensions; ++dimension) {
      int least = 0, most = 0;  // the seed's
      for (const Place& place : places_) {
        if (place.coordinates[dimension] == kNowhere) continue;
        least = std::min(least, place.coordinates[dimension]);
        most = std::max(most, place.coordinates[dimension]);
      }
      lengths.push_back(most - least);
      ranked_.push_back(dimension);
    }
    std::ranges::stable_sort(ranked_, std::greater(),
                             [&](std::size_t dimension) { return lengths[dimension]; });
  }

  void reorder_links(std::size_t at) {
    const Place& place = places_[at];
    std::vector<LashLink>& links = links_[at];
    std::vector<LashLink> reordered;
    std::vector<bool> taken(links.size());
    const auto take = [&](std::size_t link) {
      taken[link] = true;
      reordered.push_back(std::move(links[link]));
    };
    for (const std::size_t dimension : ranked_) {
      for (const Axis axis : {2 * static_cast<Axis>(dimension) + 1, 2 * static_cast<Axis>(dimension) + 2}) {
        // Where there is no link along that axis, OpenSM takes those without one.
        const Axis wanted = place.coordinates[dimension] > 0 ? place.opposite(axis) : axis;
        for (std::size_t link = 0; link < links.size(); ++link)
          if (!taken[link] && place.axes[link] == wanted) take(link);
      }
    }
    for (std::size_t link = 0; link < links.size(); ++link)
      if (!taken[link]) take(link);
    links = std::move(reordered);
  }

  /// By coordinates, as OpenSM subtracts them in 32 bits: a switch that no axis leads to stands behind those
  /// at 0 and more, but before those at less than 0.
  bool behind(std::uint32_t a, std::uint32_t b) const {
    for (const std::size_t dimension : ranked_) {
      const auto difference =
          static_cast<std::int32_t>(static_cast<std::uint32_t>(places_[a].coordinates[dimension]) -
                                    static_cast<std::uint32_t>(places_[b].coordinates[dimension]));
      if (difference != 0) return difference > 0;
    }
    return false;
  }

  /// That is no order (who is behind whom can go in a circle), so what comes of it depends on how it is
  /// sorted: glibc's qsort() merges halves.
  void merge_sort(std::span<std::uint32_t> switches) const {
    if (switches.size() <= 1) return;
    const std::span<std::uint32_t> front = switches.first(switches.size() / 2);
    const std::span<std::uint32_t> back = switches.subspan(front.size());
    merge_sort(front);
    merge_sort(back);
    std::vector<std::uint32_t> merged;
    std::size_t f = 0, b = 0;
    while (f < front.size() && b < back.size())
      merged.push_back(behind(front[f], back[b]) ? back[b++] : front[f++]);
    merged.insert(merged.end(), front.begin() + static_cast<std::ptrdiff_t>(f), front.end());
    merged.insert(merged.end(), back.begin() + static_cast<std::ptrdiff_t>(b), back.end());
    std::ranges::copy(merged, switches.begin());
  }

  void renumber(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> new_number(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) new_number[order[i]] = i;
    LashLinks renumbered;
    for (const std::uint32_t old : order) {
      for (LashLink& link : links_[old]) link.peer = new_number[link.peer];
      renumbered.push_back(std::move(links_[old]));
    }
    links_ = std::move(renumbered);
  }

  LashLinks& links_;
  std::vector<Place> places_;
  std::size_t seed_ = 0;
  std::vector<std::size_t> ranked_;  // dimensions
};

}  // namespace

std::vector<std::uint32_t> order_by_mesh(LashLinks& links) { return MeshAnalysis(links).run(); }

}  // namespace weft
