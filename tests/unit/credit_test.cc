// Link-level credit against a model of both ends written from the specification: the sender's FCTBS, the
// receiver's ABR and FCCL, and every returned credit as a message of its own (IBA vol. 1 §7.9).
#include "models/fabric/credit.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sim/random.h"
#include "tests/catch.h"

using namespace weft;

namespace {

/// The receiver keeps its true free space and ABR; each credit update carries FCCL to the sender.
class BothEnds {
 public:
  explicit BothEnds(std::uint32_t buffer) : buffer_(buffer), free_(buffer) { limit_ = advertised(); }

  bool may_send(std::uint32_t blocks) const { return (limit_ - sent_ - blocks) % 4096 < 2048; }
  void send(std::uint32_t blocks) {
    sent_ = (sent_ + blocks) % 4096;
    // The receiver counts blocks on arrival; flight is of no account to the sum FCCL - FCTBS.
    abr_ = (abr_ + blocks) % 4096;
    REQUIRE(free_ >= blocks);
    free_ -= blocks;
  }
  void freed(Ticks at, std::uint32_t blocks) { updates_.emplace(at, blocks); }
  void advance(Ticks now) {
    while (!updates_.empty() && updates_.begin()->first <= now) {
      free_ += updates_.begin()->second;
      updates_.erase(updates_.begin());
    }
    REQUIRE(free_ <= buffer_);
    limit_ = advertised();
  }
  /// The earliest time by which `blocks` may be sent if nothing else happens.
  Ticks when(std::uint32_t blocks) const {
    BothEnds later = *this;
    if (later.may_send(blocks)) return 0;
    for (const auto& [at, n] : updates_) {
      later.free_ += n;
      later.limit_ = later.advertised();
      if (later.may_send(blocks)) return at;
    }
    return kNeverTicks;
  }
  std::uint32_t returning() const {
    std::uint32_t sum = 0;
    for (const auto& [at, n] : updates_) sum += n;
    return sum;
  }
  std::uint32_t available() const { return (limit_ - sent_) % 4096; }

 private:
  std::uint32_t advertised() const { return (abr_ + std::min(2048u, free_)) % 4096; }
  std::uint32_t buffer_, free_, sent_ = 0, abr_ = 0, limit_ = 0;
  std::multimap<Ticks, std::uint32_t> updates_;
};

}  // namespace

TEST_CASE("the sender's credit is what both ends of the specification give", "[fast]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, "credit");
    const auto buffer = static_cast<std::uint32_t>(1 + random.below(2048));
    const auto largest = static_cast<std::uint32_t>(std::min<std::uint64_t>(buffer, 1 + random.below(66)));
    CreditSpill pool;
    CreditState state;
    state.initialise(buffer);
    BothEnds model(buffer);
    std::vector<std::uint32_t> held;  // packets in the receiver's buffer
    Ticks now = 0;
    std::size_t most_returning = 0, returning = 0;
    for (int step = 0; step < 2000; ++step) {
      now += static_cast<Ticks>(random.below(20));
      model.advance(now);
      if (random.below(3) != 0) {  // at other times the sender does not look
        state.collect(now, pool);
        REQUIRE(state.available() == model.available());
        REQUIRE(state.returning(pool) == model.returning());
        const auto need = static_cast<std::uint32_t>(1 + random.below(largest));
        REQUIRE(state.admits(need) == model.may_send(need));
        REQUIRE(state.time_for(need, pool) == model.when(need));
        if (state.admits(need) && random.below(3) != 0) {
          state.consume(need);
          model.send(need);
          held.push_back(need);
        }
      }
      while (!held.empty() && random.below(2) == 0) {  // returned out of time order, up to dozens at once
        const std::size_t which = random.below(held.size());
        const Ticks at = now + 1 + static_cast<Ticks>(random.below(1 + (seed % 5) * 200));
        state.put(at, held[which], now, pool);
        model.freed(at, held[which]);
        held[which] = held.back();
        held.pop_back();
        ++returning;
        most_returning = std::max(most_returning, returning);
      }
    }
    now += 100'000;
    state.collect(now, pool);
    model.advance(now);
    std::uint32_t in_buffer = 0;
    for (const std::uint32_t n : held) in_buffer += n;
    REQUIRE(state.available() + in_buffer == buffer);
    REQUIRE(state.returning(pool) == 0);
  }
}

TEST_CASE("the 12-bit counters wrap without a trace", "[fast]") {
  CreditSpill pool;
  CreditState state;
  state.initialise(2048);
  for (Ticks t = 0; t < 100'000; ++t) {
    state.collect(t, pool);
    REQUIRE(state.available() == 2048);
    REQUIRE(state.admits(65));
    state.consume(65);
    state.put(t + 1, 65, t, pool);
  }
}

TEST_CASE("no more than 2,048 blocks are ever advertised", "[fast]") {
  CreditState state;
  state.initialise(100'000);
  CHECK(state.available() == kCreditWindow);
  CHECK(state.admits(2048));
  CHECK_FALSE(state.admits(2049));
  state.initialise(0);
  CHECK(state.available() == 0);
  CHECK_FALSE(state.admits(1));
}

TEST_CASE("a 2,048-block window holds 31 packets of 65 blocks and 62 of 33", "[fast]") {  // T13
  for (const auto& [blocks, packets] : {std::pair{65u, 31u}, {33u, 62u}, {66u, 31u}}) {
    CreditState state;
    state.initialise(2048);
    unsigned sent = 0;
    while (state.admits(blocks)) {
      state.consume(blocks);
      ++sent;
    }
    CHECK(sent == packets);
  }
}

TEST_CASE("more returns than a row holds spill, in time order, and the pool is reused", "[fast]") {
  CreditSpill pool;
  CreditState a, b;
  a.initialise(2000);
  b.initialise(2000);
  for (int round = 0; round < 50; ++round) {
    const Ticks base = round * 1000;
    for (std::uint32_t i = 0; i < 40; ++i) {
      a.consume(1 + i);
      b.consume(2);
      a.put(base + 100 + (i * 7) % 40, 1 + i, base, pool);       // out of order
      b.put(base + 200 - static_cast<Ticks>(i), 2, base, pool);  // backwards
    }
    CHECK(a.returning(pool) == 820);
    CHECK(b.returning(pool) == 80);
    std::uint32_t expected = a.available();
    for (Ticks t = 100; t < 140; ++t) {
      a.collect(base + t, pool);
      for (std::uint32_t i = 0; i < 40; ++i)
        if (100 + (i * 7) % 40 == t) expected += 1 + i;
      REQUIRE(a.available() == expected);
    }
    CHECK(b.time_for(b.available() + 2, pool) == base + 161);
    CHECK(b.time_for(b.available() + 80, pool) == base + 200);
    CHECK(b.time_for(b.available() + 81, pool) == kNeverTicks);
    b.collect(base + 200, pool);
    CHECK(a.available() == 2000);
    CHECK(b.available() == 2000);
  }
  const std::uint32_t index = pool.take(0, 1, CreditSpill::kNil);
  CHECK(index < 72);  // 36 of each at once, never more
}
