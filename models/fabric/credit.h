// Credit-based link flow control (IBA vol. 1 §7.9): what the sender of one directed link knows of one VL.
//
// A credit is one 64-byte block. FCTBS counts blocks sent, FCCL is the limit the receiver advertised, both
// modulo 4096; a packet may start iff (FCCL - FCTBS - blocks) mod 4096 < 2048. The receiver's FCCL = ABR +
// min(2048, free blocks) makes each freed block raise FCCL by one, so returning credit is an addition.
// Credits on their way back are kept here, at the sender, in order of the time at which they count: nothing
// is scheduled for them, and only a sender that is out of credit looks. This row and these inlined functions
// are the fabric's admit/release policy: another kind of link brings its own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/fabric/packet.h"

namespace weft {

inline constexpr std::uint32_t kCreditModulus = 4096;  // 12-bit FCTBS and FCCL
inline constexpr std::uint32_t kCreditWindow = 2048;   // most blocks ever advertised beyond ABR

/// Credits on their way that do not fit a row's own four places, in time order, from a shared pool.
class CreditSpill {
 public:
  static constexpr std::uint32_t kNil = (1u << 28) - 1;  // fits CreditState's bit-field
  struct Node {
    Ticks time;
    std::uint32_t blocks;
    std::uint32_t next;
    std::uint32_t last;  // of the list, where this is its first
  };
  std::uint32_t take(Ticks time, std::uint32_t blocks, std::uint32_t next) {
    if (free_ == kNil) {
      nodes_.push_back({time, blocks, next, kNil});
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t index = free_;
    free_ = nodes_[index].next;
    nodes_[index] = {time, blocks, next, kNil};
    return index;
  }
  void give_back(std::uint32_t index) {
    nodes_[index].next = free_;
    free_ = index;
  }
  Node& operator[](std::uint32_t index) { return nodes_[index]; }
  const Node& operator[](std::uint32_t index) const { return nodes_[index]; }

 private:
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNil;
};

/// The sender's credit state of one (directed link, VL).
struct CreditState {
  static constexpr std::size_t kNear = 4;  // more are seldom on their way at once: one per packet and loop
  std::array<Ticks, kNear> time{};
  std::array<std::uint16_t, kNear> blocks{};
  std::uint32_t spill : 28 = CreditSpill::kNil;  // later than everything in `time`
  std::uint32_t count : 3 = 0;                   // of `time` and `blocks` in use
  std::uint32_t starved : 1 = 0;  // the sender waits for credit: a return must look at its wake
  std::uint16_t fctbs = 0, fccl = 0;

  /// After link initialisation: FCTBS = 0 and the receiver advertises its free blocks.
  void initialise(std::uint32_t free_blocks) {
    fctbs = 0;
    fccl = static_cast<std::uint16_t>(free_blocks < kCreditWindow ? free_blocks : kCreditWindow);
  }
  std::uint32_t available() const { return (fccl - fctbs) & (kCreditModulus - 1); }
  bool admits(std::uint32_t need) const {
    return ((fccl - fctbs - need) & (kCreditModulus - 1)) < kCreditWindow;
  }
  void consume(std::uint32_t n) { fctbs = static_cast<std::uint16_t>((fctbs + n) & (kCreditModulus - 1)); }

  /// Takes in the credits that count by `now`.
  void collect(Ticks now, CreditSpill& pool) {
    std::uint32_t ripe = 0, sum = 0;
    while (ripe < count && time[ripe] <= now) sum += blocks[ripe++];
    if (ripe == 0) return;
    fccl = static_cast<std::uint16_t>((fccl + sum) & (kCreditModulus - 1));
    for (std::uint32_t i = ripe; i < count; ++i) {
      time[i - ripe] = time[i];
      blocks[i - ripe] = blocks[i];
    }
    count = (count - ripe) & 7;
    if (spill != CreditSpill::kNil) refill(now, pool);
  }

  /// When `need` will be admitted by what is on its way; kNeverTicks when that does not suffice.
  Ticks time_for(std::uint32_t need, const CreditSpill& pool) const {
    std::uint32_t have = available();
    if (have >= need) return 0;
    for (std::size_t i = 0; i < count; ++i)
      if ((have += blocks[i]) >= need) return time[i];
    for (std::uint32_t s = spill; s != CreditSpill::kNil; s = pool[s].next)
      if ((have += pool[s].blocks) >= need) return pool[s].time;
    return kNeverTicks;
  }

  /// `n` blocks will count from time `at` on. Sizes and rates mix, so they need not come in time order.
  void put(Ticks at, std::uint32_t n, Ticks now, CreditSpill& pool) {
    if (count == kNear) collect(now, pool);  // what the sender did not look at need not be kept apart
    if (count == kNear || (count != 0 && at < time[count - 1])) return insert(at, n, pool);
    time[count] = at;
    blocks[count] = static_cast<std::uint16_t>(n);
    ++count;
  }
  /// Whether something counts from exactly `at` on already: an update that is under way anyway.
  bool has(Ticks at, const CreditSpill& pool) const;

  /// Blocks on their way.
  std::uint32_t returning(const CreditSpill& pool) const;

 private:
  void refill(Ticks now, CreditSpill& pool);
  void insert(Ticks at, std::uint32_t n, CreditSpill& pool);
  void insert_in_spill(Ticks at, std::uint32_t n, CreditSpill& pool);
};

inline void CreditState::refill(Ticks now, CreditSpill& pool) {
  while (count < kNear && spill != CreditSpill::kNil) {
    const CreditSpill::Node node = pool[spill];
    time[count] = node.time;
    blocks[count] = static_cast<std::uint16_t>(node.blocks);
    ++count;
    pool.give_back(spill);
    spill = node.next & CreditSpill::kNil;
    if (spill != CreditSpill::kNil) pool[spill].last = node.last;
  }
  collect(now, pool);
}

inline void CreditState::insert(Ticks at, std::uint32_t n, CreditSpill& pool) {
  if (count == kNear && at >= time[kNear - 1]) return insert_in_spill(at, n, pool);
  if (count == kNear) {  // make room: the last near one becomes the first of the spill
    const std::uint32_t first = pool.take(time[kNear - 1], blocks[kNear - 1], spill) & CreditSpill::kNil;
    pool[first].last = spill == CreditSpill::kNil ? first : pool[spill].last;
    spill = first & CreditSpill::kNil;
    --count;
  }
  std::size_t i = count++;
  for (; i > 0 && time[i - 1] > at; --i) {
    time[i] = time[i - 1];
    blocks[i] = blocks[i - 1];
  }
  time[i] = at;
  blocks[i] = static_cast<std::uint16_t>(n);
}

inline void CreditState::insert_in_spill(Ticks at, std::uint32_t n, CreditSpill& pool) {
  std::uint32_t before = CreditSpill::kNil;
  std::uint32_t after = spill;
  if (spill != CreditSpill::kNil && pool[pool[spill].last].time <= at) {  // nearly always: behind all others
    before = pool[spill].last;
    after = CreditSpill::kNil;
  }
  while (after != CreditSpill::kNil && pool[after].time <= at) {
    before = after;
    after = pool[after].next;
  }
  const std::uint32_t node = pool.take(at, n, after) & CreditSpill::kNil;
  if (before == CreditSpill::kNil) {
    pool[node].last = spill == CreditSpill::kNil ? node : pool[spill].last;
    spill = node & CreditSpill::kNil;
  } else {
    pool[before].next = node;
    if (after == CreditSpill::kNil) pool[spill].last = node;
  }
}

inline bool CreditState::has(Ticks at, const CreditSpill& pool) const {
  for (std::size_t i = 0; i < count; ++i)
    if (time[i] == at) return true;
  for (std::uint32_t s = spill; s != CreditSpill::kNil; s = pool[s].next)
    if (pool[s].time == at) return true;
  return false;
}

inline std::uint32_t CreditState::returning(const CreditSpill& pool) const {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += blocks[i];
  for (std::uint32_t s = spill; s != CreditSpill::kNil; s = pool[s].next) sum += pool[s].blocks;
  return sum;
}

}  // namespace weft
