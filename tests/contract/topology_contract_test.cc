// Every row of the topology table, put through the same tests.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "models/topology/ibnetdiscover_writer.h"
#include "models/topology/topology_builder.h"
#include "models/topology/topology_graph.h"
#include "sim/config.h"
#include "tests/catch.h"

namespace {

// A smallest sensible fabric for each row, by name: a row that is missing here fails the suite.
const std::map<std::string_view, std::string> kSamples{
    {"fat_tree", "{type: fat_tree, hosts: 6, radix: 4, levels: 3, rails: 1}"},
    {"explicit",
     "{type: explicit, switches: [{name: s, ports: 4}], hosts: [{name: 'h{0..2}'}],"
     " cables: [{a: 'h{0..2}', b: 's[{1..3}]'}]}"},
    {"ibnetdiscover", "{type: ibnetdiscover, file: contract.ibnetdiscover}"},
};

const char* const kDump =
    "Switch\t4 \"S-1a\"\t\t# \"sw\" base port 0 lid 1 lmc 0\n"
    "[1]\t\"H-2a\"[1](2b) \t\t# \"n1 HCA-1\" lid 2 4xHDR\n"
    "[2]\t\"H-3a\"[1](3b) \t\t# \"n2 HCA-1\" lid 3 4xHDR\n"
    "Ca\t1 \"H-2a\"\t\t# \"n1 HCA-1\"\n"
    "[1](2b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"sw\" lid 1 4xHDR\n"
    "Ca\t1 \"H-3a\"\t\t# \"n2 HCA-1\"\n"
    "[1](3b) \t\"S-1a\"[2]\t\t# lid 3 lmc 0 \"sw\" lid 1 4xHDR\n";

struct Scenario : weft::Configurable {
  std::unique_ptr<weft::TopologyBuilder> topology;
  void describe(weft::Describe& d) override {
    d.choice("topology", topology, weft::topology_builders(), "type", "The fabric.");
  }
};

weft::Topology build(std::string_view name) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "weft_topology_contract";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "contract.ibnetdiscover") << kDump;
  const weft::Document document =
      weft::Document::parse("topology: " + kSamples.at(name) + "\n", "contract.yaml");
  Scenario scenario;
  weft::read_config(document, scenario);
  weft::BuildContext context;
  context.base_folder = folder.string();
  context.switch_shape = [](const std::string&) {
    return weft::BuildContext::SwitchShape{64, weft::Generation::ndr, 4};
  };
  return scenario.topology->build(context);
}

}  // namespace

TEST_CASE("the table of topologies reads as documentation", "[fast][contract]") {
  std::set<std::string_view> names;
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(row.summary.size() > 60);
    CHECK_THAT(std::string(row.summary), ContainsSubstring("Choose it"));
    CHECK(kSamples.contains(row.name));
    CHECK(row.make() != nullptr);
  }
  CHECK(names.size() == kSamples.size());
}

TEST_CASE("every topology is sound, connected, and the same each time", "[fast][contract]") {
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    const weft::Topology t = build(row.name), again = build(row.name);
    CHECK(t.check().empty());
    const auto parts = weft::connected_parts(t);
    CHECK(std::ranges::all_of(parts, [](std::uint32_t part) { return part == 0; }));
    CHECK(t.nodes == again.nodes);
    CHECK(t.cables == again.cables);
    CHECK(t.hosts == again.hosts);
    CHECK(t.tree == again.tree);
  }
}

TEST_CASE("every topology numbers its machines and ends densely", "[fast][contract]") {
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    const weft::Topology t = build(row.name);
    const auto ends = t.endpoints();
    REQUIRE_FALSE(ends.empty());
    std::set<std::uint32_t> machines;
    for (const weft::Endpoint& end : ends) {
      machines.insert(end.host);
      CHECK(t.nodes[end.where.node].kind == weft::NodeKind::hca);
      CHECK(t.nodes[end.where.node].port(end.where.port).peer_node != weft::kNone);
    }
    CHECK(machines.size() == t.hosts.size());
    CHECK(*machines.rbegin() + 1 == t.hosts.size());
    CHECK(std::set<std::string>(t.hosts.begin(), t.hosts.end()).size() == t.hosts.size());
  }
}

TEST_CASE("every topology can be addressed and exported", "[fast][contract]") {
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    weft::Topology t = build(row.name);
    for (const weft::Node& node : t.nodes) CHECK(node.guid != 0);
    t.assign_lids(false);
    CHECK(t.check().empty());
    for (const weft::Endpoint& end : t.endpoints())
      CHECK(t.nodes[end.where.node].port(end.where.port).lid != 0);
    CHECK_THAT(write_ibnetdiscover(t), ContainsSubstring("Switch\t"));
  }
}

TEST_CASE("every topology explains its keys and dumps what it was given", "[fast][contract]") {
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    const weft::Document document =
        weft::Document::parse("topology: " + kSamples.at(row.name) + "\n", "contract.yaml");
    Scenario scenario;
    weft::read_config(document, scenario);
    CHECK_THAT(weft::explain_config(scenario, "topology"), ContainsSubstring(std::string(row.name)));
    const std::string dump = weft::dump_config(document, scenario);
    Scenario again;
    const weft::Document reread = weft::Document::parse(dump, "dump.yaml");
    weft::read_config(reread, again);
    CHECK(weft::dump_config(reread, again).size() > 0);
  }
}
