// In steady state a packet's hop allocates nothing. Counts operator new for this whole executable; elsewhere
// the counter is only counted up.
#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/catch.h"
#include "tests/fabric_rig.h"

namespace {
std::atomic<std::uint64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(size == 0 ? 1 : size)
                     : std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) { return counted(size, 1); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return counted(size, 1); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

using namespace weft;
using namespace weft::test;

namespace {

struct Counter : FabricUser {
  World* world = nullptr;
  std::uint64_t delivered = 0;
  bool again = false;
  void on_delivered(const Delivery& d) override {
    ++delivered;
    if (again) world->post(d.message);
  }
  void on_sent(const Message&) override {}
  void on_wake(std::uint32_t, std::uint32_t) override {}
};

}  // namespace

TEST_CASE("the counter counts", "[fast]") {
  const std::uint64_t before = allocations.load();
  auto number = std::make_unique<int>(1);
  CHECK(*number == 1);
  CHECK(allocations.load() > before);
}

TEST_CASE("no allocation per packet-hop in steady state", "[fast]") {
  for (const unsigned vls : {1u, 4u})
    for (const std::uint32_t speedup : {0u, 1u})
      for (const CreditUpdate update :
           {CreditUpdate::each_packet, CreditUpdate::threshold, CreditUpdate::timer}) {
        CAPTURE(vls, speedup, static_cast<int>(update));
        Rig rig = k_ary_rig(4);
        rig.settings.data_vls = vls;
        rig.settings.sl2vl = Sl2Vl(vls);
        rig.switches().port_to_port = nanoseconds(130);
        rig.switches().read_speedup = speedup;
        rig.switches().buffer = Bytes{8 * 65 * 64};
        rig.devices.links[Generation::ndr].update = update;
        rig.devices.links[Generation::ndr].update_size = Bytes{8};
        const auto world = rig.build();
        Counter user;
        user.world = world.get();
        world->set_user(user);
        // Long messages all over the fabric, several QPs and lanes a host, and a hot port: queues fill and
        // credit runs out.
        for (std::uint32_t h = 0; h < 16; ++h)
          for (std::uint32_t i = 1; i <= 4; ++i)
            world->post(message(h,
                                i == 4                      ? (h == 0 ? 1 : 0)
                                : (h * 5 + i * 3) % 16 == h ? (h + 1) % 16
                                                            : (h * 5 + i * 3) % 16,
                                std::uint64_t{64} << 20, static_cast<std::uint8_t>(i % 4)));
        CHECK(world->run(2'000'000'000) == RunEnd::horizon);  // buckets, pools and queues reach their sizes
        const std::uint64_t hops = world->counts().data_hops, before = allocations.load();
        const RunEnd end = world->run(4'000'000'000);
        const std::uint64_t after = allocations.load();
        CHECK(end == RunEnd::horizon);
        const std::uint64_t more = world->counts().data_hops - hops;
        CHECK(more > 100'000);
        CHECK(after - before == 0);
      }
}

TEST_CASE("no allocation per message in steady state", "[fast]") {
  Rig rig = k_ary_rig(4);
  rig.hcas().post = nanoseconds(100);
  rig.hcas().doorbell = nanoseconds(100);
  const auto world = rig.build();
  Counter user;
  user.world = world.get();
  user.again = true;
  world->set_user(user);
  for (std::uint32_t h = 0; h < 16; ++h)
    for (int i = 0; i < 8; ++i) world->post(message(h, (h + 5) % 16, 500));
  world->run(1'000'000'000);
  const std::uint64_t delivered = user.delivered, before = allocations.load();
  world->run(3'000'000'000);
  const std::uint64_t after = allocations.load();
  CHECK(user.delivered - delivered > 20'000);
  CHECK(after - before <= 20);
}
