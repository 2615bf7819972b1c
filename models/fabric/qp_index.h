// Finds a queue pair by what its messages have in common. A big exchange has a queue pair for every pair of
// ends: eight bytes each here, in one table, where a map of nodes would take ten times that.
#pragma once

#include <cstdint>

#include "sim/big_vector.h"
#include "sim/fingerprint.h"

namespace weft {

/// Hash table with open addressing; it holds numbers, the keys lie in the caller's rows.
class QpIndex {
 public:
  static constexpr std::uint32_t kAbsent = 0xffff'ffff;

  static std::uint32_t hash(std::uint32_t source, std::uint32_t destination, std::uint32_t flow,
                            std::uint8_t sl) {
    const std::uint64_t ends = std::uint64_t{source} << 32 | destination;
    return static_cast<std::uint32_t>(mix64(mix64(ends) + (std::uint64_t{flow} << 8 | sl)));
  }

  /// The number added under `hash` for which same(number) holds; kAbsent when there is none.
  template <class Same>
  std::uint32_t find(std::uint32_t hash, Same same) const {
    if (slots_.empty()) return kAbsent;
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.number == kAbsent) return kAbsent;
      if (slot.hash == hash && same(slot.number)) return slot.number;
    }
  }
  void add(std::uint32_t hash, std::uint32_t number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    put({hash, number});
    ++count_;
  }
  std::size_t reserved_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint32_t hash = 0, number = kAbsent;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void put(Slot slot) {
    std::size_t at = slot.hash & mask();
    while (slots_[at].number != kAbsent) at = (at + 1) & mask();
    slots_[at] = slot;
  }
  void grow() {
    BigVector<Slot> old;
    old.swap(slots_);
    slots_.resize(old.empty() ? 16 : 2 * old.size());
    for (const Slot& slot : old)
      if (slot.number != kAbsent) put(slot);
  }

  BigVector<Slot> slots_;  // a power of two, at most half full
  std::size_t count_ = 0;
};

}  // namespace weft
