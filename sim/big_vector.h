// Vectors of plain rows for the engine's large tables: they grow in place and lie in huge pages where the
// system offers them.
//
// A large fabric's rows do not fit the caches, and with 4 KiB pages every access also misses the address
// translation. A std::vector that grows holds its rows twice for a moment and copies them; here the system
// moves the pages (mremap), and only those touched are there at all.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace weft {

/// The part of std::vector that tables of rows need. @throws std::bad_alloc when there is no address space
/// left
template <class T>
class BigVector {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 4096);

 public:
  BigVector() = default;
  BigVector(const BigVector& other) { append(other.begin(), other.end()); }
  BigVector(BigVector&& other) noexcept { swap(other); }
  BigVector& operator=(BigVector other) noexcept {
    swap(other);
    return *this;
  }
  ~BigVector() {
    if (rows_ != nullptr) munmap(rows_, mapped_);
  }
  void swap(BigVector& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(mapped_, other.mapped_);
  }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* data() { return rows_; }
  const T* data() const { return rows_; }
  T* begin() { return rows_; }
  T* end() { return rows_ + size_; }
  const T* begin() const { return rows_; }
  const T* end() const { return rows_ + size_; }
  T& back() { return (*this)[size_ - 1]; }
  T& operator[](std::size_t i) {
    assert(i < size_);
    return rows_[i];
  }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return rows_[i];
  }

  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    if (size_ == capacity_) grow(size_ + 1);
    return *std::construct_at(rows_ + size_++, std::forward<Arguments>(arguments)...);
  }
  void push_back(const T& row) { emplace_back(T(row)); }
  void resize(std::size_t n, const T& row = T()) {
    reserve(n);
    for (; size_ < n; ++size_) std::construct_at(rows_ + size_, row);
    size_ = n;
  }
  void assign(std::size_t n, const T& row) {
    size_ = 0;
    resize(n, row);
  }
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    reserve(size_ + static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first) std::construct_at(rows_ + size_++, *first);
  }

 private:
  static constexpr std::size_t kPage = 4096, kHugePage = std::size_t{2} << 20;

  static std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

  /// Fresh memory; where it holds a huge page, it begins at the border of one.
  static char* map(std::size_t bytes) {
    const std::size_t slack = bytes < kHugePage ? 0 : kHugePage;
    void* const memory = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* const begin = static_cast<char*>(memory);
    if (slack == 0) return begin;
    const std::size_t before = (slack - reinterpret_cast<std::uintptr_t>(begin) % slack) % slack;
    if (before > 0) munmap(begin, before);
    munmap(begin + before + bytes, slack - before);
    madvise(begin + before, bytes, MADV_HUGEPAGE);  // advice: without it all works the same
    return begin + before;
  }

  void grow(std::size_t n) {
    const std::size_t wanted = std::max(n, capacity_ * 2) * sizeof(T);
    const std::size_t bytes = round_up(wanted, wanted < kHugePage ? kPage : kHugePage);
    char* const memory = map(bytes);
    if (rows_ != nullptr &&
        mremap(rows_, mapped_, mapped_, MREMAP_MAYMOVE | MREMAP_FIXED, memory) == MAP_FAILED) {
      munmap(memory, bytes);
      throw std::bad_alloc();
    }
    rows_ = reinterpret_cast<T*>(memory);
    mapped_ = bytes;
    capacity_ = bytes / sizeof(T);
  }

  T* rows_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0, mapped_ = 0;
};

/// Asks for the cache line at `address`. Not __builtin_prefetch alone: gcc 12 drops calls to functions made
/// of nothing else.
inline void prefetch(const void* address) {
  asm volatile("" : : "r"(address));
  __builtin_prefetch(address);
}

}  // namespace weft
