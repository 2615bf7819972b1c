// Vectors for the engine's large rows: backed by huge pages where the system offers them.
//
// A large fabric's rows do not fit the caches, and with 4 KiB pages every access also misses the address
// translation.
#pragma once

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <vector>

namespace weft {

template <class T>
struct BigAllocator {
  using value_type = T;
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  BigAllocator() = default;
  template <class U>
  BigAllocator(const BigAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    const bool big = bytes >= 2 * kHugePage;
    const std::size_t alignment = big ? kHugePage : (alignof(T) < 64 ? 64 : alignof(T));
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    if (big) madvise(memory, bytes, MADV_HUGEPAGE);  // advice: without it all works the same
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  friend bool operator==(BigAllocator, BigAllocator) { return true; }
};

template <class T>
using BigVector = std::vector<T, BigAllocator<T>>;

/// Asks for the cache line at `address`. Not __builtin_prefetch alone: gcc 12 drops calls to functions made
/// of nothing else.
inline void prefetch(const void* address) {
  asm volatile("" : : "r"(address));
  __builtin_prefetch(address);
}

}  // namespace weft
