// Vectors of plain rows for the engine's large tables: they grow in place and lie in huge pages where the system
// offers them.
//
// A large fabric's rows do not fit the caches, and with 4 KiB pages every access also misses the address
// translation. A std::vector that grows holds its rows twice for a moment and copies them; here the system moves
// the pages (mremap), and only those touched are there at all.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace weft {

/// The part of std::vector that tables of rows need. @throws std::bad_alloc when there is no address space left
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
    if (rows_ != nullptr) munmap(rows_, mapped_bytes());
  }
  void swap(BigVector& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
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

  std::size_t mapped_bytes() const { return round_up(capacity_ * sizeof(T), kPage); }
  static std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

  void grow(std::size_t n) {
    const std::size_t rows = std::max(n, capacity_ * 2);
    const std::size_t bytes = round_up(rows * sizeof(T), kPage);
    void* const memory = rows_ == nullptr ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                          : mremap(rows_, mapped_bytes(), bytes, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (bytes >= 2 * kHugePage)
      madvise(memory, bytes, MADV_HUGEPAGE);  // advice: without it all works the same
    rows_ = static_cast<T*>(memory);
    capacity_ = bytes / sizeof(T);
  }

  T* rows_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

/// Asks for the cache line at `address`. Not __builtin_prefetch alone: gcc 12 drops calls to functions made
/// of nothing else.
inline void prefetch(const void* address) {
  asm volatile("" : : "r"(address));
  __builtin_prefetch(address);
}

}  // namespace weft
