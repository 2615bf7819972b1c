// Slim Fly: the graphs of McKay, Miller and Širáň, in which any two switches are at most two hops apart, for
// nearly as many switches as that allows (M. Besta, T. Hoefler, "Slim Fly: A Cost Effective Low-Diameter
// Network Topology", SC 2014).
//
//   topology: {type: slim_fly, q: 5, hosts_per_switch: 4}
//
// q = 4w ± 1 is a prime, ξ a primitive root modulo q, and 2 q² switches stand in two halves, each a square.
// In the first half (x, y) is joined to (x, y') where y - y' is in X, in the second (m, c) to (m, c') where c
// - c' is in X'; (x, y) of the first is joined to (m, c) of the second where y = m x + c. X holds the even
// powers of ξ and X' the odd ones if q = 4w + 1; if q = 4w - 1, the even (odd) powers below 2w and the odd
// (even) ones from 2w - 1 (2w) on. Every switch has (3q - 1) / 2 or (3q + 1) / 2 cables to others. Full
// bandwidth wants half as many machines a switch.
//
// Ports: machines, the switch's own column by its place there, the other half by x or m. Left out: powers of
// primes.
#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "models/topology/direct_network.h"
#include "models/topology/topology_builder_rows.h"
#include "sim/error.h"

namespace weft {

namespace {

bool is_prime(std::uint32_t n) {
  for (std::uint32_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

/// Powers 0 .. q - 2 of the least primitive root modulo a prime q.
std::vector<std::uint32_t> powers_of_root(std::uint32_t q) {
  for (std::uint32_t root = 2;; ++root) {
    std::vector<std::uint32_t> powers{1};
    while (powers.size() + 1 < q && powers.back() * root % q != 1) powers.push_back(powers.back() * root % q);
    if (powers.size() + 1 == q) return powers;
  }
}

/// X and X', sorted.
std::array<std::vector<std::uint32_t>, 2> generators(std::uint32_t q) {
  const std::vector<std::uint32_t> powers = powers_of_root(q);
  const std::uint32_t turn = q % 4 == 1 ? q - 1 : (q + 1) / 2;  // 2w: from here on the other kind of powers
  std::array<std::vector<std::uint32_t>, 2> sets;
  for (std::uint32_t half = 0; half < 2; ++half) {
    for (std::uint32_t power = half; power < turn; power += 2) sets[half].push_back(powers[power]);
    if (q % 4 == 3)
      for (std::uint32_t i = 0; i < turn / 2; ++i)
        sets[half].push_back(powers[(turn - 1 + half + 2 * i) % (q - 1)]);
    std::ranges::sort(sets[half]);
  }
  return sets;
}

class SlimFly : public TopologyBuilder, public DirectNetworkKeys {
 public:
  void describe(Describe& d) override {
    d.field("q", q, "An odd prime: 2 q² switches of (3q ± 1) / 2 cables to others. 5: 50 switches of 7.")
        .required()
        .range(3, 167);
    describe_network(d, "hosts_per_switch");
    d.group("switch_link", switch_link, "Cables between switches.");
  }
  Topology build(const BuildContext& context) const override;

  std::uint32_t q = 0;
  LinkKeys switch_link;
};

Topology SlimFly::build(const BuildContext& context) const {
  if (!is_prime(q) || q == 2) throw BadValue("q", fmt::format("{} is no odd prime", q));
  const auto sets = generators(q);
  const auto inner = static_cast<std::uint32_t>(sets[0].size());
  const std::uint64_t switches = std::uint64_t{2} * q * q;
  DirectNetwork network(
      *this, context, {switches, switches, std::uint64_t{inner} + q, 0, "q", "hosts_per_switch"},
      [this](std::uint32_t s) { return fmt::format("sw{}-{}-{}", s / (q * q), s / q % q, s % q); });
  const LinkSpec link = switch_link.over(network.link(), "switch_link");
  const auto at = [this](std::uint32_t half, std::uint32_t column, std::uint32_t row) {
    return (half * q + column) * q + row;
  };
  /// Which of the ports of row `here` leads to row `there` of its column.
  const auto port_to = [&](std::uint32_t half, std::uint32_t here, std::uint32_t there) {
    const std::vector<std::uint32_t>& set = sets[half];
    return static_cast<std::uint32_t>(std::ranges::lower_bound(set, (there + q - here) % q) - set.begin());
  };
  for (std::uint32_t half = 0; half < 2; ++half)
    for (std::uint32_t column = 0; column < q; ++column)
      for (std::uint32_t here = 0; here < q; ++here)
        for (const std::uint32_t step : sets[half]) {
          const std::uint32_t there = (here + step) % q;
          if (here < there)
            network.connect(at(half, column, here), port_to(half, here, there), at(half, column, there),
                            port_to(half, there, here), link);
        }
  for (std::uint32_t x = 0; x < q; ++x)
    for (std::uint32_t m = 0; m < q; ++m)
      for (std::uint32_t c = 0; c < q; ++c)
        network.connect(at(0, x, (m * x + c) % q), inner + m, at(1, m, c), inner + x, link);
  return network.finish();
}

}  // namespace

std::unique_ptr<TopologyBuilder> make_slim_fly() { return std::make_unique<SlimFly>(); }

}  // namespace weft
