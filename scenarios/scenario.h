// The scenario: every key a user may write. describe() is the language's reference.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/profiles.h"
#include "models/fabric/qos.h"
#include "models/routing/routes.h"
#include "models/topology/link_override.h"
#include "models/topology/topology_builder.h"
#include "models/workload/pattern.h"

namespace weft {

/// A device profile by name, and what is different about it here.
struct SwitchSettings : Configurable {
  std::optional<std::string> profile;
  std::string values_from = "profile";  // where `values` come from unless the scenario gives them
  SwitchProfile values;
  void describe(Describe& d) override;
};

struct HcaSettings : Configurable {
  std::optional<std::string> profile;
  std::string values_from = "profile";
  HcaProfile values;
  void describe(Describe& d) override;
};

/// The link layer between devices: what real generations cost, or nothing.
enum class LinkLayer : std::uint8_t { standard, ideal };
std::span<const std::pair<std::string_view, LinkLayer>> words_of(LinkLayer);

struct LinkSettings : Configurable {
  std::string cable = "dac";
  Length length{2'000'000};
  LinkLayer layer = LinkLayer::standard;
  std::optional<CreditUpdate> credit_update;
  std::optional<Bytes> update_size, update_threshold;
  std::optional<Time> update_period;
  void describe(Describe& d) override;
};

enum class Mtu : std::uint16_t { b256 = 256, b512 = 512, b1024 = 1024, b2048 = 2048, b4096 = 4096 };
std::span<const std::pair<std::string_view, Mtu>> words_of(Mtu);

enum class LidSpace : std::uint8_t { infiniband, extended };
std::span<const std::pair<std::string_view, LidSpace>> words_of(LidSpace);

/// An exception to the fabric's SL2VL map.
struct Sl2VlException : Configurable {
  std::string node;
  std::optional<std::uint32_t> in, out;
  std::vector<std::uint32_t> sl2vl;
  void describe(Describe& d) override;
};

struct QosSettings : Configurable {
  std::vector<std::uint32_t> sl2vl;
  std::vector<Sl2VlException> exceptions;
  std::string vlarb_high, vlarb_low;
  std::uint32_t high_limit = 0;
  void describe(Describe& d) override;
};

struct FabricConfig : Configurable {
  std::unique_ptr<TopologyBuilder> topology;
  std::unique_ptr<RoutingEngine> routing;
  SwitchSettings switches;
  LinkSettings links;
  std::vector<LinkOverride> overrides;
  Mtu mtu = Mtu::b4096;
  std::optional<std::uint32_t> vls;
  QosSettings qos;
  LidSpace lid_space = LidSpace::infiniband;
  std::uint32_t lmc = 0;
  void describe(Describe& d) override;
};

enum class OnDeadlock : std::uint8_t { stop };
std::span<const std::pair<std::string_view, OnDeadlock>> words_of(OnDeadlock);

struct RunConfig : Configurable {
  std::optional<Time> duration;
  Time warm_up{0};
  std::uint64_t seed = 1;
  Time stall_check = microseconds(1000);
  OnDeadlock on_deadlock = OnDeadlock::stop;
  std::optional<Time> sample;
  void describe(Describe& d) override;
};

enum class EventAction : std::uint8_t { link_down, link_up, link_speed, stall_receiver };
std::span<const std::pair<std::string_view, EventAction>> words_of(EventAction);

/// Something that happens to the fabric while it runs.
struct EventConfig : Configurable {
  Time at{0};
  EventAction action = EventAction::link_down;
  std::string where;
  std::string speed;
  std::optional<Time> duration;
  void describe(Describe& d) override;
};

/// A result that must come out so: what a validation scenario states.
struct Expectation : Configurable {
  std::string table, row, column;
  std::optional<double> equals, at_least, at_most;
  Ratio within{0, 1};
  std::string verdict;
  std::string source;
  void describe(Describe& d) override;
};

struct Scenario : Configurable {
  std::uint32_t weft = 1;
  std::string name, description;
  FabricConfig fabric;
  HcaSettings hosts;
  std::vector<std::unique_ptr<Pattern>> traffic;
  std::vector<EventConfig> events;
  RunConfig run;
  std::vector<Expectation> expect;
  void describe(Describe& d) override;
};

}  // namespace weft
