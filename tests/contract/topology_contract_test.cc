// Every row of the topology table, put through the same tests: its example is what is built.
#include <set>

#include "models/topology/dot_writer.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "models/topology/ibsim_writer.h"
#include "models/topology/json_writer.h"
#include "models/topology/slurm_writer.h"
#include "models/topology/topology_graph.h"
#include "tests/catch.h"
#include "tests/cli/json_check.h"
#include "tests/topology_examples.h"

using weft::test::example_topology;

TEST_CASE("the table of topologies reads as documentation", "[fast][contract]") {
  std::set<std::string_view> names;
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(row.summary.size() > 60);
    CHECK_THAT(std::string(row.summary), ContainsSubstring("Choose it"));
    CHECK(row.example.starts_with("{type: " + std::string(row.name)));
    CHECK(row.make() != nullptr);
  }
}

TEST_CASE("every topology is sound, connected, and the same each time", "[fast][contract]") {
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    const weft::Topology t = example_topology(row), again = example_topology(row);
    CHECK(t.check().empty());
    const auto parts = weft::connected_parts(t);
    CHECK(std::ranges::all_of(parts, [](std::uint32_t part) { return part == 0; }));
    CHECK(t.nodes == again.nodes);
    CHECK(t.cables == again.cables);
    CHECK(t.hosts == again.hosts);
    CHECK(t.tree == again.tree);
    CHECK(t.grid == again.grid);
  }
}

TEST_CASE("every topology numbers its machines and ends densely", "[fast][contract]") {
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    const weft::Topology t = example_topology(row);
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
    weft::Topology t = example_topology(row);
    for (const weft::Node& node : t.nodes) CHECK(node.guid != 0);
    t.assign_lids(false);
    CHECK(t.check().empty());
    for (const weft::Endpoint& end : t.endpoints())
      CHECK(t.nodes[end.where.node].port(end.where.port).lid != 0);
    CHECK_THAT(write_ibnetdiscover(t), ContainsSubstring("Switch\t"));
    CHECK_THAT(write_ibsim(t), ContainsSubstring("Switch\t"));
    CHECK(weft::JsonCheck(write_json(t)).valid());
    CHECK_THAT(write_dot(t), ContainsSubstring("graph fabric {"));
    std::string slurm;
    try {
      slurm = write_slurm(t);
    } catch (const weft::BadValue& refusal) {
      slurm = refusal.what();
    }
    CHECK_THAT(slurm, ContainsSubstring(t.grid ? "a torus is no tree" : "SwitchName="));
  }
}

TEST_CASE("every topology explains its keys and dumps what it was given", "[fast][contract]") {
  for (const auto& row : weft::topology_builders()) {
    INFO(row.name);
    const weft::Document document =
        weft::Document::parse("topology: " + std::string(row.example) + "\n", "contract.yaml");
    weft::test::TopologyChoice scenario;
    weft::read_config(document, scenario);
    CHECK_THAT(weft::explain_config(scenario, "topology"), ContainsSubstring(std::string(row.name)));
    const std::string dump = weft::dump_config(document, scenario);
    weft::test::TopologyChoice again;
    const weft::Document reread = weft::Document::parse(dump, "dump.yaml");
    weft::read_config(reread, again);
    const weft::BuildContext context = weft::test::example_context();
    CHECK(again.topology->build(context).nodes == scenario.topology->build(context).nodes);
  }
}
