#include "tools/bare_engine.h"

#include <algorithm>

namespace weft {
namespace {

template <class Event>
bool earlier(const Event& a, const Event& b) {
  return a.time < b.time || (a.time == b.time && a.order < b.order);
}

}  // namespace

void BareEngine::Heap::push(const Event& event) {
  std::size_t hole = entries_.size();
  entries_.push_back(event);
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / 4;
    if (!earlier(event, entries_[parent])) break;
    entries_[hole] = entries_[parent];
    hole = parent;
  }
  entries_[hole] = event;
}

BareEngine::Event BareEngine::Heap::pop() {
  const Event top = entries_.front(), displaced = entries_.back();
  entries_.pop_back();
  const std::size_t size = entries_.size();
  if (size == 0) return top;
  Event* const entries = entries_.data();
  std::size_t hole = 0;
  for (std::size_t child = 1; child < size; child = hole * 4 + 1) {
    std::size_t least = child;
    const std::size_t end = std::min(child + 4, size);
    for (std::size_t sibling = child + 1; sibling < end; ++sibling)
      if (earlier(entries[sibling], entries[least])) least = sibling;
    if (!earlier(entries[least], displaced)) break;
    entries[hole] = entries[least];
    hole = least;
  }
  entries[hole] = displaced;
  return top;
}

BareEngine::BareEngine(const Topology& topology, const Routes& routes, std::span<const BenchSend> sends,
                       const BareTiming& timing)
    : timing_(timing) {
  tables_.resize(topology.nodes.size());
  for (NodeIndex n = 0; n < topology.nodes.size(); ++n) {
    const Node& node = topology.nodes[n];
    if (node.kind != NodeKind::hca) tables_[n] = routes.lft[n].written_out();
    nodes_.push_back({static_cast<std::uint32_t>(ports_.size()), tables_[n].data()});
    ports_.resize(ports_.size() + node.ports.size());
    node_of_port_.resize(ports_.size(), n);
  }
  const auto index_of = [&](PortRef port) { return nodes_[port.node].first_port + port.port - 1u; };
  for (const Cable& cable : topology.cables)
    for (const auto& [here, there] : {std::pair{cable.a, cable.b}, std::pair{cable.b, cable.a}}) {
      PortRow& port = ports_[index_of(here)];
      port.far = index_of(there);
      port.credits = timing_.credits;
      port.to_switch = topology.nodes[there.node].kind != NodeKind::hca;
      port.at_host = topology.nodes[here.node].kind == NodeKind::hca;
    }

  const std::vector<Endpoint> endpoints = topology.endpoints();
  const auto lid_of = [&](std::uint32_t endpoint) {
    const PortRef where = endpoints[endpoint].where;
    return topology.nodes[where.node].port(where.port).lid;
  };
  sources_.resize(ports_.size());
  packets_.reserve(std::size_t{1} << 20);
  for (std::size_t i = 0; i < sends.size();) {
    const BenchSend& first = sends[i];
    const std::uint32_t port = index_of(endpoints[first.source].where);
    Source& source = sources_[port];
    source.burst = static_cast<std::uint32_t>(bursts_.size());
    for (; i < sends.size() && sends[i].source == first.source; ++i) {
      bursts_.push_back({lid_of(sends[i].destination), (sends[i].bytes + timing_.mtu - 1) / timing_.mtu});
      packets_left_ += bursts_.back().packets;
    }
    source.end = static_cast<std::uint32_t>(bursts_.size());
    source.left = bursts_[source.burst].packets;
    if (first.start > 0)
      at(first.start, Kind::start, port);
    else
      start_source(port);
  }
}

void BareEngine::start_source(std::uint32_t port) {
  for (std::uint32_t i = 0; i < timing_.packets_at_source; ++i) inject(port);
}

void BareEngine::inject(std::uint32_t port) {
  Source& source = sources_[port];
  if (source.left == 0) {
    if (source.burst + 1 >= source.end) return;
    source.left = bursts_[++source.burst].packets;
  }
  --source.left;
  std::uint32_t packet = free_packets_;
  if (packet == kNone) {
    packet = static_cast<std::uint32_t>(packets_.size());
    packets_.emplace_back();
  } else {
    free_packets_ = packets_[packet].next;
  }
  packets_[packet] = {bursts_[source.burst].destination, kNone, kNone};
  enqueue(port, packet);
}

void BareEngine::enqueue(std::uint32_t port, std::uint32_t packet) {
  PortRow& row = ports_[port];
  packets_[packet].next = kNone;
  (row.first == kNone ? row.first : packets_[row.last].next) = packet;
  row.last = packet;
  start_waiting(port);
}

void BareEngine::start_waiting(std::uint32_t port) {
  PortRow& row = ports_[port];
  if (row.first == kNone || row.credits == 0) return;
  if (row.busy > now_) {
    if (!row.waits_for_wire) at(row.busy, Kind::wire_free, port);
    row.waits_for_wire = true;
    return;
  }
  const std::uint32_t number = row.first;
  PacketRow& packet = packets_[number];
  row.first = packet.next;
  row.busy = now_ + timing_.serialisation;
  --row.credits;
  ++hops_;
  if (row.at_host) departed_.push_back(port);
  // Its tail leaves the input buffer as it leaves by this wire; the news takes a cable's delay.
  if (packet.in_port != kNone) at(row.busy + timing_.cable, Kind::credit, ports_[packet.in_port].far);
  packet.in_port = row.far;
  at(now_ + timing_.cable + (row.to_switch ? timing_.port_to_port : 0), Kind::head, row.far, number);
  if (row.first != kNone && row.credits > 0 && !row.waits_for_wire) {
    row.waits_for_wire = true;
    at(row.busy, Kind::wire_free, port);
  }
}

void BareEngine::on_head(std::uint32_t port, std::uint32_t packet) {
  const NodeRow& node = nodes_[node_of_port_[port]];
  if (node.lft != nullptr)
    return enqueue(node.first_port + node.lft[packets_[packet].destination] - 1u, packet);
  at(now_ + timing_.serialisation + timing_.cable, Kind::credit, ports_[port].far);
  packets_[packet].next = free_packets_;
  free_packets_ = packet;
  --packets_left_;
}

void BareEngine::run() {
  while (!heap_.empty()) {
    const Event event = heap_.pop();
    now_ = event.time;
    ++events_;
    switch (event.kind) {
      case Kind::head:
        on_head(event.port, event.packet);
        break;
      case Kind::wire_free:
        ports_[event.port].waits_for_wire = false;
        start_waiting(event.port);
        break;
      case Kind::credit:
        ++ports_[event.port].credits;
        start_waiting(event.port);
        break;
      case Kind::start:
        start_source(event.port);
        break;
    }
    while (!departed_.empty()) {
      const std::uint32_t port = departed_.back();
      departed_.pop_back();
      inject(port);
    }
  }
}

}  // namespace weft
