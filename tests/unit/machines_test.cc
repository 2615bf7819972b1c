#include "models/topology/machines.h"

#include "tests/catch.h"

using weft::NodeKind;
using weft::Topology;

namespace {

// Adapters "description", each with its own system image GUID unless given.
struct Adapter {
  const char* description;
  weft::Guid system = 0;
};

Topology fabric(std::initializer_list<Adapter> adapters) {
  Topology t;
  weft::Guid guid = 0x100;
  for (const Adapter& adapter : adapters) {
    weft::Node& node = t.nodes[t.add_node(NodeKind::hca, adapter.description, 1)];
    node.guid = guid += 0x10;
    node.system_guid = adapter.system != 0 ? adapter.system : node.guid;
  }
  weft::assign_machines(t);
  return t;
}

std::vector<std::string> places(const Topology& t) {
  std::vector<std::string> result;
  for (const weft::Node& node : t.nodes)
    result.push_back(t.hosts.at(node.host) + " " + std::to_string(node.rail));
  return result;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("the first word of a description is the machine", "[fast][machines]") {
  const Topology t = fabric({{"n10 mlx5_1"}, {"n9 mlx5_0"}, {"n10 mlx5_0"}, {"n9 mlx5_1"}});
  CHECK(t.hosts == Strings{"n9", "n10"});
  CHECK(places(t) == Strings{"n10 1", "n9 0", "n10 0", "n9 1"});
  CHECK(t.warnings.empty());
}

TEST_CASE("rails keep their number where a machine lacks an adapter", "[fast][machines]") {
  const Topology t =
      fabric({{"a mlx5_0"}, {"a mlx5_3"}, {"a mlx5_10"}, {"b mlx5_10"}, {"c HCA-2"}, {"c HCA-1"}});
  CHECK(places(t) == Strings{"a 0", "a 1", "a 2", "b 2", "c 1", "c 0"});
}

TEST_CASE("adapters without a device number are ranked within their machine", "[fast][machines]") {
  const Topology t = fabric({{"a", 7}, {"a", 7}, {"b storage"}, {"b mlx5_4"}});
  CHECK(places(t) == Strings{"a 0", "a 1", "b 1", "b 0"});
}

TEST_CASE("a description on several system images names no machine", "[fast][machines]") {
  const Topology t = fabric({{"MT4129 ConnectX7   Mellanox Technologies", 0xa1},
                             {"MT4129 ConnectX7   Mellanox Technologies", 0xa2},
                             {"MT4129 ConnectX7   Mellanox Technologies", 0xa2},
                             {"n1 mlx5_0"}});
  CHECK(t.hosts == Strings{"MT4129@00000000000000a1", "MT4129@00000000000000a2", "n1"});
  CHECK(t.nodes[1].host == t.nodes[2].host);
  REQUIRE(t.warnings.size() == 1);
  CHECK_THAT(t.warnings[0], ContainsSubstring("3 adapters carry the description \"MT4129"));
}

TEST_CASE("aggregation nodes, routers and blank descriptions", "[fast][machines]") {
  Topology t;
  t.nodes[t.add_node(NodeKind::hca, " ", 1)].guid = 0x5;
  t.add_node(NodeKind::aggregation_node, "Mellanox Technologies Aggregation Node", 1);
  t.add_node(NodeKind::router, "rt0 x", 2);
  weft::assign_machines(t);
  CHECK(t.hosts == Strings{"@0000000000000005"});
  CHECK(t.nodes[1].host == weft::kNone);
  CHECK(t.nodes[2].host == weft::kNone);
}

TEST_CASE("names sort with their numbers as numbers", "[fast][machines]") {
  const Strings order{"",
                      "a",
                      "a1",
                      "a02",
                      "a2",
                      "a10",
                      "a10b",
                      "b",
                      "b99999999999999999999999",
                      "b100000000000000000000000"};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j) {
      INFO(order[i] << " < " << order[j]);
      CHECK(weft::natural_less(order[i], order[j]) == (i < j));
    }
}
