// Construction: from topology, routes and devices to the engine's rows.
#include "models/fabric/world.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {
namespace {

template <class Profile>
const Profile& profile_of(const std::map<std::string, Profile>& profiles, const std::string& name,
                          const std::string& fallback, const std::string& what) {
  const auto found = profiles.find(name.empty() ? fallback : name);
  if (found == profiles.end())
    throw BadValue("", fmt::format("no {} profile `{}`", what, name.empty() ? fallback : name));
  return found->second;
}

Ticks gap_of(std::uint64_t per_second) {
  return per_second == 0 ? 0 : static_cast<Ticks>((1'000'000'000'000 + per_second - 1) / per_second);
}

}  // namespace

World::World(const Topology& topology, const Routes& routes, const Devices& devices,
             const FabricSettings& settings)
    : topology_(topology),
      path_sls_(routes.path_sls),
      devices_(devices),
      settings_(settings),
      groups_(routes.groups),
      lane_stride_(settings.data_vls) {
  largest_bytes_ =
      routes.multicast.empty() ? rc_send_wire_bytes(settings_.mtu) : ud_multicast_wire_bytes(settings_.mtu);
  largest_blocks_ = credit_blocks(largest_bytes_);
  build_nodes(routes);
  build_hcas();
  build_links();
  build_multicast(routes);
  constexpr std::size_t kCached = std::size_t{1} << 20;  // what a core's own caches hold, about
  // (What look_ahead.h reads of a packet is not there for groups.)
  prefetching_ =
      multicast_.empty() && ports_.size() * (sizeof(PortRow) + lane_stride_ * sizeof(LaneRow)) > kCached;
}

void World::build_nodes(const Routes& routes) {
  const Lid last_lid = topology_.max_lid();
  lft_pool_ = routes.lft.pool();
  std::uint32_t ports = 0;
  nodes_.resize(topology_.nodes.size());
  for (NodeIndex n = 0; n < topology_.nodes.size(); ++n) {
    const Node& node = topology_.nodes[n];
    NodeRow& row = nodes_[n];
    row.first_port = ports;
    row.ports = static_cast<std::uint8_t>(node.ports.size());
    const bool is_switch = node.kind == NodeKind::switch_ || node.kind == NodeKind::router;
    row.inputs = is_switch ? std::max<std::uint8_t>(row.ports, 2) : std::uint8_t{2};
    ports += row.ports;
    if (!is_switch) continue;
    if (n >= routes.lft.size() || routes.lft.last_lid() < last_lid)
      throw BadValue("routing", fmt::format("the forwarding tables were made for another topology: {} has "
                                            "none, or they end before LID {}",
                                            topology_.display_name(n), last_lid));
    row.lft = routes.lft[n].blocks();
  }
  if (ports > Event::kMaxEntity)
    throw BadValue("", fmt::format("{} ports are more than the engine addresses", ports));
  ports_.resize(ports);
  lanes_.resize(std::size_t{ports} * lane_stride_);
  window_.resize(lanes_.size());
  node_of_port_.resize(ports);
  peer_.assign(ports, kNone);
  discards_.resize(ports);
  rcv_errors_.resize(ports);
  downed_.resize(ports);
  if (lane_stride_ > 1) arbiters_.resize(ports);
  tables_of_port_.assign(ports, 0);
  tables_.push_back(settings_.arbitration);
  if (tables_[0].high.empty() &&
      tables_[0].low.empty())  // nothing programmed: the lanes take turns, packet by packet
    for (unsigned vl = 0; vl < lane_stride_; ++vl)
      tables_[0].low.push_back({static_cast<std::uint8_t>(vl), 1});
  tables_.push_back(tables_[0]);
  tables_[1].ignores_high_limit = true;
  std::uint64_t voqs = 0;
  for (NodeIndex n = 0; n < nodes_.size(); ++n)
    for (std::uint32_t p = nodes_[n].first_port; p < nodes_[n].first_port + nodes_[n].ports; ++p) {
      node_of_port_[p] = n;
      ports_[p].voqs = static_cast<std::uint32_t>(voqs);
      voqs += lane_stride_ * nodes_[n].inputs;
    }
  if (voqs > kNone)
    throw BadValue("vls",
                   fmt::format("{} queues, one for each VL, output and input of every switch, are more than "
                               "the engine addresses: give fewer VLs",
                               voqs));
  voqs_.assign(voqs, Voq{kNone, kNone});
  for (LaneRow& row : lanes_) row.solo = kNone;
}

const SwitchProfile& World::switch_profile(const Node& node) const {
  return profile_of(devices_.switches, node.profile, devices_.default_switch, "switch");
}

const HcaProfile& World::hca_profile(const Node& node) const {
  return profile_of(devices_.hcas, node.profile, devices_.default_hca, "HCA");
}

void World::build_hcas() {
  for (const Endpoint& end : topology_.endpoints()) {
    HcaState state;
    hca_rows_.emplace_back().port = port_index(end.where);
    state.held_blocks.resize(lane_stride_);
    hcas_.push_back(std::move(state));
  }
  hca_of_port_.assign(ports_.size(), kNone);
  for (std::uint32_t h = 0; h < hcas_.size(); ++h) {
    HcaRow& state = hca_rows_[h];
    hca_of_port_[state.port] = ports_[state.port].hca = h;
    const Node& node = topology_.nodes[node_of_port_[state.port]];
    const HcaProfile& p = hca_profile(node);
    HcaTiming timing;
    timing.post = p.post.count();
    timing.doorbell = p.doorbell.count();
    timing.fetch_latency = p.fetch_latency.count();
    timing.send_pipeline = p.send_pipeline.count();
    timing.receive_pipeline = p.receive_pipeline.count();
    timing.write_latency = p.write_latency.count();
    timing.completion = p.completion.count();
    timing.pcie = picoseconds_per_byte(p.pcie_rate);
    timing.qp_gap = gap_of(p.qp_message_rate);
    timing.card_gap = gap_of(p.card_message_rate);
    timing.inline_limit = p.inline_limit.count;
    timing.prefetch = static_cast<std::uint32_t>(p.prefetch.count);
    timing.quantum = p.qp_quantum;
    timing.ack_every = p.ack_every;
    const auto same = std::find(hca_timings_.begin(), hca_timings_.end(), timing);
    state.timing = static_cast<std::uint32_t>(same - hca_timings_.begin());
    if (same == hca_timings_.end()) hca_timings_.push_back(timing);
  }
  send_lanes_.assign(hcas_.size() * lane_stride_, SendLane{kNone, kNone});
  host_chains_.reserve(hcas_.size());
  for (std::uint32_t h = 0; h < hcas_.size(); ++h) host_chains_.emplace_back(h);
}

std::uint32_t World::buffer_blocks(PortRef at) const {
  const Node& node = topology_.nodes[at.node];
  const bool is_switch = node.kind == NodeKind::switch_ || node.kind == NodeKind::router;
  const Bytes bytes = is_switch ? switch_profile(node).buffer : hca_profile(node).buffer;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes.count / 64, kCreditWindow));
}

LinkTiming World::timing_of(const LinkSpec& link, PortRef from, PortRef to) const {
  static const LinkProfile kIdealLink;
  const auto generation = devices_.links.find(link.generation);
  const LinkProfile& layer = generation == devices_.links.end() ? kIdealLink : generation->second;
  const CableProfile& cable = profile_of(devices_.cables, link.cable, devices_.default_cable, "cable");
  const Length length = link.length.value_or(devices_.default_length);
  LinkTiming timing;
  Rate rate = data_rate(link);
  rate.bits_per_second = make_ratio(static_cast<Uint128>(rate.bits_per_second.num) * layer.framing.num,
                                    static_cast<Uint128>(rate.bits_per_second.den) * layer.framing.den);
  const PicosecondsPerByte per_byte = picoseconds_per_byte(rate);
  timing.num = per_byte.num;
  timing.den = per_byte.den;
  timing.propagation = static_cast<Ticks>(static_cast<Uint128>(length.micrometres) *
                                          static_cast<std::uint64_t>(cable.per_metre.count()) / 1'000'000) +
                       2 * cable.per_end.count();
  struct Device {
    Ticks fec, port_to_port, credit_processing;
  };
  const auto device = [&](PortRef at) -> Device {
    const Node& node = topology_.nodes[at.node];
    if (node.kind == NodeKind::switch_ || node.kind == NodeKind::router) {
      const SwitchProfile& p = switch_profile(node);
      return {p.includes_fec ? 0 : layer.fec.count(), p.port_to_port.count(), p.credit_processing.count()};
    }
    const HcaProfile& p = hca_profile(node);
    return {p.includes_fec ? 0 : layer.fec.count(), 0, p.credit_processing.count()};
  };
  const Device receiver = device(to);
  timing.pipeline = receiver.fec + receiver.port_to_port;
  timing.update_bytes = static_cast<std::uint32_t>(layer.update_size.count);
  timing.credit_delay = receiver.credit_processing + timing.serialise(timing.update_bytes) +
                        timing.propagation + device(from).fec;
  if (layer.update == CreditUpdate::threshold)
    timing.update_threshold = static_cast<std::uint16_t>((layer.update_threshold.count + 63) / 64);
  if (layer.update == CreditUpdate::timer) timing.update_period = layer.update_period.count();
  if (timing.propagation + timing.pipeline < 1 || timing.credit_delay < 1)
    throw BadValue("links.length",
                   fmt::format("the link {} - {} has no delay at all; give its cable a length",
                               topology_.display_name(from), topology_.display_name(to)));
  // A packet's row adds up its flight in 32 bits of picoseconds; 65 us a link leaves room for 66 hops.
  constexpr Ticks kLongest = 65'000'000;
  if (timing.propagation > kLongest || timing.pipeline > kLongest)
    throw BadValue("links.length", fmt::format("the link {} - {} takes {}; the engine models up to {} a link",
                                               topology_.display_name(from), topology_.display_name(to),
                                               to_text(Time{std::max(timing.propagation, timing.pipeline)}),
                                               to_text(Time{kLongest})));
  if (timing.serialise(largest_bytes_) > UINT32_MAX)
    throw BadValue("links",
                   fmt::format("the link {} - {} is too slow: one packet of the {} B MTU would take {}",
                               topology_.display_name(from), topology_.display_name(to), settings_.mtu,
                               to_text(Time{timing.serialise(largest_bytes_)})));
  return timing;
}

std::uint32_t World::timing_row(const LinkTiming& timing) {
  const auto same = std::find(timings_.begin(), timings_.end(), timing);
  if (same != timings_.end()) return static_cast<std::uint32_t>(same - timings_.begin());
  timings_.push_back(timing);
  return static_cast<std::uint32_t>(timings_.size() - 1);
}

/// Refuses a link whose sender could wait for ever, and makes room for credit that is not told at once.
void World::admit_link(const LinkTiming& timing, PortRef to) {
  const std::uint32_t largest = largest_blocks_;
  const std::uint32_t blocks = buffer_blocks(to);
  const NodeKind kind = topology_.nodes[to.node].kind;
  const bool is_switch = kind == NodeKind::switch_ || kind == NodeKind::router;
  const char* buffer_key = is_switch ? "switch.buffer" : "hca.buffer";
  if (blocks < largest)
    throw BadValue(
        buffer_key,
        fmt::format("the input buffer of {} holds {} blocks of 64 B; one packet of the {} B MTU needs "
                    "{}: raise `buffer` or lower `mtu`",
                    topology_.display_name(to), blocks, settings_.mtu, largest));
  if (timing.update_threshold > blocks - largest + 1)
    throw BadValue(
        "links.update_threshold",
        fmt::format("credit is told every {} blocks, but the input buffer of {} has {}: with packets "
                    "of {} blocks the sender would wait for ever",
                    timing.update_threshold, topology_.display_name(to), blocks, largest));
  if (timing.update_threshold > 1 && pending_blocks_.empty()) {
    pending_blocks_.resize(lanes_.size());
    pending_freed_.resize(lanes_.size());
    ordered_ = true;
  }
}

void World::build_links() {
  for (const Cable& cable : topology_.cables)
    for (const auto& [from, to] : {std::pair{cable.a, cable.b}, std::pair{cable.b, cable.a}}) {
      const std::uint32_t index = port_index(from);
      PortRow& port = ports_[index];
      peer_[index] = port_index(to);
      port.far_port = static_cast<std::uint8_t>(to.port - 1);
      port.flags |= PortRow::cabled;
      const NodeKind far = topology_.nodes[to.node].kind;
      port.far = to.node;
      if (far == NodeKind::hca || far == NodeKind::aggregation_node) {
        port.flags |= PortRow::to_hca;
        port.far = hca_of_port_[peer_[index]];
      }
      const LinkTiming timing = timing_of(cable.link, from, to);
      port.timing = timing_row(timing);
      admit_link(timing, to);
      const std::uint32_t blocks = buffer_blocks(to);
      for (unsigned vl = 0; vl < lane_stride_; ++vl) {
        lane(index, vl).credit.initialise(blocks);
        window_[std::size_t{index} * lane_stride_ + vl] = static_cast<std::uint16_t>(blocks);
      }
    }
  std::uint32_t reads = 0;
  reads_of_port_.assign(ports_.size(), kNone);
  for (NodeIndex n = 0; n < nodes_.size(); ++n) {
    const Node& node = topology_.nodes[n];
    if (node.kind != NodeKind::switch_ && node.kind != NodeKind::router) continue;
    const SwitchProfile& p = switch_profile(node);
    if (p.ignores_vl_high_limit)
      std::fill_n(tables_of_port_.begin() + nodes_[n].first_port, nodes_[n].ports, std::uint8_t{1});
    const bool fifo = p.queueing == Queueing::output_fifo;
    const auto flag_ports = [&](PortRow::Flag flag) {
      for (std::uint32_t i = 0; i < nodes_[n].ports; ++i) ports_[nodes_[n].first_port + i].flags |= flag;
    };
    if (fifo) flag_ports(PortRow::fifo);
    if (fifo && p.read_speedup != 0)
      throw BadValue(
          "switch.queueing",
          fmt::format("{}: read_speedup limits reads of per-input queues; queueing: output_fifo has none",
                      topology_.display_name(n)));
    if (p.read_speedup == 0 || p.read_speedup >= nodes_[n].ports) continue;
    nodes_[n].read_speedup = static_cast<std::uint16_t>(p.read_speedup);
    flag_ports(PortRow::few_reads);
    ordered_ = true;
    for (std::uint32_t i = 0; i < nodes_[n].ports; ++i) {
      reads_of_port_[nodes_[n].first_port + i] = reads;
      reads += p.read_speedup;
    }
  }
  reads_.assign(reads, 0);
}

}  // namespace weft
