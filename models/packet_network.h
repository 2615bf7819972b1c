// The network at packet fidelity: the engine of models/fabric, with completions handed to the workload they
// belong to.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "models/fabric/world.h"
#include "models/network.h"

namespace weft {

class PacketNetwork : public Network, private FabricUser {
 public:
  explicit PacketNetwork(World& world);

  static constexpr std::size_t kMaxStreams = 256;
  /// Registers a workload; its stream number is the order of registration. At most kMaxStreams.
  void add(Workload& workload) { workloads_.push_back(&workload); }
  /// Starts every workload. Call once, before World::run.
  void start();

  /// Sees every post; one to a group as one to each receiver.
  std::function<void(const Message&)> observe_post;
  /// Sees every delivery before its workload does.
  std::function<void(const Delivery&)> observe_delivery;
  std::function<void()> observe_sample;

  Ticks now() const override { return world_.now(); }
  std::uint32_t endpoint_count() const override { return world_.endpoint_count(); }
  double endpoint_rate(std::uint32_t endpoint) const override { return endpoint_rates_[endpoint]; }
  void post(const Message& message) override;
  void wake(std::uint32_t stream, std::uint32_t endpoint, Ticks at, std::uint32_t tag) override;

 private:
  void on_delivered(const Delivery& delivery) override;
  void on_sent(const Message& message) override { workloads_[message.stream]->on_sent(message); }
  void on_wake(std::uint32_t endpoint, std::uint32_t tag) override;
  void on_sample() override;

  World& world_;
  std::vector<Workload*> workloads_;
  std::vector<double> endpoint_rates_;
};

}  // namespace weft
