#include "scenarios/measure.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/error.h"

namespace weft {
namespace {

double ns(Ticks t) { return static_cast<double>(t) / 1e3; }
double us(Ticks t) { return static_cast<double>(t) / 1e6; }
double gbps(std::int64_t bytes, Ticks time) {
  return time <= 0 ? 0 : static_cast<double>(bytes) * 8e3 / static_cast<double>(time);
}
std::int64_t count(std::uint64_t n) { return static_cast<std::int64_t>(n); }

/// Jain's fairness index of rates: 1 = all equal, 1/n = one has everything.
double jain(const std::vector<double>& rates) {
  double sum = 0, squares = 0;
  for (const double r : rates) {
    sum += r;
    squares += r * r;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(rates.size()) * squares);
}

}  // namespace

StreamMeter::Flow& StreamMeter::flow_of(const Message& message, Ticks first_seen) {
  const std::uint64_t key = std::uint64_t{message.source} << 32 | message.destination;
  const auto [found, is_new] = flow_index_.try_emplace(key, flows_.size());
  if (is_new) {
    Flow flow;
    flow.source = message.source;
    flow.destination = message.destination;
    flow.first_posted = first_seen;
    flows_.push_back(flow);
  }
  return flows_[found->second];
}

void StreamMeter::add_post(const Message& message, Ticks now) { ++flow_of(message, now).posted; }

void StreamMeter::add_part(const Message& message, std::int64_t bytes) {
  flow_of(message, 0).window_bytes += bytes;
  bytes_ += bytes;
}

void StreamMeter::add(const Delivery& delivery, Ticks warm_up) {
  const Message& message = delivery.message;
  const Ticks latency = delivery.delivered - delivery.posted;
  Flow& flow = flow_of(message, delivery.posted);
  ++flow.messages;
  flow.bytes += message.bytes;
  flow.last_delivered = delivery.delivered;
  first_posted_ = std::min(first_posted_, delivery.posted);
  last_delivered_ = std::max(last_delivered_, delivery.delivered);
  if (delivery.delivered <= warm_up) return;
  ++flow.window_messages;
  flow.window_bytes += static_cast<std::int64_t>(message.bytes);
  flow.latency_sum += static_cast<std::uint64_t>(latency);
  bytes_ += static_cast<std::int64_t>(message.bytes);
  if (pattern_->is_latency_test()) {
    Size& size = sizes_[message.bytes];
    if (size.seen++ < pattern_->warm_up_messages()) return;
    ++size.count;
    auto& [times, parts] = size.latencies[latency];
    if (times++ == 0) parts = delivery.parts;
  }
  ++messages_;
  latency_.add(latency);
  for (std::size_t p = 0; p < kParts; ++p) parts_.ticks[p] += delivery.parts.ticks[p];
}

Measurement::Measurement(const Prepared& prepared, const World& world)
    : prepared_(prepared),
      world_(world),
      warm_up_(prepared.scenario.run.warm_up.count()),
      names_(endpoint_names(prepared.topology)) {
  for (std::size_t i = 0; i < prepared.scenario.traffic.size(); ++i)
    streams_.emplace_back(*prepared.scenario.traffic[i], fmt::format("traffic[{}]", i));
}

void Measurement::start_window() {
  at_window_ = world_.port_counters();
  window_start_ = world_.now();
  world_.for_each_under_way([&](const Message& message, std::uint64_t arrived) {
    streams_[message.stream].add_part(message, -static_cast<std::int64_t>(arrived));
  });
}

void Measurement::end_window() {
  if (window_start_ == 0) return;
  world_.for_each_under_way([&](const Message& message, std::uint64_t arrived) {
    streams_[message.stream].add_part(message, static_cast<std::int64_t>(arrived));
  });
}

void Measurement::on_sample() {
  const std::vector<std::string> wrong = world_.check_conservation();
  if (!wrong.empty()) invariant_failed("packets, bytes and credits are conserved", wrong.front());
  const World::Counts& counts = world_.counts();
  samples_.push_back({world_.now(), counts.data_hops, world_.live_packets(), counts.messages_delivered,
                      counts.delivered_bytes});
}

void Measurement::write(Recorder& recorder, Ticks end) const {
  write_latency(recorder);
  write_streams(recorder, end);
  write_flows(recorder, end);
  write_ports(recorder, end);
  if (samples_.empty()) return;
  Table& table = recorder.table("samples", "Samples", 1,
                                {{"time", "us", 3},
                                 {"data_hops", ""},
                                 {"live_packets", ""},
                                 {"messages_delivered", ""},
                                 {"delivered_bytes", ""}});
  table.on_terminal = false;
  for (const Sample& s : samples_)
    table.add({us(s.time), count(s.data_hops), count(s.live_packets), count(s.messages_delivered),
               count(s.delivered_bytes)});
}

/// perftest's columns for latency tests, and what the typical message's time is made of.
void Measurement::write_latency(Recorder& recorder) const {
  if (std::none_of(streams_.begin(), streams_.end(), [](const StreamMeter& s) { return !s.sizes_.empty(); }))
    return;
  Table& table = recorder.table("latency", "Latency, one way, as perftest prints it", 2,
                                {{"stream", ""},
                                 {"bytes", ""},
                                 {"iterations", ""},
                                 {"t_min", "us"},
                                 {"t_max", "us"},
                                 {"t_typical", "us"},
                                 {"t_avg", "us"},
                                 {"t_stdev", "us"},
                                 {"p99", "us"},
                                 {"p99_9", "us"}});
  std::vector<TableColumn> columns{{"stream", ""}, {"bytes", ""}, {"t_typical", "ns", 3}};
  for (const std::string_view part : kPartNames) columns.push_back({std::string(part), "ns", 3});
  Table& where =
      recorder.table("latency_parts", "Where the typical message's time goes (the parts sum to t_typical)", 2,
                     std::move(columns));
  for (const StreamMeter& stream : streams_)
    for (const auto& [bytes, size] : stream.sizes_) {
      if (size.count == 0) continue;
      const auto quantile = [&size = size](std::uint64_t num,
                                           std::uint64_t den) {  // smallest latency with rank >= share
        const std::uint64_t rank = std::max<std::uint64_t>(1, (size.count * num + den - 1) / den);
        std::uint64_t seen = 0;
        for (auto at = size.latencies.begin();; ++at)
          if ((seen += at->second.first) >= rank) return at;
      };
      double mean = 0, squares = 0;
      for (const auto& [latency, many] : size.latencies)
        mean += us(latency) * static_cast<double>(many.first);
      mean /= static_cast<double>(size.count);
      for (const auto& [latency, many] : size.latencies)
        squares += (us(latency) - mean) * (us(latency) - mean) * static_cast<double>(many.first);
      const auto typical = quantile(1, 2);
      table.add({stream.name_, count(bytes), count(size.count), us(size.latencies.begin()->first),
                 us(size.latencies.rbegin()->first), us(typical->first), mean,
                 std::sqrt(squares / static_cast<double>(size.count)), us(quantile(99, 100)->first),
                 us(quantile(999, 1000)->first)});
      std::vector<Value> row{stream.name_, count(bytes), ns(typical->first)};
      for (const Ticks t : typical->second.second.ticks) row.push_back(ns(t));
      where.add(std::move(row));
    }
}

void Measurement::write_streams(Recorder& recorder, Ticks end) const {
  Table& table = recorder.table(
      "streams", "Traffic (goodput: all of it over the whole time; flow_*: each flow over its own)", 1,
      {{"stream", ""},
       {"flows", ""},
       {"messages", ""},
       {"bytes", ""},
       {"time", "us"},
       {"goodput", "Gb/s"},
       {"flow_min", "Gb/s"},
       {"flow_avg", "Gb/s"},
       {"flow_max", "Gb/s"},
       {"jain", "", 4},
       {"t_typical", "us"},
       {"p99", "us"},
       {"t_max", "us"}});
  std::vector<TableColumn> columns{{"stream", ""}, {"latency", "us"}};
  for (const std::string_view part : kPartNames) columns.push_back({std::string(part), "%", 1});
  Table& where = recorder.table("time", "Where the messages' time went, mean", 1, std::move(columns));
  for (const StreamMeter& s : streams_) {
    if (s.flows_.empty()) continue;
    std::vector<double> rates;
    for (const StreamMeter::Flow& flow : s.flows_) rates.push_back(flow_gbps(flow, end));
    double sum = 0;
    for (const double r : rates) sum += r;
    const Ticks from = window_start_ > 0 ? window_start_ : s.first_posted_;
    const Ticks to = window_start_ > 0 ? end : std::max(s.last_delivered_, from);
    const bool any = s.messages_ > 0;  // a stream may have moved bytes without ending a message
    table.add({s.name_, count(s.flows_.size()), count(s.messages_), s.bytes_, us(to - from),
               gbps(s.bytes_, to - from), *std::min_element(rates.begin(), rates.end()),
               sum / static_cast<double>(rates.size()), *std::max_element(rates.begin(), rates.end()),
               jain(rates), any ? us(s.latency_.quantile(1, 2)) : Value{},
               any ? us(s.latency_.quantile(99, 100)) : Value{}, any ? us(s.latency_.maximum()) : Value{}});
    if (!any) continue;
    const double total = static_cast<double>(s.parts_.total());
    std::vector<Value> row{s.name_, s.latency_.mean() / 1e6};
    for (const Ticks t : s.parts_.ticks)
      row.push_back(total == 0 ? 0.0 : 100 * static_cast<double>(t) / total);
    where.add(std::move(row));
  }
}

/// With a warm-up: what arrived after it, over the time since. Without: all of it, from its first post to its
/// last arrival.
double Measurement::flow_gbps(const StreamMeter::Flow& flow, Ticks end) const {
  if (window_start_ > 0) return gbps(flow.window_bytes, end - window_start_);
  return gbps(static_cast<std::int64_t>(flow.bytes), flow.last_delivered - flow.first_posted);
}

void Measurement::write_flows(Recorder& recorder, Ticks end) const {
  Table& table = recorder.table("flows", "Flows", 1,
                                {{"flow", ""},
                                 {"stream", ""},
                                 {"posted", ""},
                                 {"messages", ""},
                                 {"bytes", ""},
                                 {"goodput", "Gb/s"},
                                 {"t_avg", "us"},
                                 {"finished", "us"}});
  for (const StreamMeter& stream : streams_) {
    std::vector<StreamMeter::Flow> flows = stream.flows_;
    std::sort(flows.begin(), flows.end(), [](const auto& a, const auto& b) {
      return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
    });
    for (const StreamMeter::Flow& flow : flows)
      table.add({fmt::format("{} -> {}", names_[flow.source], names_[flow.destination]), stream.name_,
                 count(flow.posted), count(flow.window_messages), flow.window_bytes, flow_gbps(flow, end),
                 flow.window_messages == 0 ? Value{}
                                           : static_cast<double>(flow.latency_sum) /
                                                 static_cast<double>(flow.window_messages) / 1e6,
                 flow.messages == 0 ? Value{} : us(flow.last_delivered)});
  }
  table.on_terminal =
      table.rows.size() <= 16 && std::any_of(streams_.begin(), streams_.end(),
                                             [](const auto& s) { return !s.pattern_->is_latency_test(); });
}

void Measurement::write_ports(Recorder& recorder, Ticks end) const {
  Table& table = recorder.table("ports", "Port counters", 1,
                                {{"port", ""},
                                 {"peer", ""},
                                 {"PortXmitData", "4 B"},
                                 {"PortRcvData", "4 B"},
                                 {"PortXmitPkts", ""},
                                 {"PortRcvPkts", ""},
                                 {"PortXmitWait", "ns", 3},
                                 {"PortXmitDiscards", ""},
                                 {"PortRcvErrors", ""},
                                 {"LinkDowned", ""},
                                 {"out_of_sequence", ""},
                                 {"utilisation", "%"},
                                 {"waiting", "%"}});
  table.on_terminal = false;
  Table& lanes = recorder.table(
      "lanes", "Port counters by VL", 2,
      {{"port", ""}, {"vl", ""}, {"xmit_data", "B"}, {"xmit_pkts", ""}, {"credit_wait", "ns", 3}});
  lanes.on_terminal = false;
  struct Hot {
    double score;
    std::size_t row;
    bool at_receiver;
  };
  std::vector<Hot> hot;
  const std::vector<std::string> names = prepared_.topology.display_names();
  const Ticks time = end - window_start_;
  const World::PortCounters none;
  std::size_t number = 0;
  world_.for_each_port([&](const World::PortCounters& c) {
    const World::PortCounters& before = at_window_.empty() ? none : at_window_[number++];
    const Port& port = prepared_.topology.nodes[c.port.node].port(c.port.port);
    if (port.peer_node == kNone) return;
    const std::string name = fmt::format("{}[{}]", names[c.port.node], c.port.port);
    const std::uint64_t sent = c.xmit_bytes - before.xmit_bytes;
    const Ticks wait = c.xmit_wait - before.xmit_wait;
    const double capacity = world_.link_gbps(c.port);
    // A packet counts when it starts, so a window's edge may hold one too many.
    const double busy = time <= 0 || capacity <= 0
                            ? 0
                            : std::min(100.0, 100 * gbps(static_cast<std::int64_t>(sent), time) / capacity);
    const double waiting = time <= 0 ? 0 : 100 * static_cast<double>(wait) / static_cast<double>(time);
    // Counters are what the hardware would read since the window began: data in 4-byte words without the
    // VCRC (IBA 16.1.3).
    const auto words = [](std::uint64_t bytes, std::uint64_t packets) {
      return count((bytes - header::vcrc * packets) / 4);
    };
    const std::uint64_t packets = c.xmit_packets - before.xmit_packets;
    const std::uint64_t received = c.rcv_packets - before.rcv_packets;
    table.add({name, fmt::format("{}[{}]", names[port.peer_node], port.peer_port), words(sent, packets),
               words(c.rcv_bytes - before.rcv_bytes, received), count(packets), count(received), ns(wait),
               count(c.xmit_discards - before.xmit_discards), count(c.rcv_errors - before.rcv_errors),
               count(c.link_downed - before.link_downed), count(c.out_of_sequence - before.out_of_sequence),
               busy, waiting});
    // A wire that is full is a cause; so is a receiver that does not take what is there. A switch port that
    // waits for room in the next switch only passes on what is wrong further down.
    const bool at_receiver = prepared_.topology.nodes[port.peer_node].kind == NodeKind::hca;
    const double score = busy + (at_receiver ? waiting : 0);
    if (busy + waiting >= 0.05) hot.push_back({score, table.rows.size() - 1, at_receiver});
    for (std::size_t vl = 0; vl < c.vl_xmit_bytes.size(); ++vl) {
      const bool first = before.vl_xmit_bytes.empty();
      if (c.vl_xmit_packets[vl] == 0 && c.vl_credit_wait[vl] == 0) continue;
      lanes.add({name, count(vl), count(c.vl_xmit_bytes[vl] - (first ? 0 : before.vl_xmit_bytes[vl])),
                 count(c.vl_xmit_packets[vl] - (first ? 0 : before.vl_xmit_packets[vl])),
                 ns(c.vl_credit_wait[vl] - (first ? 0 : before.vl_credit_wait[vl]))});
    }
  });
  std::stable_sort(hot.begin(), hot.end(), [](const Hot& a, const Hot& b) { return a.score > b.score; });
  Table& worst = recorder.table(
      "bottlenecks", "The three worst bottlenecks", 1,
      {{"port", ""}, {"peer", ""}, {"utilisation", "%", 1}, {"waiting", "%", 1}, {"what", ""}});
  for (std::size_t i = 0; i < std::min<std::size_t>(3, hot.size()); ++i) {
    const std::vector<Value>& row = table.rows[hot[i].row];
    const double busy = std::get<double>(row[11]), waiting = std::get<double>(row[12]);
    const char* what = busy >= 90           ? "the wire is full"
                       : waiting < 5        ? "the busiest of the rest"
                       : hot[i].at_receiver ? "the receiver does not take it"
                                            : "waits for room in the next switch";
    worst.add({row[0], row[1], busy, waiting, std::string(what)});
  }
}

}  // namespace weft
