// Device profiles: the numbers of one switch, adapter, cable or link generation. Values live in
// scenarios/profiles, each with its source; the defaults here are the `ideal` device: no cost but the wire.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "models/topology/link_spec.h"
#include "sim/schema.h"
#include "sim/units.h"

namespace weft {

/// How packets that wait for one output are ordered: a virtual output queue per input, served round robin, or
/// one queue in order of arrival (ties: lower input first), as an ideal output-queued switch has it.
enum class Queueing : std::uint8_t { voq, output_fifo };
std::span<const std::pair<std::string_view, Queueing>> words_of(Queueing);

struct SwitchProfile : Configurable {
  std::string description;
  std::uint32_t ports = 64;
  Generation generation = Generation::ndr;
  std::uint32_t width = 4;
  Time port_to_port{0};            // head in to head out, unloaded
  bool includes_fec = true;        // port_to_port already holds the FEC latency of its incoming link
  Bytes buffer{128 * 1024};        // input buffer of one port for one data VL
  std::uint32_t read_speedup = 0;  // packets read from one input at once; 0 = as many as there are outputs
  Queueing queueing = Queueing::voq;
  Time credit_processing{0};  // from a freed block to its flow-control packet on the wire
  bool ignores_vl_high_limit = false;
  void describe(Describe& d) override;
  void describe_behaviour(Describe& d);  // all but what the device is
};

struct HcaProfile : Configurable {
  std::string description;
  Generation generation = Generation::ndr;
  std::uint32_t width = 4;
  Time post{0};                       // software, per message, one at a time per adapter
  Time doorbell{0};                   // CPU store to the adapter seeing the WQE
  Bytes inline_limit{0};              // up to this size the payload travels with the WQE
  Time fetch_latency{0};              // PCIe read round trip for payload
  Rate pcie_rate{};                   // payload over PCIe, each direction, net of TLP overhead; 0 = unlimited
  Time send_pipeline{0};              // payload in the adapter to first bit on the wire
  Time receive_pipeline{0};           // last bit from the wire to the PCIe write
  Time write_latency{0};              // PCIe write of payload and CQE until visible in memory
  Time completion{0};                 // software sees the CQE
  std::uint64_t qp_message_rate = 0;  // messages/s of one QP; 0 = unlimited
  std::uint64_t card_message_rate = 0;  // messages/s of the adapter; 0 = unlimited
  std::uint32_t qp_quantum = 1;         // packets a QP sends before the next has its turn
  Bytes prefetch{4096};  // payload fetched ahead of the wire, per VL (always at least one packet)
  bool includes_fec = true;
  Bytes buffer{128 * 1024};  // receive buffer of one data VL
  Time credit_processing{0};
  std::uint32_t ack_every =
      0;  // ask for an ACK every n packets besides the last of a message; 0 = only there
  void describe(Describe& d) override;
  void describe_behaviour(Describe& d);
};

struct CableProfile : Configurable {
  std::string description;
  CableKind kind = CableKind::dac;
  Time per_metre = nanoseconds(5);  // propagation
  Time per_end{0};                  // transceiver, each end
  Length longest{10'000'000'000};
  void describe(Describe& d) override;
};

/// When the receiver tells the sender of freed blocks.
enum class CreditUpdate : std::uint8_t { each_packet, threshold, timer };
std::span<const std::pair<std::string_view, CreditUpdate>> words_of(CreditUpdate);

/// What a generation's link layer adds to its data rate.
struct LinkProfile : Configurable {
  std::string description;
  Ratio framing{1, 1};   // share of the data rate left to packets (delimiters, skips, retry cells)
  Time fec{0};           // FEC latency of one link, at its receiving end
  Bytes update_size{0};  // flow-control packet on the reverse link
  CreditUpdate update = CreditUpdate::each_packet;
  Bytes update_threshold{4096};           // freed bytes that trigger an update (policy threshold)
  Time update_period = nanoseconds(256);  // (policy timer)
  void describe(Describe& d) override;
};

/// Everything a scenario's devices resolve to.
struct Devices {
  std::map<std::string, SwitchProfile> switches;
  std::map<std::string, HcaProfile> hcas;
  std::map<std::string, CableProfile> cables;
  std::map<Generation, LinkProfile> links;  // a generation without a row has the ideal link layer
  std::string default_switch, default_hca, default_cable;
  Length default_length{5'000'000};
};

}  // namespace weft
