// A fabric written out: switches, machines, and the cables between their ports.
//
//   topology:
//     type: explicit
//     speed: 4xNDR
//     switches: [{name: "leaf{0..1}", ports: 8}, {name: spine, ports: 8}]
//     hosts: [{name: "h{0..3}"}]
//     cables:
//       - {a: "h{0..3}", b: "leaf{0..1}[{1..2}]", cable: dac, length: 2 m}
//       - {a: "leaf{0..1}[{7..8}]", b: "spine[{1..4}]", length: 10 m}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/topology/topology_builder.h"

namespace weft {

struct ExplicitSwitch : Configurable {
  void describe(Describe& d) override;
  std::string name;
  std::optional<std::uint32_t> ports;
  std::string profile;
};

struct ExplicitHost : Configurable {
  void describe(Describe& d) override;
  std::string name;
  std::uint32_t ports = 1;
};

struct ExplicitCable : Configurable {
  void describe(Describe& d) override;
  std::string a, b;
  std::string speed;
  std::string cable;
  std::optional<Length> length;
};

class ExplicitTopology : public TopologyBuilder {
 public:
  void describe(Describe& d) override;
  Topology build(const BuildContext& context) const override;

  std::vector<ExplicitSwitch> switches;
  std::vector<ExplicitHost> hosts;
  std::vector<ExplicitCable> cables;
  std::string speed;
};

}  // namespace weft
