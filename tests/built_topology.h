// A topology as a scenario's `topology:` mapping asks for it, for tests.
#pragma once

#include <memory>
#include <string>

#include "models/topology/topology_builder.h"
#include "sim/config.h"
#include "sim/error.h"

namespace weft::test {

/// The part of a scenario that names a topology.
struct TopologyChoice : Configurable {
  std::unique_ptr<TopologyBuilder> topology;
  void describe(Describe& d) override {
    d.choice("topology", topology, topology_builders(), "type", "The fabric.");
  }
};

/// Two device profiles: `qm9700` has 64 ports at 4xNDR, `hdr` 40 at 4xHDR; another is a BadValue.
inline BuildContext two_profiles() {
  BuildContext context;
  context.switch_shape = [](const std::string& profile) -> BuildContext::SwitchShape {
    if (profile == "qm9700") return {64, Generation::ndr, 4};
    if (profile == "hdr") return {40, Generation::hdr, 4};
    throw BadValue("", "there is no switch profile `" + profile + "`");
  };
  return context;
}

/// `mapping` as in a scenario: `{type: torus, size: [4, 4]}`.
inline Topology built_topology(const std::string& mapping, const BuildContext& context = two_profiles()) {
  const Document document = Document::parse("topology: " + mapping + "\n", "test.yaml");
  TopologyChoice scenario;
  read_config(document, scenario);
  return scenario.topology->build(context);
}

/// Why it is refused: "key: message" where the builder refuses, the located error where a key cannot be read;
/// "accepted" where it is not.
inline std::string topology_refusal(const std::string& mapping) {
  try {
    built_topology(mapping);
  } catch (const BadValue& error) {
    return error.key + ": " + error.what();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace weft::test
