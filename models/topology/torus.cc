// Tori and meshes of 1 to 8 dimensions: k-ary n-cubes and their kin (Dally and Towles, "Principles and
// Practices of Interconnection Networks", 2004, chapter 5).
//
//   topology: {type: torus, size: [8, 8, 4], wrap: [yes, yes, no], hosts_per_switch: 2, parallel: 2}
//
// Ports: machines on 1 .. T, then dimension by dimension, the way up (to the next coordinate) before the way
// down, parallel cables side by side. At the edge of a mesh these ports stay free, so a port means the same
// on every switch, and OpenSM's dor, which takes the lowest port, goes dimension by dimension. A dimension of
// two has the way up alone: round it leads where back does, and a second cable would be a parallel one
// (`parallel` gives it). A dimension of one has no ports.
//
// Closed forms, S = product of the sizes: cables of a dimension of size k > 2: S p if it wraps, else
// S (k-1)/k p; diameter: the sum of floor(k/2), without wrap of k - 1; a ring cut in half: 2 p S / k cables.
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/topology/direct_network.h"
#include "models/topology/lattice.h"
#include "models/topology/topology_builder_rows.h"

namespace weft {

namespace {

/// Whether a dimension is a ring or a line.
enum class Wrap : std::uint8_t { no, yes };

std::span<const std::pair<std::string_view, Wrap>> words_of(Wrap) {
  static constexpr std::array<std::pair<std::string_view, Wrap>, 2> kWords{
      {{"yes", Wrap::yes}, {"no", Wrap::no}}};
  return kWords;
}

class Torus : public TopologyBuilder, public DirectNetworkKeys {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::vector<std::uint32_t> size;
  std::vector<Wrap> wrap;
  std::vector<std::uint32_t> parallel;
  LinkKeys switch_link;
};

void Torus::describe(Describe& d) {
  d.list("size", size, "Switches along each dimension, 1 to 8 of them: [4, 4, 4].");
  d.list("wrap", wrap, "Whether its ends are joined, for each dimension or for all. Default: yes, a torus.");
  d.list(
      "parallel", parallel,
      "Cables between neighbours, for each dimension or for all. Default: 1. Two switches are joined once, "
      "not once each way round.");
  describe_network(d, "hosts_per_switch");
  d.group("switch_link", switch_link, "Cables between switches.");
}

Topology Torus::build(const BuildContext& context) const {
  const Lattice lattice(size);
  const std::vector<Wrap> wraps = by_dimension(wrap, lattice, Wrap::yes, "wrap");
  const std::vector<std::uint32_t> cables = by_dimension(parallel, lattice, 1u, "parallel");
  std::vector<std::uint32_t> up(lattice.dimensions()), down(lattice.dimensions());  // first port that way
  std::uint64_t ports = 0;
  for (std::size_t d = 0; d < lattice.dimensions(); ++d) {
    if (cables[d] == 0 || cables[d] > 127)
      throw BadValue("parallel", fmt::format("neighbours are joined by 1 to 127 cables, not {}", cables[d]));
    const std::uint64_t ways = std::min(lattice.size()[d] - 1, 2u);
    up[d] = static_cast<std::uint32_t>(ports);
    down[d] = static_cast<std::uint32_t>(ways == 2 ? ports + cables[d] : ports);
    ports += ways * cables[d];
  }
  DirectNetwork network(*this, context,
                        {lattice.switches(), lattice.switches(), ports, 0, "size", "hosts_per_switch"},
                        [&lattice](std::uint32_t n) { return lattice.name(n); });
  const LinkSpec link = switch_link.over(network.link(), "switch_link");
  Topology::Grid grid{lattice.size(), {}};
  for (std::size_t d = 0; d < lattice.dimensions(); ++d)
    grid.wraps.push_back(lattice.size()[d] > 2 && wraps[d] == Wrap::yes);
  for (std::uint32_t n = 0; n < lattice.switches(); ++n)
    for (std::size_t d = 0; d < lattice.dimensions(); ++d) {
      std::uint32_t next = lattice.at(n, d) + 1;
      if (next == lattice.size()[d]) {
        if (!grid.wraps[d]) continue;
        next = 0;
      }
      for (std::uint32_t c = 0; c < cables[d]; ++c)
        network.connect(n, up[d] + c, lattice.moved(n, d, next), down[d] + c, link);
    }
  return network.finish(std::move(grid));
}

}  // namespace

std::unique_ptr<TopologyBuilder> make_torus() { return std::make_unique<Torus>(); }

}  // namespace weft
