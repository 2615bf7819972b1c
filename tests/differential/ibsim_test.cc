// Nets that Weft writes, under real tools: ibsim simulates them, and what ibnetdiscover then finds is the
// fabric.
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibsim_writer.h"
#include "tests/built_topology.h"
#include "tests/catch.h"
#include "tests/temp_folder.h"

using namespace weft;

namespace {

const std::string kClient = "/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so";

bool absent() {
  if (std::filesystem::exists(kClient) && std::system("command -v ibsim ibnetdiscover >/dev/null") == 0)
    return false;
  WARN("skipped, no ibsim");
  return true;
}

/// What ibnetdiscover prints over ibsim with this net.
Topology discovered(const Topology& t) {
  const TempFolder folder;
  const std::string net = folder.write("net", write_ibsim(t));
  std::size_t ports = 64;
  for (const Node& node : t.nodes) ports += node.ports.size() + 1;
  // The socket's name is abstract: unique by the folder. ibsim is ready when a client gets an answer.
  const std::string command = fmt::format(
      "cd {0} && export IBSIM_SOCKNAME=$(basename {0}) && ibsim -s -n -N {1} -S {1} -P {2} net >ibsim.log "
      "2>&1 & "
      "sim=$!; cd {0}; export IBSIM_SOCKNAME=$(basename {0}); for try in $(seq 100); do sleep 0.1; "
      "LD_PRELOAD={3} ibnetdiscover >found 2>errors && break; done; kill $sim; wait $sim 2>/dev/null; test "
      "-s found",
      folder.path(), t.nodes.size() + 16, ports, kClient);
  REQUIRE(std::system(command.c_str()) == 0);
  return read_ibnetdiscover(TextFile::load(net.substr(0, net.rfind('/')) + "/found"), {});
}

}  // namespace

TEST_CASE("ibnetdiscover finds in ibsim the fabric that was written for it", "[real][ibsim]") {
  if (absent()) return;
  const std::string mapping =
      GENERATE("{type: fat_tree, hosts: 16, levels: 3, radix: 4}",
               "{type: xgft, children: [4, 3, 2], parents: [1, 2, 2], tiers: [{speed: 2xHDR}, {}, {speed: "
               "4xFDR}], radix: 12}",
               "{type: torus, size: [4, 3, 2], hosts_per_switch: 2, radix: 10}",
               "{type: hyperx, size: [4, 3], hosts_per_switch: 2, parallel: [2, 1], radix: 12}",
               "{type: dragonfly, hosts_per_switch: 2, radix: 8}",
               "{type: dragonfly_plus, hosts_per_leaf: 2, radix: 4}");
  CAPTURE(mapping);
  const Topology t = test::built_topology(mapping);
  const Topology found = discovered(t);
  CHECK(found.check().empty());
  REQUIRE(found.nodes.size() == t.nodes.size());
  REQUIRE(found.cables.size() == t.cables.size());
  for (const Node& node : t.nodes) {
    const Node& other = found.nodes[found.find(node.name)];
    CHECK(other.guid == node.guid);
    REQUIRE(other.ports.size() == node.ports.size());
    for (std::size_t p = 0; p < node.ports.size(); ++p) {
      const Port &here = node.ports[p], &there = other.ports[p];
      REQUIRE((here.peer_node == kNone) == (there.peer_node == kNone));
      if (here.peer_node == kNone) continue;
      CHECK(found.nodes[there.peer_node].name == t.nodes[here.peer_node].name);
      CHECK(there.peer_port == here.peer_port);
      LinkSpec link = t.cables[here.cable].link;
      link.generation = std::min(link.generation, Generation::hdr);
      CHECK(speed_text(found.cables[there.cable].link) == speed_text(link));
    }
  }
}
