#include "scenarios/scenario.h"

#include <array>

namespace weft {

std::span<const std::pair<std::string_view, LinkLayer>> words_of(LinkLayer) {
  static constexpr std::array<std::pair<std::string_view, LinkLayer>, 2> kWords{
      {{"standard", LinkLayer::standard}, {"ideal", LinkLayer::ideal}}};
  return kWords;
}

std::span<const std::pair<std::string_view, Mtu>> words_of(Mtu) {
  static constexpr std::array<std::pair<std::string_view, Mtu>, 5> kWords{{{"256", Mtu::b256},
                                                                           {"512", Mtu::b512},
                                                                           {"1024", Mtu::b1024},
                                                                           {"2048", Mtu::b2048},
                                                                           {"4096", Mtu::b4096}}};
  return kWords;
}

std::span<const std::pair<std::string_view, LidSpace>> words_of(LidSpace) {
  static constexpr std::array<std::pair<std::string_view, LidSpace>, 2> kWords{
      {{"infiniband", LidSpace::infiniband}, {"extended", LidSpace::extended}}};
  return kWords;
}

std::span<const std::pair<std::string_view, OnDeadlock>> words_of(OnDeadlock) {
  static constexpr std::array<std::pair<std::string_view, OnDeadlock>, 1> kWords{
      {{"stop", OnDeadlock::stop}}};
  return kWords;
}

std::span<const std::pair<std::string_view, EventAction>> words_of(EventAction) {
  static constexpr std::array<std::pair<std::string_view, EventAction>, 4> kWords{
      {{"link_down", EventAction::link_down},
       {"link_up", EventAction::link_up},
       {"link_speed", EventAction::link_speed},
       {"stall_receiver", EventAction::stall_receiver}}};
  return kWords;
}

void SwitchSettings::describe(Describe& d) {
  d.field("profile", profile, "Profile of switches the topology names none for.")
      .source("the profile of the fabric's fastest generation");
  d.set_default_source(values_from);
  values.describe_behaviour(d);
  d.set_default_source("");
}

void HcaSettings::describe(Describe& d) {
  d.field("profile", profile, "Profile of the adapters.")
      .source("the profile of the fabric's fastest generation");
  d.set_default_source(values_from);
  values.describe_behaviour(d);
  d.set_default_source("");
}

void LinkSettings::describe(Describe& d) {
  d.field("cable", cable, "Cable profile of links the topology names none for.")
      .source("assumed: short copper");
  d.field("length", length, "Length of cables the topology gives none for.")
      .source("assumed")
      .range("0 m", "10 km");
  d.field("layer", layer,
          "standard: framing, FEC and flow-control packets of each generation's link profile; ideal: none.");
  d.field("credit_update", credit_update, "Replaces the link profile's policy for telling freed credit.")
      .source("link profile");
  d.field("update_size", update_size, "Replaces the size of a flow-control packet.")
      .source("link profile")
      .range("0 B", "64 B");
  d.field("update_threshold", update_threshold, "Replaces the threshold of that policy.")
      .source("link profile")
      .range("64 B", "128 KiB");
  d.field("update_period", update_period, "Replaces the period of policy `timer`.")
      .source("link profile")
      .range("1 ns", "100 us");
}

void Sl2VlException::describe(Describe& d) {
  d.field("node", node, "The switch or adapter, by name or GUID.").required();
  d.field("in", in, "Input port; every one when left out, 0 for the node's own traffic.").range(0, 254);
  d.field("out", out, "Output port; every one when left out.").range(1, 254);
  d.list("sl2vl", sl2vl, "VL of each SL from 0 on; 15 drops. SLs beyond the list take VL 0.");
}

void QosSettings::describe(Describe& d) {
  d.list("sl2vl", sl2vl, "VL of each SL from 0 on; 15 drops. Left out: SL modulo the number of VLs.");
  d.groups("exceptions", exceptions, "Other maps for some nodes and ports; the last that matches counts.");
  d.field("vlarb_high", vlarb_high, "High-priority table in OpenSM's form, `0:64,1:128`.");
  d.field("vlarb_low", vlarb_low, "Low-priority table. Both empty: the VLs take turns, packet by packet.");
  d.field("high_limit", high_limit,
          "High-priority data in units of 4 KiB before a low packet must go; 255 = no limit.")
      .range(0, 255)
      .source("OpenSM");
}

void FabricConfig::describe(Describe& d) {
  d.choice("topology", topology, topology_builders(), "type", "What is cabled.");
  d.choice("routing", routing, routing_engines(), "engine",
           "How it is routed. Left out: dmodk on generated trees, minhop elsewhere.", false);
  d.group("switch", switches, "The switches: a profile, and keys that differ from it.");
  d.group("links", links, "Cables and link layer where the topology leaves them open.");
  d.groups("overrides", overrides, "Links that are different.");
  d.field("mtu", mtu, "Path MTU in bytes.").source("what HDR and later fabrics run");
  d.field("vls", vls, "Data VLs in operation: 1, 2, 4, 8 or 15.")
      .range(1, 15)
      .source("as many as the routing engine needs");
  d.group("qos", qos, "Service levels and VL arbitration.");
  d.field("lid_space", lid_space,
          "infiniband: 49,151 unicast LIDs; extended: more, which no real subnet has.");
  d.field("lmc", lmc, "LID mask control of adapters that have no LID yet: 2^lmc LIDs each.").range(0, 7);
}

void RunConfig::describe(Describe& d) {
  d.field("duration", duration, "Stop at this simulated time. Left out: when all traffic has arrived.")
      .range("1 ps", "106 d");
  d.field("warm_up", warm_up, "Rates and counters count from here on.").range("0 ps", "106 d");
  d.field("seed", seed, "Seed of every random stream.");
  d.field("stall_check", stall_check, "Look for a deadlock after this long without a data packet moving.")
      .range("1 us", "1 h")
      .source("assumed: far above any queueing delay, far below a head-of-queue lifetime");
  d.field("on_deadlock", on_deadlock, "What to do when nothing can move any more.");
  d.field("sample", sample, "Check conservation and record the fabric's load this often.")
      .range("1 ns", "1 d");
}

void EventConfig::describe(Describe& d) {
  d.field("at", at, "When.").required().range("0 ps", "106 d");
  d.field("action", action, "What happens.").required();
  d.field("where", where,
          "The link, by one of its ends (`\"leaf0[3]\"`, in quotes inside braces), or for stall_receiver the "
          "endpoint.")
      .required();
  d.field("speed", speed, "link_speed: the new speed, such as 2xNDR.");
  d.field("duration", duration, "stall_receiver: how long; for good when left out.").range("1 ps", "106 d");
}

void Expectation::describe(Describe& d) {
  d.field("table", table, "Table of the results, as its CSV is named.");
  d.field("row", row,
          "Row by its key columns, such as `h1 -> h5`; a single value of the summary when left out.");
  d.field("column", column, "Column, or the name of the single value.");
  d.field("equals", equals, "The value it must have.");
  d.field("within", within, "Tolerance of `equals`, relative.").range("0 %", "100 %");
  d.field("at_least", at_least, "Its lower bound.");
  d.field("at_most", at_most, "Its upper bound.");
  d.field("verdict", verdict, "The verdict the run must end with.");
  d.field("source", source, "Where the expectation comes from.");
}

void Scenario::describe(Describe& d) {
  d.field("weft", weft, "Version of the scenario language.").required().range(1, 1);
  d.field("name", name, "Short name; names the results folder.").required();
  d.field("description", description, "What the scenario shows.");
  d.group("fabric", fabric, "The network.");
  d.group("hosts", hosts, "The machines' adapters: a profile, and keys that differ from it.");
  d.choices("traffic", traffic, patterns(), "pattern", "What is sent.", false);
  d.groups("events", events, "What happens to the fabric while it runs.");
  d.group("run", run, "How long, which seed, what is watched.");
  d.groups("expect", expect, "Results that must come out so; `weft run` says which do.");
}

}  // namespace weft
