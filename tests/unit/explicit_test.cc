#include "models/topology/name_range.h"
#include "tests/built_topology.h"
#include "tests/catch.h"

using weft::Topology;

namespace {

Topology built(const std::string& yaml) {
  const std::string head = "topology:\n";
  REQUIRE(yaml.find(head) != std::string::npos);
  const std::string keys = yaml.substr(yaml.find(head) + head.size());
  weft::BuildContext context;
  context.switch_shape = [](const std::string& profile) -> weft::BuildContext::SwitchShape {
    if (profile == "hdr") return {40, weft::Generation::hdr, 4};
    if (profile == "edr") return {36, weft::Generation::edr, 4};
    throw weft::BadValue("", "there is no switch profile `" + profile + "`");
  };
  return weft::test::built_topology("\n  type: explicit\n" + keys, context);
}

std::string refusal(const std::string& yaml) {
  try {
    built(yaml);
  } catch (const weft::BadValue& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

const std::string kTwoLeaves = R"(
topology:
  switches:
    - {name: "leaf{0..1}", ports: 4}
    - {name: spine, ports: 4}
  hosts:
    - {name: "h{0..2}"}
    - {name: "dual", ports: 2}
  cables:
    - {a: "h{0..1}", b: "leaf{0..1}[1]", cable: dac, length: 2 m}
    - {a: h2, b: leaf1}
    - {a: "dual[{1..2}]", b: "leaf{0..1}[3]", speed: 2xHDR}
    - {a: "leaf{0..1}[4]", b: "spine[{1..2}]"}
)";

// kTwoLeaves with more cables.
std::string with_cable(const std::string& a, const std::string& b) {
  return kTwoLeaves + "    - {a: \"" + a + "\", b: \"" + b + "\"}\n";
}

}  // namespace

TEST_CASE("a fabric written in ranges", "[fast][explicit]") {
  const Topology t = built(kTwoLeaves);
  CHECK(t.check().empty());
  CHECK(t.nodes.size() == 7);
  CHECK(t.hosts == std::vector<std::string>{"dual", "h0", "h1", "h2"});
  const auto peer = [&t](const char* node, unsigned port) {
    const weft::Port& p = t.nodes[t.find(node)].port(port);
    return t.display_name(weft::PortRef{p.peer_node, p.peer_port});
  };
  CHECK(peer("leaf0", 1) == "h0[1]");
  CHECK(peer("leaf1", 1) == "h1[1]");
  CHECK(peer("h2", 1) == "leaf1[2]");  // its first free port
  CHECK(peer("dual", 2) == "leaf1[3]");
  CHECK(peer("spine", 2) == "leaf1[4]");
  const weft::LinkSpec& link = t.cables[0].link;
  CHECK(speed_text(link) == "4xNDR");
  CHECK(link.cable == "dac");
  CHECK(link.length == weft::Length{2'000'000});
  CHECK(speed_text(t.cables[3].link) == "2xHDR");
  CHECK(t.nodes[0].guid != 0);
  CHECK(t.endpoints().size() == 5);
}

TEST_CASE("adapters share a machine by the first word of their names", "[fast][explicit]") {
  const Topology t = built(R"(
topology:
  speed: 4xEDR
  switches: [{name: s, ports: 2}]
  hosts: [{name: "h0 mlx5_{0..1}"}]
  cables: [{a: "h0 mlx5_{0..1}[1]", b: "s[{1..2}]"}]
)");
  CHECK(t.hosts == std::vector<std::string>{"h0"});
  CHECK(t.endpoints()[1].rail == 1);
  CHECK(speed_text(t.cables[0].link) == "4xEDR");
}

TEST_CASE("ports and speeds come from profiles where not stated", "[fast][explicit]") {
  const Topology t = built(R"(
topology:
  switches: [{name: a, profile: hdr}, {name: b, profile: edr, ports: 8}]
  hosts: [{name: h}]
  cables: [{a: a, b: b}, {a: h, b: a}]
)");
  CHECK(t.nodes[t.find("a")].ports.size() == 40);
  CHECK(t.nodes[t.find("b")].ports.size() == 8);
  CHECK(speed_text(t.cables[0].link) == "4xEDR");  // the slower of the two
  CHECK(speed_text(t.cables[1].link) == "4xHDR");
}

TEST_CASE("what cannot be cabled is refused at its key", "[fast][explicit]") {
  CHECK(refusal(with_cable("laef0[2]", "spine[3]")) ==
        "cables[4].a: there is no node `laef0`; did you mean `leaf0`?");
  CHECK(refusal(with_cable("leaf0[2]", "spin[3]")) ==
        "cables[4].b: there is no node `spin`; did you mean `spine`?");
  CHECK(refusal(with_cable("leaf0[1]", "spine[3]")) ==
        "cables[4].a: leaf0[1] is taken: it is cabled to h0[1]");
  CHECK(refusal(with_cable("leaf0[5]", "spine[3]")) == "cables[4].a: `leaf0` has ports 1 to 4, no port 5");
  CHECK(refusal(with_cable("leaf0[0]", "spine[3]")) == "cables[4].a: `leaf0` has ports 1 to 4, no port 0");
  CHECK(refusal(with_cable("h0", "spine[3]")) == "cables[4].a: all 1 ports of `h0` are taken");
  CHECK(refusal(with_cable("spine[3]", "spine[4]")) == "cables[4].b: both ends are on `spine`");
  CHECK(refusal(with_cable("spine[3]", "spine[3]")) == "cables[4].b: both ends are on `spine`");
  CHECK(refusal(with_cable("spine[{3..4}]", "leaf0[2]")) ==
        "cables[4].b: `spine[{3..4}]` stands for 2 ends and `leaf0[2]` for 1; a cable has one of each, so "
        "write "
        "ranges of one length, as h{0..2} and leaf0[{1..3}]");
  for (const char* bad :
       {"leaf0[", "leaf0[]", "leaf0[x]", "leaf0[2]x", "leaf0[2", "leaf0[-1]", "leaf0[2]]", "["})
    CHECK_THAT(refusal(with_cable(bad, "spine[3]")), ContainsSubstring("cables[4].a: "));
  CHECK_THAT(refusal(with_cable("leaf{1..0}[2]", "spine[3]")),
             ContainsSubstring("cables[4].a: `{1..0}` is no range"));
}

TEST_CASE("nodes that cannot be are refused at their key", "[fast][explicit]") {
  const auto nodes = [](const std::string& switches, const std::string& hosts) {
    return refusal("topology:\n  switches: [" + switches + "]\n  hosts: [" + hosts + "]\n");
  };
  CHECK(nodes("{name: a, ports: 2}, {name: a, ports: 2}", "") ==
        "switches[1].name: `a` is already the name of a node");
  CHECK(nodes("{name: h1, ports: 2}", "{name: \"h{0..2}\"}") ==
        "switches[0].name: `h1` is already the name of a node");
  CHECK(nodes("{name: a}", "") == "switches[0].ports: give `ports`, or a `profile` that has them");
  CHECK(nodes("{name: a, profile: qdr}", "") == "switches[0].profile: there is no switch profile `qdr`");
  CHECK_THAT(nodes("{name: \"a[1]\", ports: 2}", ""),
             ContainsSubstring("switches[0].name: `a[1]` cannot name a node"));
  CHECK_THAT(nodes("{name: \"\", ports: 2}", ""),
             ContainsSubstring("switches[0].name: `` cannot name a node"));
  CHECK(nodes("", "") == "switches: the fabric has no switch and no machine");
  CHECK_THAT(refusal(kTwoLeaves + "  speed: 4xABC\n"), ContainsSubstring("speed: `4xABC` is no link speed"));
}

TEST_CASE("ranges in names", "[fast][explicit]") {
  using Names = std::vector<std::string>;
  CHECK(weft::expand_ranges("leaf", "k") == Names{"leaf"});
  CHECK(weft::expand_ranges("l{8..11}", "k") == Names{"l8", "l9", "l10", "l11"});
  CHECK(weft::expand_ranges("{08..11}x", "k") == Names{"08x", "09x", "10x", "11x"});
  CHECK(weft::expand_ranges("a{0..1}[{1..2}]", "k") == Names{"a0[1]", "a0[2]", "a1[1]", "a1[2]"});
  CHECK(weft::expand_ranges("{0..0}", "k") == Names{"0"});
  for (const char* bad : {"{", "a{0..", "{}", "{0}", "{0..}", "{..3}", "{3..0}", "{a..b}", "{0..4294967295}",
                          "{0..999}{0..999}{0..1}", "{0..99999999999}", "{-1..2}", "{0...2}"})
    CHECK_THROWS_AS(weft::expand_ranges(bad, "k"), weft::BadValue);
}
