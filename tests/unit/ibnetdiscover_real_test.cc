// Dumps of real and made fabrics that lie beside the checkout: exact counts, sound cabling, and the way back.
#include <cstdlib>
#include <filesystem>
#include <map>

#include "models/topology/ibnetdiscover.h"
#include "models/topology/ibnetdiscover_writer.h"
#include "models/topology/topology_graph.h"
#include "sim/error.h"
#include "tests/catch.h"

using weft::NodeKind;
using weft::Topology;

namespace {

std::filesystem::path fabrics() {
  if (const char* shared = std::getenv("WEFT_SHARED")) return std::filesystem::path(shared) / "data/fabrics";
  return std::filesystem::path(WEFT_SOURCE_DIR) / "../shared/data/fabrics";
}

bool absent() {
  if (std::filesystem::exists(fabrics())) return false;
  WARN("skipped, no shared data");
  return true;
}

Topology read(const std::filesystem::path& file) {
  return weft::read_ibnetdiscover(weft::TextFile::load(file.string()), {});
}

struct Counts {
  const char* file;
  std::size_t switches, adapters, aggregation_nodes, cables, machines;
  std::size_t second_ports = 0;  // adapters with both ports cabled
};

}  // namespace

TEST_CASE("dumps of real and made fabrics have the nodes and cables they list", "[real][ibnetdiscover]") {
  if (absent()) return;
  const Counts expected = GENERATE(values<Counts>({
      {"ft2-32/ft2-32.net", 12, 32, 0, 64, 32},
      {"ft2-32/ibnetdiscover.txt", 12, 32, 0, 64, 32},
      {"ft2-32-missing/ft2-32-missing.net", 12, 32, 0, 63, 32},
      {"ft2-32-missing/ibnetdiscover.txt", 12, 32, 0, 63, 32},
      {"ft2-48-oversub/ft2-48-oversub.net", 11, 48, 0, 72, 48},
      {"ft2-48-oversub/ibnetdiscover.txt", 11, 48, 0, 72, 48},
      {"ft2-648/ft2-648.net.gz", 54, 648, 0, 1296, 648},
      {"ft2-648/ibnetdiscover.txt.gz", 54, 648, 0, 1296, 648},
      {"ft3-128/ft3-128.net", 80, 128, 0, 384, 128},
      {"ft3-128/ibnetdiscover.txt", 80, 128, 0, 384, 128},
      {"ft3-128-missing/ft3-128-missing.net", 80, 128, 0, 382, 128},
      {"ft3-128-missing/ibnetdiscover.txt", 80, 128, 0, 382, 128},
      {"ft3-96-oversub/ft3-96-oversub.net", 28, 96, 0, 144, 96},
      {"ft3-96-oversub/ibnetdiscover.txt", 28, 96, 0, 144, 96},
      {"irregular-24/irregular-24.net", 24, 39, 0, 87, 39},
      {"irregular-24/ibnetdiscover.txt", 24, 39, 0, 87, 39},
      {"rail-256/rail-256.net", 20, 256, 0, 512, 32},
      {"rail-256/ibnetdiscover.txt", 20, 256, 0, 512, 32},
      {"torus-4x4x4/torus-4x4x4.net", 64, 128, 0, 320, 128},
      {"torus-4x4x4/ibnetdiscover.txt", 64, 128, 0, 320, 128},
      {"real-fdr-2014/real-fdr-2014.net", 8, 144, 0, 192, 144, 1},
      {"real-fdr-2014/ibnetdiscover.txt", 8, 144, 0, 192, 144, 1},
      {"public/ibnetdiscover/fdr-2014.ibnetdiscover", 8, 144, 0, 192, 144, 1},
      {"real-dgx-ndr/real-dgx-ndr.net.gz", 40, 542, 40, 1114, 191},
      {"real-dgx-ndr/ibnetdiscover.txt.gz", 40, 542, 40, 1114, 191},
      {"public/ibnetdiscover/dgx-ndr.ibnetdiscover.gz", 40, 542, 40, 1114, 191},
  }));
  INFO(expected.file);
  const Topology t = read(fabrics() / expected.file);
  CHECK(t.count(NodeKind::switch_) == expected.switches);
  CHECK(t.count(NodeKind::hca) == expected.adapters);
  CHECK(t.count(NodeKind::aggregation_node) == expected.aggregation_nodes);
  CHECK(t.cables.size() == expected.cables);
  CHECK(t.hosts.size() == expected.machines);
  CHECK(t.endpoints().size() == expected.adapters + expected.second_ports);
  CHECK(t.check().empty());

  const Topology again = weft::read_ibnetdiscover(weft::TextFile("again", write_ibnetdiscover(t)), {});
  CHECK(again.nodes == t.nodes);
  CHECK(again.cables == t.cables);
  CHECK(again.hosts == t.hosts);
}

TEST_CASE("the NDR fabric: addresses, speeds, aggregation nodes on port 65", "[real][ibnetdiscover]") {
  if (absent()) return;
  const Topology t = read(fabrics() / "public/ibnetdiscover/dgx-ndr.ibnetdiscover.gz");
  const weft::Node& leaf = t.nodes[t.find("MF0;leaf001:MQM9701/U1")];
  CHECK(leaf.guid == 0x2c5eab0300b87b40);
  CHECK(leaf.lid == 73);
  CHECK(leaf.enhanced_port0);
  CHECK(leaf.device_id == 0xd2f2);
  CHECK(t.max_lid() == 695);
  std::size_t on_65 = 0;
  for (const weft::Node& node : t.nodes)
    if (node.kind == NodeKind::aggregation_node) on_65 += node.port(1).peer_port == 65;
  CHECK(on_65 == 40);
  std::map<std::string, std::size_t> speeds;
  for (const weft::Cable& cable : t.cables) ++speeds[speed_text(cable.link)];
  CHECK(speeds == std::map<std::string, std::size_t>{{"4xNDR", 1114}});
  // Four rails: mlx5_0 1 4 5 on some machines, HCA-1 2 5 6 on others.
  CHECK(t.nodes[t.find("h0017 mlx5_5")].rail == 3);
  CHECK(t.nodes[t.find("h0018 HCA-5")].rail == 2);
  // 69 adapters with the factory's description are 69 machines.
  REQUIRE(t.warnings.size() == 1);
  CHECK_THAT(t.warnings[0], ContainsSubstring("69 adapters carry the description \"h0022 ConnectX7"));
}

TEST_CASE("the FDR fabric mixes QDR and FDR10, and a machine may use both ports", "[real][ibnetdiscover]") {
  if (absent()) return;
  const Topology t = read(fabrics() / "public/ibnetdiscover/fdr-2014.ibnetdiscover");
  std::map<std::string, std::size_t> speeds;
  for (const weft::Cable& cable : t.cables) ++speeds[speed_text(cable.link)];
  CHECK(speeds == std::map<std::string, std::size_t>{{"4xFDR10", 47}, {"4xQDR", 145}});
  std::size_t second = 0;
  for (const weft::Endpoint& end : t.endpoints()) second += end.where.port == 2;
  CHECK(second == 7);
  CHECK(t.warnings.empty());
}

TEST_CASE("published files that are no dumps say what they are", "[real][ibnetdiscover]") {
  if (absent()) return;
  const auto refusal = [](const char* file) {
    try {
      read(fabrics() / file);
    } catch (const weft::ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refusal("public/ibnetdiscover/bad.ibnetdiscover"),
             ContainsSubstring("bad.ibnetdiscover:10:1: error: the dump describes 1 node(s) but no link"));
  CHECK_THAT(refusal("ft2-32/iblinkinfo.txt"), ContainsSubstring("iblinkinfo"));
  CHECK_THAT(refusal("ft2-32/dump_lfts.txt"), ContainsSubstring("forwarding tables"));
  CHECK_THAT(refusal("ft2-32/minhop/opensm-subnet.lst"), ContainsSubstring("opensm-subnet.lst"));
  CHECK_THAT(refusal("ft2-32/minhop/opensm.fdbs"), ContainsSubstring("not ibnetdiscover output"));
  CHECK_THAT(refusal("public/nccl-topo/oci-h100.xml"), ContainsSubstring("XML"));
}

TEST_CASE("a ports report is of the same fabric as the dump beside it", "[real][ibnetdiscover]") {
  if (absent()) return;
  for (const char* net : {"ft2-32", "rail-256"}) {
    const Topology dump = read(fabrics() / net / "ibnetdiscover.txt");
    const Topology report = read(fabrics() / net / "ibnetdiscover_-p.txt");
    CHECK(report.check().empty());
    CHECK(report.hosts == dump.hosts);
    REQUIRE(report.nodes.size() == dump.nodes.size());
    CHECK(report.cables.size() == dump.cables.size());
    std::size_t same = 0;
    for (const weft::Node& node : report.nodes) {
      const weft::Node& other = dump.nodes[dump.find(node.name)];
      CHECK(node.lid == other.lid);
      for (std::size_t p = 0; p < node.ports.size(); ++p) {
        const weft::Port &here = node.ports[p], &there = other.ports[p];
        CHECK(here.lid == there.lid);
        CHECK(here.guid == there.guid);
        if (here.peer_node == weft::kNone || there.peer_node == weft::kNone) continue;
        same += report.nodes[here.peer_node].name == dump.nodes[there.peer_node].name &&
                here.peer_port == there.peer_port &&
                report.cables[here.cable].link == dump.cables[there.cable].link;
      }
    }
    CHECK(same == 2 * dump.cables.size());
  }
}

// The second was put together from several fabrics: one port has two peers in it.
TEST_CASE("published ports reports are read, or refused where they contradict themselves",
          "[real][ibnetdiscover]") {
  if (absent()) return;
  const Topology edr = read(fabrics() / "public/ibnetdiscover-p/test.out");
  CHECK(edr.nodes.size() == 7);
  CHECK(edr.cables.size() == 4);
  CHECK(speed_text(edr.cables[0].link) == "4xEDR");
  CHECK_THROWS_WITH(read(fabrics() / "public/ibnetdiscover-p/test2.out"),
                    ContainsSubstring("test2.out:5:41: error: \"0x946dae030053ec1a\"[81] is cabled to"));
}
