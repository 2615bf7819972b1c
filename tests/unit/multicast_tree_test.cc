#include "models/routing/multicast_tree.h"

#include <set>

#include "models/routing/multicast_writer.h"
#include "tests/catch.h"
#include "tests/routing_fabrics.h"

using namespace weft;
using namespace weft::test;

namespace {

MulticastGroup group_of(const Topology& t, const std::vector<std::string>& names,
                        Lid mlid = kFirstMulticastLid) {
  MulticastGroup group{mlid, {}};
  for (const std::string& name : names) group.members.push_back({t.find(name), 1});
  return group;
}

MulticastGroup everyone(const Topology& t) {
  MulticastGroup group{kFirstMulticastLid, {}};
  for (const Endpoint& end : t.endpoints()) group.members.push_back(end.where);
  return group;
}

using Ports = std::vector<std::uint8_t>;

Ports ports(const Topology& t, const MulticastTables& tables, const std::string& name) {
  const auto found = tables.ports(t.find(name), kFirstMulticastLid);
  return {found.begin(), found.end()};
}

/// Deliveries of one packet of `source`, followed through the tables; stops at 10,000.
std::multiset<std::string> followed(const Topology& t, const MulticastTables& tables, PortRef source) {
  std::multiset<std::string> got;
  const auto far = [&](PortRef p) {
    return PortRef{t.nodes[p.node].port(p.port).peer_node, t.nodes[p.node].port(p.port).peer_port};
  };
  std::vector<PortRef> arriving{far(source)};
  for (std::size_t i = 0; i < arriving.size() && i < 10'000; ++i) {
    const PortRef in = arriving[i];
    if (t.nodes[in.node].kind != NodeKind::switch_) {
      got.insert(t.nodes[in.node].name);
      continue;
    }
    for (const std::uint8_t out : tables.ports(in.node, kFirstMulticastLid))
      if (out != in.port) arriving.push_back(far({in.node, out}));
  }
  return got;
}

}  // namespace

TEST_CASE("a group's tables are a tree, and any member's packet reaches every other once") {
  std::vector<Topology> fabrics;
  fabrics.push_back(ring(7));
  fabrics.push_back(torus(4));
  fabrics.push_back(two_level(6, 3, 4, 2));
  fabrics.push_back(k_ary_tree(4));
  for (const Topology& t : fabrics) {
    const MulticastGroup all = everyone(t);
    for (const std::size_t every : {std::size_t{1}, std::size_t{3}}) {
      MulticastGroup group{all.mlid, {}};
      for (std::size_t i = 0; i < all.members.size(); i += every) group.members.push_back(all.members[i]);
      const MulticastTables tables = multicast_trees(t, {group});
      CHECK(check_multicast(t, tables, group).empty());
      for (const PortRef source : group.members) {
        const auto got = followed(t, tables, source);
        CHECK(got.size() == group.members.size() - 1);
        CHECK(std::set(got.begin(), got.end()).size() == got.size());
        CHECK_FALSE(got.contains(t.nodes[source.node].name));
      }
    }
  }
}

// opensm.mcfdbs of OpenSM 3.3.23 over ibsim, after SA joins of these members in this order.
TEST_CASE("the tables are written as OpenSM dumps its own") {
  const auto written = [](const Topology& t, const std::vector<std::vector<std::string>>& groups) {
    std::vector<MulticastGroup> made;
    for (const auto& names : groups)
      made.push_back(group_of(t, names, kFirstMulticastLid + 1 + static_cast<Lid>(made.size())));
    return write_multicast(t, multicast_trees(t, made));
  };
  CHECK(written(torus(4), {{"h0", "h5", "h10"}, {"h1", "h3", "h12", "h14"}, {"h7"}}) == R"(
Switch 0x0257454654000100
LID    : Out Port(s)
0xC001 : 0x001  0x005 

Switch 0x0257454654000200
LID    : Out Port(s)
0xC002 : 0x001  0x003  0x004 

Switch 0x0257454654000300
LID    : Out Port(s)
0xC001 : 0x002  0x004 
0xC002 : 0x004  0x005 

Switch 0x0257454654000400
LID    : Out Port(s)
0xC001 : 0x004  0x005 
0xC002 : 0x001  0x005 

Switch 0x0257454654000600
LID    : Out Port(s)
0xC001 : 0x001  0x004 

Switch 0x0257454654000700
LID    : Out Port(s)
0xC001 : 0x002  0x003  0x005 

Switch 0x0257454654000b00
LID    : Out Port(s)
0xC001 : 0x001  0x003 

Switch 0x0257454654000d00
LID    : Out Port(s)
0xC002 : 0x001  0x004 

Switch 0x0257454654000e00
LID    : Out Port(s)
0xC002 : 0x002  0x004  0x005 

Switch 0x0257454654000f00
LID    : Out Port(s)
0xC002 : 0x001  0x005 
)");
  CHECK(written(k_ary_tree(4), {{"h2", "h3"}, {"h0", "h6", "h9", "h15"}, {"h4", "h5", "h6", "h7"}}) == R"(
Switch 0x0257454654000100
LID    : Out Port(s)
0xC002 : 0x001  0x003 

Switch 0x0257454654000200
LID    : Out Port(s)
0xC001 : 0x001  0x002 

Switch 0x0257454654000300
LID    : Out Port(s)
0xC003 : 0x001  0x002  0x003 

Switch 0x0257454654000400
LID    : Out Port(s)
0xC002 : 0x001  0x003 
0xC003 : 0x001  0x002  0x003 

Switch 0x0257454654000500
LID    : Out Port(s)
0xC002 : 0x002  0x003 

Switch 0x0257454654000800
LID    : Out Port(s)
0xC002 : 0x002  0x003 

Switch 0x0257454654000900
LID    : Out Port(s)
0xC002 : 0x001  0x003 

Switch 0x0257454654000b00
LID    : Out Port(s)
0xC002 : 0x002  0x003 
0xC003 : 0x001  0x002 

Switch 0x0257454654000d00
LID    : Out Port(s)
0xC002 : 0x001  0x003 

Switch 0x0257454654000f00
LID    : Out Port(s)
0xC002 : 0x002  0x003 

Switch 0x0257454654001100
LID    : Out Port(s)
0xC002 : 0x001  0x002  0x003  0x004 
)");
  CHECK(written(ring(3), {}).empty());
}

TEST_CASE("a group of one needs no table") {
  const Topology t = ring(4);
  for (const auto& names : {std::vector<std::string>{"h2"}, {"h2", "h2"}, {}}) {
    const MulticastGroup group = group_of(t, names);
    const MulticastTables tables = multicast_trees(t, {group});
    for (const char* sw : {"sw0", "sw1", "sw2", "sw3"}) CHECK(ports(t, tables, sw).empty());
    CHECK(check_multicast(t, tables, group).empty());
  }
}

TEST_CASE("members on one leaf make a tree of one switch") {
  const Topology t = two_level(4, 2, 4);
  const MulticastTables tables = multicast_trees(t, {group_of(t, {"h4", "h6"})});
  CHECK(ports(t, tables, "leaf1") == Ports{1, 3});
  for (const char* other : {"leaf0", "leaf2", "leaf3", "spine0", "spine1"})
    CHECK(ports(t, tables, other).empty());
}

TEST_CASE("the root is the switch nearest to its farthest member, and ways take the lowest port") {
  const Topology t = two_level(4, 2, 2);  // a spine is two hops from every end, a leaf up to three
  const MulticastTables tables = multicast_trees(t, {everyone(t)});
  const bool first = ports(t, tables, "spine1").empty();  // whichever comes first in OpenSM's map
  CHECK(ports(t, tables, first ? "spine0" : "spine1") == Ports{1, 2, 3, 4});
  CHECK(ports(t, tables, first ? "spine1" : "spine0").empty());
  for (const char* leaf : {"leaf0", "leaf1", "leaf2", "leaf3"})
    CHECK(ports(t, tables, leaf) == Ports{1, 2, static_cast<std::uint8_t>(first ? 3 : 4)});
  // Three switches of a ring of 8: sw2 is the middle of sw0, sw2, sw4.
  const Topology r = ring(8);
  const MulticastTables arc = multicast_trees(r, {group_of(r, {"h0", "h2", "h4"})});
  CHECK(ports(r, arc, "sw0") == Ports{1, 2});
  CHECK(ports(r, arc, "sw1") == Ports{2, 3});
  CHECK(ports(r, arc, "sw2") == Ports{1, 2, 3});
  CHECK(ports(r, arc, "sw5").empty());
}

TEST_CASE("two ends of a cable need no table, members apart are refused") {
  Topology t;
  for (int i = 0; i < 2; ++i) t.add_node(NodeKind::hca, fmt::format("h{}", i), 1);
  cable(t, 0, 1, 1, 1);
  t = addressed(std::move(t));
  const MulticastGroup pair = group_of(t, {"h0", "h1"});
  CHECK(check_multicast(t, multicast_trees(t, {pair}), pair).empty());

  Topology apart = two_level(2, 1, 1);
  unplug(apart, apart.find("leaf1"), 2);
  CHECK_THROWS_WITH(multicast_trees(apart, {group_of(apart, {"h0", "h1"})}),
                    ContainsSubstring("separate networks"));
}

TEST_CASE("the check finds what is wrong with a tree") {
  const Topology t = ring(4);
  const MulticastGroup group = group_of(t, {"h0", "h1", "h2"});
  const auto complaint = [&](const std::vector<std::pair<NodeIndex, Ports>>& rows) {
    MulticastTables tables({group});
    for (const auto& [node, out] : rows) tables.set(node, group.mlid, out);
    const auto wrong = check_multicast(t, tables, group);
    return wrong.empty() ? std::string() : wrong.front();
  };
  CHECK(complaint({{0, {1, 2}}, {1, {1, 2, 3}}, {2, {1, 3}}}).empty());
  CHECK_THAT(complaint({{0, {1, 2}}, {1, {1, 2, 3}}, {2, {3}}}), ContainsSubstring("does not lead to h2[1]"));
  CHECK_THAT(complaint({{0, {1, 2}}, {1, {1, 2}}, {2, {1, 3}}}), ContainsSubstring("is not of the tree"));
  CHECK_THAT(complaint({{0, {1, 2, 3}}, {1, {1, 2, 3}}, {2, {1, 2, 3}}, {3, {2, 3}}}),
             ContainsSubstring("packets would go round"));
  CHECK_THAT(complaint({{0, {1, 2, 3}}, {1, {1, 2, 3}}, {2, {1, 3}}, {3, {1, 2}}}),
             ContainsSubstring("leads to h3[1], who is no member"));
  CHECK_THAT(complaint({{0, {1}}, {1, {1, 2}}, {2, {1, 3}}}), ContainsSubstring("in pieces"));
}
