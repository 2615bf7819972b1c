#include "models/fabric/profiles.h"

namespace weft {

std::span<const std::pair<std::string_view, Queueing>> words_of(Queueing) {
  static constexpr std::array<std::pair<std::string_view, Queueing>, 2> kWords{
      {{"voq", Queueing::voq}, {"output_fifo", Queueing::output_fifo}}};
  return kWords;
}

void SwitchProfile::describe(Describe& d) {
  d.field("description", description, "What the device is.");
  d.field("ports", ports, "External ports.").range("2", "254");
  d.field("generation", generation, "Fastest link generation of its ports.");
  d.field("width", width, "Lanes of one port.").range("1", "12");
  describe_behaviour(d);
}

void SwitchProfile::describe_behaviour(Describe& d) {
  d.field("port_to_port", port_to_port, "Head in to head out of an unloaded switch.").range("0 ps", "65 us");
  d.field("includes_fec", includes_fec, "port_to_port already holds the FEC latency of the incoming link.");
  d.field("buffer", buffer,
          "Input buffer of one port for one data VL; the 12-bit credit counters cannot advertise more "
          "than 128 KiB.")
      .range("256 B", "128 KiB")
      .source("IBA 7.9.4: 2,048 blocks of 64 B");
  d.field("read_speedup", read_speedup,
          "Packets read from one input buffer at once; 0 = one for every output.")
      .range("0", "254");
  d.field("queueing", queueing,
          "voq: a queue per input at each output, round robin; output_fifo: one queue per output, "
          "first come first served.");
  d.field("credit_processing", credit_processing,
          "From a freed block to its flow-control packet on the wire.")
      .range("0 ps", "100 us");
  d.field("ignores_vl_high_limit", ignores_vl_high_limit,
          "The arbiter ignores VL_HIGH_LIMIT (Quantum-2 firmware).");
}

void HcaProfile::describe(Describe& d) {
  d.field("description", description, "What the adapter is.");
  d.field("generation", generation, "Fastest link generation of its port.");
  d.field("width", width, "Lanes of its port.").range("1", "12");
  describe_behaviour(d);
}

void HcaProfile::describe_behaviour(Describe& d) {
  d.field("post", post, "Software time to post one message.").range("0 ps", "1 ms");
  d.field("doorbell", doorbell, "CPU store until the adapter sees the work request.").range("0 ps", "1 ms");
  d.field("inline_limit", inline_limit, "Largest payload that travels inside the work request.")
      .range("0 B", "4 KiB");
  d.field("fetch_latency", fetch_latency, "PCIe read round trip for payload.").range("0 ps", "1 ms");
  d.field("pcie_rate", pcie_rate,
          "Payload over PCIe in each direction, net of TLP overhead; 0 bps = unlimited.");
  d.field("send_pipeline", send_pipeline, "Payload in the adapter to the first bit on the wire.")
      .range("0 ps", "1 ms");
  d.field("receive_pipeline", receive_pipeline, "Last bit from the wire to the PCIe write.")
      .range("0 ps", "1 ms");
  d.field("write_latency", write_latency, "PCIe write until visible in memory.").range("0 ps", "1 ms");
  d.field("completion", completion, "Software notices the completion entry.").range("0 ps", "1 ms");
  d.field("qp_message_rate", qp_message_rate, "Messages per second of one queue pair; 0 = unlimited.");
  d.field("card_message_rate", card_message_rate, "Messages per second of the adapter; 0 = unlimited.");
  d.field("qp_quantum", qp_quantum, "Packets a queue pair sends before the next has its turn.")
      .range("1", "65536");
  d.field("prefetch", prefetch, "Payload fetched ahead of the wire, per VL; one packet at least.")
      .range("0 B", "16 MiB");
  d.field("includes_fec", includes_fec,
          "receive_pipeline already holds the FEC latency of the incoming link.");
  d.field("buffer", buffer, "Receive buffer of one data VL.")
      .range("256 B", "128 KiB")
      .source("IBA 7.9.4: 2,048 blocks of 64 B");
  d.field("credit_processing", credit_processing,
          "From a freed block to its flow-control packet on the wire.")
      .range("0 ps", "100 us");
  d.field("ack_every", ack_every,
          "Ask for an ACK every n packets besides the last of a message; 0 = only there.");
}

void CableProfile::describe(Describe& d) {
  d.field("description", description, "What the cable is.");
  d.field("kind", kind, "Copper (dac, acc), active optical (aoc) or transceivers and fibre (optics).");
  d.field("per_metre", per_metre, "Propagation of one metre.").range("0 ps", "100 ns");
  d.field("per_end", per_end, "Latency of the transceiver at each end.").range("0 ps", "10 us");
  d.field("longest", longest, "Longest length the product comes in.");
}

std::span<const std::pair<std::string_view, CreditUpdate>> words_of(CreditUpdate) {
  static constexpr std::array<std::pair<std::string_view, CreditUpdate>, 3> kWords{
      {{"each_packet", CreditUpdate::each_packet},
       {"threshold", CreditUpdate::threshold},
       {"timer", CreditUpdate::timer}}};
  return kWords;
}

void LinkProfile::describe(Describe& d) {
  d.field("description", description, "What the link layer is.");
  d.field("framing", framing,
          "Share of the data rate left to packets: delimiters, skips, retry cells take the rest.")
      .range("10 %", "100 %");
  d.field("fec", fec, "FEC latency of one link, counted at its receiving end.").range("0 ps", "10 us");
  d.field("update_size", update_size, "Flow-control packet on the reverse link, per update.")
      .range("0 B", "64 B");
  d.field("update", update, "When freed credit is told: each_packet, threshold or timer.");
  d.field("update_threshold", update_threshold, "Freed bytes that trigger an update under `threshold`.")
      .range("64 B", "128 KiB");
  d.field("update_period", update_period, "Time between updates under `timer`.").range("1 ns", "100 us");
}

}  // namespace weft
