// HyperX: a lattice in which all switches of a line are joined with each other (Ahn, Binkert, Davis, McLaren,
// Schreiber, "HyperX: topology, routing, and packaging of efficient large-scale networks", SC'09).
//
//   topology: {type: hyperx, size: [8, 8, 8], parallel: [1, 1, 1], hosts_per_switch: 8}
//
// size is the paper's S_1 .. S_L, parallel its K_1 .. K_L (cables between each two of a line),
// hosts_per_switch its T. A flattened butterfly (k-ary n-flat; Kim, Dally, Abts, ISCA'07) is n - 1 dimensions
// of size k with k machines, a hypercube L dimensions of size 2, a full mesh one dimension.
//
// Ports: machines on 1 .. T, then dimension by dimension the others of that line in the order of their
// coordinate, the K cables to one side by side.
//
// Closed forms, P = S_1 .. S_L switches: ports T + sum K_k (S_k - 1); cables P/2 sum K_k (S_k - 1); diameter
// L; dimension k cut in half: P K_k S_k / 4 cables (S_k even), and over the machines of one half that is the
// relative bisection K_k S_k / (2 T).
#include <cstdint>
#include <vector>

#include "models/topology/direct_network.h"
#include "models/topology/lattice.h"
#include "models/topology/topology_builder_rows.h"

namespace weft {

namespace {

class HyperX : public TopologyBuilder, public DirectNetworkKeys {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::vector<std::uint32_t> size, parallel;
  LinkKeys switch_link;
};

void HyperX::describe(Describe& d) {
  d.list("size", size, "S_1 .. S_L: switches along each dimension, 1 to 8 of them: [8, 8, 8].");
  d.list(
      "parallel", parallel,
      "K_1 .. K_L: cables between each two switches of a line, for each dimension or for all. Default: 1.");
  describe_network(d, "hosts_per_switch");
  d.group("switch_link", switch_link, "Cables between switches.");
}

Topology HyperX::build(const BuildContext& context) const {
  const Lattice lattice(size);
  const std::vector<std::uint32_t> cables = by_dimension(parallel, lattice, 1u, "parallel");
  std::vector<std::uint32_t> first(lattice.dimensions());  // port of each dimension
  std::uint64_t ports = 0;
  for (std::size_t d = 0; d < lattice.dimensions(); ++d) {
    if (cables[d] == 0 || cables[d] > 127)
      throw BadValue("parallel",
                     fmt::format("two switches are joined by 1 to 127 cables, not {}", cables[d]));
    first[d] = static_cast<std::uint32_t>(ports);
    ports += std::uint64_t{cables[d]} * (lattice.size()[d] - 1);
  }
  DirectNetwork network(*this, context,
                        {lattice.switches(), lattice.switches(), ports, 0, "size", "hosts_per_switch"},
                        [&lattice](std::uint32_t n) { return lattice.name(n); });
  const LinkSpec link = switch_link.over(network.link(), "switch_link");
  for (std::uint32_t n = 0; n < lattice.switches(); ++n)
    for (std::size_t d = 0; d < lattice.dimensions(); ++d)
      for (std::uint32_t here = lattice.at(n, d), there = here + 1; there < lattice.size()[d]; ++there)
        for (std::uint32_t c = 0; c < cables[d]; ++c)  // the others are counted without the switch itself
          network.connect(n, first[d] + (there - 1) * cables[d] + c, lattice.moved(n, d, there),
                          first[d] + here * cables[d] + c, link);
  return network.finish();
}

}  // namespace

std::unique_ptr<TopologyBuilder> make_hyperx() { return std::make_unique<HyperX>(); }

}  // namespace weft
