#include "models/packet_network.h"

namespace weft {
namespace {
constexpr int kStreamShift = 20;  // a wake-up's tag: 8 bits of stream, 20 of the workload's own
}

PacketNetwork::PacketNetwork(World& world) : world_(world) {
  world_.set_user(*this);
  for (const Endpoint& end : world.topology().endpoints())
    endpoint_rates_.push_back(world.link_gbps(end.where) * 1e9);
}

void PacketNetwork::start() {
  for (std::uint32_t stream = 0; stream < workloads_.size(); ++stream)
    workloads_[stream]->start(*this, stream);
}

void PacketNetwork::post(const Message& message) {
  if (observe_post && message.group == Message::kNoGroup) observe_post(message);
  if (observe_post && message.group != Message::kNoGroup) {
    Message one = message;
    for (one.destination = 0; one.destination < endpoint_count(); ++one.destination)
      if (one.destination != message.source && world_.is_member(message.group, one.destination))
        observe_post(one);
  }
  world_.post(message);
}

void PacketNetwork::wake(std::uint32_t stream, std::uint32_t endpoint, Ticks at, std::uint32_t tag) {
  world_.wake(endpoint, at, stream << kStreamShift | tag);
}

void PacketNetwork::on_delivered(const Delivery& delivery) {
  if (observe_delivery) observe_delivery(delivery);
  workloads_[delivery.message.stream]->on_delivered(delivery);
}

void PacketNetwork::on_wake(std::uint32_t endpoint, std::uint32_t tag) {
  workloads_[tag >> kStreamShift]->on_wake(endpoint, tag & ((1u << kStreamShift) - 1));
}

void PacketNetwork::on_sample() {
  if (observe_sample) observe_sample();
}

}  // namespace weft
