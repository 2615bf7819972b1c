// The yardstick of `weft bench`: a bare packet engine, as fast as a competent simulator is that only moves
// packets.
//
// One virtual lane, credits counted in packets, cut-through, one queue an output in order of arrival; every
// packet and every cable is the same. No transport, no ACKs, no attribution, no counters, no faults: what
// Weft does on top of that shows in the ratio of the two, on the same machine, fabric and traffic. It is no
// part of any simulation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/routing/routes.h"
#include "models/topology/topology.h"
#include "tools/bench_workload.h"

namespace weft {

/// The one kind of packet, cable, switch and buffer there is.
struct BareTiming {
  std::uint32_t mtu = 4096;             // payload of a packet; the last of a message counts as a whole one
  Ticks serialisation = 82'440;         // 4,122 B at 400 Gb/s
  Ticks cable = 25'000;                 // 5 m
  Ticks port_to_port = 130'000;         // head in to head out of a switch
  std::int32_t credits = 31;            // packets of input buffer
  std::uint32_t packets_at_source = 2;  // a host keeps so many queued at its wire
};

class BareEngine {
 public:
  /// `topology` and `routes` are used where they are: they must outlive the engine. `sends`: each source's
  /// follow each other without a gap, from the start of its first.
  BareEngine(const Topology& topology, const Routes& routes, std::span<const BenchSend> sends,
             const BareTiming& timing = {});

  /// Runs until nothing is pending. Once.
  void run();

  std::uint64_t hops() const { return hops_; }  // a packet starting on a link, hosts' links included
  std::uint64_t events() const { return events_; }
  std::uint64_t packets_left() const { return packets_left_; }  // not yet at their destinations
  Ticks now() const { return now_; }

 private:
  // Order of events of one instant.
  enum class Kind : std::uint32_t { head, wire_free, credit, start };
  struct Event {
    Ticks time;
    std::uint64_t order;  // kind, then which was scheduled first
    std::uint32_t port, packet;
    Kind kind;
  };
  static_assert(sizeof(Event) == 32);

  /// A heap in which each entry has four children.
  class Heap {
   public:
    Heap() { entries_.reserve(std::size_t{1} << 20); }
    bool empty() const { return entries_.empty(); }
    void push(const Event& event);
    Event pop();

   private:
    std::vector<Event> entries_;
  };

  struct PortRow {
    Ticks busy = 0;                             // until then a packet leaves by it
    std::uint32_t far = kNone;                  // the port at the other end
    std::uint32_t first = kNone, last = kNone;  // packets waiting to leave, in order of arrival
    std::int32_t credits = 0;
    bool to_switch = false, at_host = false;
    bool waits_for_wire = false;  // a wire_free is pending
  };
  struct PacketRow {
    Lid destination;
    std::uint32_t next;     // in its queue, or in the list of free rows
    std::uint32_t in_port;  // holds a buffer there; kNone at its source
  };
  struct NodeRow {
    std::uint32_t first_port;
    const std::uint8_t* lft;  // port by LID
  };
  struct Burst {
    Lid destination;
    std::uint64_t packets;
  };
  struct Source {
    std::uint32_t burst = 0, end = 0;  // the burst in hand, and after its last
    std::uint64_t left = 0;            // packets of the one in hand
  };

  void at(Ticks time, Kind kind, std::uint32_t port, std::uint32_t packet = kNone) {
    heap_.push({time, static_cast<std::uint64_t>(kind) << 60 | sequence_++, port, packet, kind});
  }
  void inject(std::uint32_t port);
  void start_source(std::uint32_t port);
  void enqueue(std::uint32_t port, std::uint32_t packet);
  void start_waiting(std::uint32_t port);
  void on_head(std::uint32_t port, std::uint32_t packet);

  const BareTiming timing_;
  std::vector<PortRow> ports_;
  std::vector<std::uint32_t> node_of_port_;
  std::vector<Lft> tables_;  // by node
  std::vector<NodeRow> nodes_;
  std::vector<Source> sources_;  // by port; switches' ports have none
  std::vector<Burst> bursts_;
  std::vector<PacketRow> packets_;
  std::uint32_t free_packets_ = kNone;
  std::vector<std::uint32_t> departed_;  // hosts' ports that sent a packet in this event
  Heap heap_;
  std::uint64_t sequence_ = 0, hops_ = 0, events_ = 0, packets_left_ = 0;
  Ticks now_ = 0;
};

}  // namespace weft
