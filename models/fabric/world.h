// The packet engine: moves packets over directed links, switches and adapters (design: fabric model).
//
// An instant has two fabric phases. HEADS: packets become ready at outputs, each touching its own queue only.
// ARBITRATE: an output picks one packet and starts it, touching its own rows, and sends a head and a credit
// into the future. Within a phase nothing depends on order, so the event set orders by (time, phase) alone.
//
// An output with packets waiting has exactly one of: a pending arbitration (`armed`), or, on every waiting
// lane, a wish for credit (`wants`) that an arriving credit turns into one. Credits arrive silently
// (credit.h).
//
//   world_build.cc  construction
//   world.cc        the run loop, the watch, what can be asked of the whole
//   heads.cc        a packet is queued at its output
//   arbitration.cc  an output starts a packet; credit returns. These two are the per-packet path
//   look_ahead.h    cache lines for events to come
//   hca_send.cc     doorbell, staging, departure
//   hca_receive.cc  placement, ACK, completions
//   multicast.cc    switches copy packets for a group; members receive them
//   link_events.cc  link down, up, rate change
//   conservation.cc, counters.cc, wait_graph.cc  what can be asked of it while nothing moves
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/fabric/hca_state.h"
#include "models/fabric/message.h"
#include "models/fabric/multicast.h"
#include "models/fabric/profiles.h"
#include "models/fabric/qos.h"
#include "models/fabric/qp_index.h"
#include "models/fabric/rows.h"
#include "models/routing/routes.h"
#include "models/topology/topology.h"
#include "sim/big_vector.h"
#include "sim/event_queue.h"
#include "sim/fingerprint.h"

namespace weft {

/// What is the same for the whole fabric.
struct FabricSettings {
  std::uint32_t mtu = 4096;
  unsigned data_vls = 1;
  Sl2Vl sl2vl{1};
  VlArbTables arbitration;
  Ticks stall_check = 1'000'000'000;  // look for a deadlock after this long without a data packet moving
};

enum class RunEnd : std::uint8_t { idle, horizon, stopped, stuck };

class World {
 public:
  /// `topology` and `routes` are used where they are: they must outlive the world.
  /// @throws BadValue when the parts do not fit: unknown profile, a link without delay, a buffer too small
  /// for a packet
  World(const Topology& topology, const Routes& routes, const Devices& devices,
        const FabricSettings& settings);
  World(Topology&&, const Routes&, const Devices&, const FabricSettings&) = delete;
  World(const Topology&, Routes&&, const Devices&, const FabricSettings&) = delete;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // --- for the user of the fabric
  void set_user(FabricUser& user) { user_ = &user; }
  Ticks now() const { return now_; }
  void post(const Message& message);
  void wake(std::uint32_t endpoint, Ticks at, std::uint32_t tag);  // tag < 2^28

  bool is_member(std::uint32_t group, std::uint32_t endpoint) const {
    return multicast_[group].is_member[endpoint];
  }

  // --- running
  /// The end of simulated time: 106 days, less an hour's room for what is computed ahead.
  static constexpr Ticks kHorizon = kNeverTicks - 3'600'000'000'000'000;
  /// Runs until nothing is pending, `horizon` is reached, `stop` is set, or nothing can move any more.
  RunEnd run(Ticks horizon = kNeverTicks);
  void request_stop() { stop_ = true; }
  /// Calls the user's on_sample every `period` from `period` on.
  void sample_every(Ticks period);

  // --- changes while it runs (link_events.cc)
  void link_down_at(Ticks at, std::uint32_t cable);
  void link_up_at(Ticks at, std::uint32_t cable);
  void link_rate_at(Ticks at, std::uint32_t cable, const LinkSpec& link);
  /// The endpoint's memory takes nothing in [from, until); kNeverTicks = never again.
  void stall_receiver(std::uint32_t endpoint, Ticks from, Ticks until);

  // --- what can be asked of it between events
  struct Counts {
    std::uint64_t data_hops = 0, ack_hops = 0, events = 0;
    std::uint64_t injected = 0, delivered = 0, dropped = 0;  // packets, ACKs included
    std::uint64_t injected_bytes = 0, delivered_bytes = 0, dropped_bytes = 0;
    std::uint64_t copied = 0, copied_bytes = 0;  // packets that switches added for multicast groups
    std::uint64_t messages_posted = 0, messages_delivered = 0;  // to a group: one for each receiver
  };
  const Counts& counts() const { return counts_; }
  std::uint64_t fingerprint() const;
  std::uint64_t live_packets() const { return live_packets_; }
  /// The longest cable delay or pipeline of any link.
  Ticks longest_delay() const;
  /// Calls visit(message, payload bytes that have arrived) for every message not yet delivered.
  void for_each_under_way(const std::function<void(const Message&, std::uint64_t)>& visit) const;

  /// Counters of one port under their IB names (counters.cc). Data in bytes; XmitData on the wire is in
  /// 4-byte words.
  struct PortCounters {
    PortRef port;
    std::uint64_t xmit_bytes = 0, xmit_packets = 0, rcv_bytes = 0, rcv_packets = 0;
    std::uint64_t xmit_discards = 0, rcv_errors = 0, link_downed = 0;
    std::uint64_t out_of_sequence = 0;  // an adapter's: dropped by the transport, not by the link
    Ticks xmit_wait = 0;                // ps
    std::vector<std::uint64_t> vl_xmit_bytes, vl_xmit_packets;
    std::vector<Ticks> vl_credit_wait;  // time the lane's head stood without credit
  };
  /// Calls visit for every port, by node and number. What it is given lasts as long as the call.
  void for_each_port(const std::function<void(const PortCounters&)>& visit) const;
  std::vector<PortCounters> port_counters() const;  // all of them

  /// Credits, packets and bytes are where they must be; each violation is one line (conservation.cc).
  std::vector<std::string> check_conservation() const;

  /// What holds the fabric when nothing moves (wait_graph.cc).
  struct WaitReport {
    bool can_move = true;   // false: some output waits for what will never come
    bool deadlock = false;  // `cycle` is a circle of full buffers
    struct Wait {
      PortRef output;  // this port waits ...
      std::uint8_t vl = 0;
      std::string why;  // ... for this
    };
    std::vector<Wait> cycle;          // deadlock: each waits for the next, the last for the first
    std::vector<Wait> culprits;       // else: the ends of the chains, with what they wait for
    std::vector<std::string> routes;  // the paths of the messages that made it
    std::size_t blocked_outputs = 0;
    std::uint64_t waiting_packets = 0;
  };
  WaitReport wait_report() const;

  const Topology& topology() const { return topology_; }
  std::uint32_t endpoint_count() const { return static_cast<std::uint32_t>(hcas_.size()); }
  /// Data rate left to packets on the link leaving `port` (framing included).
  double link_gbps(PortRef port) const;
  std::size_t reserved_bytes() const;

 private:
  friend class WorldInspector;  // tests: reads rows, changes nothing

  // world_build.cc, world.cc
  void build_nodes(const Routes& routes);
  void build_hcas();
  void build_links();
  LinkTiming timing_of(const LinkSpec& link, PortRef from, PortRef to) const;
  std::uint32_t timing_row(const LinkTiming& timing);
  void admit_link(const LinkTiming& timing, PortRef to);
  std::uint32_t buffer_blocks(PortRef at) const;
  const SwitchProfile& switch_profile(const Node& node) const;
  const HcaProfile& hca_profile(const Node& node) const;
  std::uint32_t port_index(PortRef port) const { return nodes_[port.node].first_port + port.port - 1u; }
  PortRef port_ref(std::uint32_t port) const;
  LaneRow& lane(std::uint32_t port, unsigned vl) { return lanes_[port * lane_stride_ + vl]; }
  const LaneRow& lane(std::uint32_t port, unsigned vl) const { return lanes_[port * lane_stride_ + vl]; }
  Voq* voqs(std::uint32_t port, unsigned vl) { return voqs_.data() + voq_index(port, vl); }
  const Voq* voqs(std::uint32_t port, unsigned vl) const { return voqs_.data() + voq_index(port, vl); }
  std::size_t voq_index(std::uint32_t port, unsigned vl) const {
    return ports_[port].voqs + (vl == 0 ? 0 : vl * nodes_[node_of_port_[port]].inputs);
  }
  void dispatch(const EventQueue::Batch& batch, Phase phase);

  // look_ahead.h
  template <int kStep>
  void ask_for(const Event& event) const;
  void look_ahead(const EventQueue::Batch& batch, std::size_t i) const;
  void look_at_first(const EventQueue::Batch& batch) const;
  void on_control(const Event& event);
  void on_host(const Event& event);
  void keep_watch();
  void watch();

  // heads.cc
  std::uint32_t new_packet();
  void free_packet(std::uint32_t packet);
  void drop(std::uint32_t packet);
  void on_heads(const EventQueue::Batch& batch);
  void on_head(std::uint32_t packet);
  std::uint32_t choose_output(const NodeRow& node, std::uint8_t entry, const Packet& packet) const;
  void enqueue(std::uint32_t port, unsigned vl, std::uint32_t packet);
  void note_fifo_arrival(LaneRow& row);
  void enqueue_in_order(LaneRow& row, Voq& queue, std::uint32_t packet);
  void forget_candidate(std::uint32_t port, LaneRow& row);

  // arbitration.cc
  void on_arbitrations(const EventQueue::Batch& batch);
  void arbitrate_ready();
  void try_at(std::uint32_t port, Ticks at);
  void plan(std::uint32_t port);
  void arbitrate(std::uint32_t port);
  unsigned choose_lane(std::uint32_t port, Ticks& next);
  bool can_start(std::uint32_t port, unsigned vl, Ticks& next);
  unsigned choose_input(std::uint32_t port, const LaneRow& row, Ticks& next) const;
  bool can_read(const NodeRow& node, unsigned input, Ticks& next) const;
  std::uint32_t head_of(std::uint32_t port, unsigned vl, unsigned input) const;
  std::uint32_t candidate_packet(std::uint32_t port, unsigned vl) const;
  void grant(std::uint32_t port, unsigned vl);
  std::uint32_t take_candidate(std::uint32_t port, PortRow& out, LaneRow& row, unsigned vl);
  Ticks occupy(PortRow& out, const Packet& packet, const LinkTiming& timing);
  void return_credit(const Packet& packet, Ticks freed);
  void wake_starved(std::uint32_t link, unsigned vl);
  void slip_in_updates();

  // hca_send.cc, hca_receive.cc
  void on_doorbell(std::uint32_t hca);
  void on_gate(std::uint32_t hca);
  void activate(std::uint32_t qp);
  void mark_gate(MessageRow& row, Ticks at, Ticks stall) const;
  void stage(std::uint32_t hca, unsigned vl);
  void stage_packet(std::uint32_t qp);
  void depart(std::uint32_t hca, unsigned vl, Packet& packet, Ticks stall, Ticks tail_out);
  void receive(std::uint32_t hca, std::uint32_t packet);
  void receive_data(std::uint32_t hca, const Packet& packet, std::uint32_t slot);
  void receive_ack(std::uint32_t hca, const Packet& packet);
  void send_ack(std::uint32_t hca, std::uint32_t qp, std::uint32_t psn, Ticks ready);
  void on_delivered(std::uint32_t slot);
  void on_sent(std::uint32_t slot);
  void close_end(std::uint32_t slot);
  std::uint8_t sl_of(std::uint8_t asked, PortRef from, PortRef to) const;
  std::uint32_t qp_for(const Message& message);
  std::uint32_t new_message();

  // multicast.cc
  void build_multicast(const Routes& routes);
  void replicate(std::uint32_t packet);
  std::uint32_t new_hold(const Packet& packet, std::size_t copies);
  void leave_hold(const Packet& packet, Ticks tail_out);
  std::uint32_t lane_held(const Packet& packet) const;
  void complete_unacknowledged(std::uint32_t hca, std::uint32_t slot, Ticks tail_out);
  void receive_copy(std::uint32_t hca, std::uint32_t packet);
  void end_copy(std::uint32_t slot);

  // link_events.cc
  struct LinkEvent {
    enum Kind : std::uint8_t { down, up, rate } kind;
    std::uint32_t cable;
    LinkSpec link;
  };
  void schedule_link_event(Ticks at, const LinkEvent& event);
  void on_link_event(std::uint32_t index);

  // wait_graph.cc
  bool nothing_can_move() const;
  WaitReport wait_report(Ticks by) const;
  template <class Visit>
  void for_each_waiting(std::uint32_t port, unsigned vl, Visit visit) const;
  void add_route(WaitReport& report, std::uint32_t from, std::uint32_t to) const;

  const Topology& topology_;
  const PathSls& path_sls_;
  const Devices devices_;
  const FabricSettings settings_;
  FabricUser* user_ = nullptr;

  EventQueue queue_;
  Ticks now_ = 0;
  bool stop_ = false, link_events_seen_ = false;
  Ticks sample_period_ = 0;
  std::uint64_t last_hops_ = 0;
  bool watching_ = false, stuck_ = false;
  int patience_ = 0;              // the watch waits 2^patience_ periods: longer the longer nothing moves
  std::size_t housekeeping_ = 0;  // pending events that are the engine's own: watch, sample

  BigVector<PortRow> ports_;
  BigVector<LaneRow> lanes_;         // [port * lane_stride_ + vl]
  std::vector<VlArbiter> arbiters_;  // by port; empty with one lane
  std::vector<VlArbTables> tables_;  // the fabric's, and the same without the high limit
  std::vector<std::uint8_t> tables_of_port_;
  std::vector<LinkTiming> timings_;
  std::vector<NodeRow> nodes_;
  std::vector<std::uint32_t> node_of_port_;
  std::vector<std::uint32_t> peer_;  // far port of each link
  const LftBlock* lft_pool_ = nullptr;
  const std::vector<std::vector<std::vector<std::uint8_t>>>& groups_;
  BigVector<Voq> voqs_;
  std::vector<Ticks> reads_;  // ends of reads per input, where read_speedup limits them
  std::vector<std::uint32_t> reads_of_port_;
  std::vector<std::uint16_t>
      pending_blocks_;  // freed, not yet told (update policy threshold); empty if unused
  std::vector<Ticks> pending_freed_;
  std::vector<std::uint16_t> window_;  // blocks advertised at initialisation, by [port * lane_stride_ + vl]
  std::vector<std::uint64_t> discards_, rcv_errors_, downed_;
  CreditSpill spill_;
  std::uint32_t lane_stride_ = 1;
  std::uint32_t largest_bytes_ = 0, largest_blocks_ = 0;  // of a packet of a whole MTU
  bool prefetching_ = false;                              // the rows are more than the caches hold

  BigVector<Packet> packets_;
  std::uint32_t free_packets_ = kNone;
  std::uint64_t live_packets_ = 0;
  std::vector<std::uint32_t> ready_;  // outputs to arbitrate at the end of this instant's HEADS
  bool ordered_ = false;              // arbitrations of one instant go by port: see arbitrate_ready
  std::vector<std::uint32_t> told_;   // ports that owe a flow-control packet as of this instant

  BigVector<HcaRow> hca_rows_;
  std::vector<HcaState> hcas_;
  std::vector<HcaTiming> hca_timings_;
  std::vector<std::uint32_t> hca_of_port_;  // kNone for switch ports
  std::vector<SendLane> send_lanes_;        // [hca * lane_stride_ + vl]
  BigVector<Qp> qps_;
  std::vector<Gate> gates_;
  BigVector<Responder> responders_;  // by QP
  QpIndex qp_index_;
  BigVector<MessageRow> messages_;
  std::uint32_t free_messages_ = kNone;
  std::vector<Chain> host_chains_;

  std::vector<MulticastRow> multicast_;  // by group
  std::vector<MulticastHold> holds_;
  std::uint32_t free_holds_ = kNone;
  std::vector<std::pair<std::uint32_t, unsigned>> copies_;  // (output, VL) of the packet in hand

  std::vector<LinkEvent> link_events_;
  std::uint32_t link_events_to_come_ = 0;  // while some are, what stands still may move again
  Counts counts_;
};

/// Sees to it that `port` arbitrates at `at` at the latest.
inline void World::try_at(std::uint32_t port, Ticks at) {
  PortRow& out = ports_[port];
  if (out.is(PortRow::down) || (out.armed != kIdle && out.armed <= at)) return;
  out.armed = at;
  if (at == now_)
    ready_.push_back(port);
  else
    queue_.push(make_event(at, Phase::arbitrate, port, 0));
}

}  // namespace weft
