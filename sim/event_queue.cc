#include "sim/event_queue.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace weft {

void EventHeap::push(Event event) {
  std::size_t i = items_.size();
  items_.push_back(event);
  while (i > 0) {
    const std::size_t parent = (i - 1) >> 2;
    if (!(event < items_[parent])) break;
    items_[i] = items_[parent];
    i = parent;
  }
  items_[i] = event;
}

Event EventHeap::pop() {
  const Event top = items_.front();
  const Event moved = items_.back();
  items_.pop_back();
  const std::size_t n = items_.size();
  std::size_t i = 0;
  for (std::size_t child = 1; child < n; child = (i << 2) + 1) {
    std::size_t least = child;
    for (std::size_t c = child + 1; c < std::min(child + 4, n); ++c)
      if (items_[c] < items_[least]) least = c;
    if (!(items_[least] < moved)) break;
    items_[i] = items_[least];
    i = least;
  }
  if (n > 0) items_[i] = moved;
  return top;
}

EventQueue::EventQueue() { wheel_.fill(kNoBlock); }

std::uint32_t EventQueue::add_block(std::size_t slot) {
  std::uint32_t fresh = free_block_;
  if (fresh == kNoBlock) {
    fresh = static_cast<std::uint32_t>(blocks_.size());
    blocks_.emplace_back();
  } else {
    free_block_ = blocks_[fresh].next;
  }
  blocks_[fresh].next = wheel_[slot];
  blocks_[fresh].count = 0;
  wheel_[slot] = fresh;
  occupied_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
  return fresh;
}

void EventQueue::push_aside(const Event& event) {
  (event.time >> kBucketBits <= open_bucket_ ? late_ : far_).push(event);
}

/// The number of the next bucket of the wheel with something in it; kEmpty when there is none.
std::int64_t EventQueue::next_bucket() const {
  for (std::int64_t ahead = 1; ahead < kBuckets;) {
    const auto slot = static_cast<std::size_t>((open_bucket_ + ahead) & (kBuckets - 1));
    const std::uint64_t bits = occupied_[slot >> 6] >> (slot & 63);
    if (bits != 0) return open_bucket_ + ahead + std::countr_zero(bits);
    ahead += 64 - static_cast<std::int64_t>(slot & 63);
  }
  return kEmpty;
}

void EventQueue::empty_into_open(std::size_t slot) {
  for (std::uint32_t block = wheel_[slot]; block != kNoBlock;) {
    Block& full = blocks_[block];
    const std::uint32_t next = full.next;
    open_.append(full.events.begin(), full.events.begin() + full.count);
    full.next = free_block_;
    free_block_ = block;
    block = next;
  }
  wheel_[slot] = kNoBlock;
  occupied_[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63));
}

void EventQueue::open_next_bucket() {
  open_.resize(0);
  next_ = 0;
  std::int64_t bucket = next_bucket();
  if (!far_.empty()) bucket = std::min(bucket, far_.top().time >> kBucketBits);
  if (bucket == kEmpty) return;
  open_bucket_ = bucket;
  empty_into_open(static_cast<std::size_t>(bucket & (kBuckets - 1)));
  while (!far_.empty() && far_.top().time >> kBucketBits <= bucket) open_.push_back(far_.pop());
  sort_open();
}

void EventQueue::sort_open() {
  const std::size_t n = open_.size();
  std::size_t i = 1;
  while (i < n && order_of(open_[i - 1]) <= order_of(open_[i])) ++i;
  if (i >= n) return;
  if (n <= 24) {  // insertion sort wins on short buckets
    for (; i < n; ++i) {
      const Event event = open_[i];
      std::size_t j = i;
      for (; j > 0 && order_of(open_[j - 1]) > order_of(event); --j) open_[j] = open_[j - 1];
      open_[j] = event;
    }
    return;
  }
  // Two stable passes over the 12 bits that differ inside a bucket: 10 of time, 2 of phase.
  constexpr int kDigit = (kBucketBits + 2) / 2;
  constexpr std::size_t kRadix = std::size_t{1} << kDigit;
  if (scratch_.size() < n) scratch_.resize(n);
  std::array<std::uint32_t, kRadix> low{}, high{};
  for (const Event& e : open_) {
    ++low[order_of(e) & (kRadix - 1)];
    ++high[order_of(e) >> kDigit & (kRadix - 1)];
  }
  std::uint32_t low_sum = 0, high_sum = 0;
  for (std::size_t d = 0; d < kRadix; ++d) {
    low_sum += std::exchange(low[d], low_sum);
    high_sum += std::exchange(high[d], high_sum);
  }
  for (const Event& e : open_) scratch_[low[order_of(e) & (kRadix - 1)]++] = e;
  for (i = 0; i < n; ++i) open_[high[order_of(scratch_[i]) >> kDigit & (kRadix - 1)]++] = scratch_[i];
}

EventQueue::Head EventQueue::peek_aside() {
  if (next_ == open_.size() && late_.empty()) open_next_bucket();
  const bool have_open = next_ < open_.size();
  if (!have_open && late_.empty()) return {};
  const auto earlier = [](const Event& a,
                          const Event& b) {  // of different buckets: order_of compares within one
    return a.time != b.time ? a.time < b.time : a.phase() < b.phase();
  };
  const bool late = !late_.empty() && (!have_open || earlier(late_.top(), open_[next_]));
  const Event& first = late ? late_.top() : open_[next_];
  return {first.time, first.phase(), late};
}

EventQueue::Batch EventQueue::take_aside(const Head& head) {
  const auto in_batch = [&](const Event& e) { return e.time == head.time && e.phase() == head.phase; };
  batch_.clear();
  while (!late_.empty() && in_batch(late_.top())) batch_.push_back(late_.pop());
  if (head.phase < Phase::heads) {  // control and host: whole and in order
    while (next_ < open_.size() && in_batch(open_[next_])) batch_.push_back(open_[next_++]);
    std::sort(batch_.begin(), batch_.end());
  }
  size_ -= batch_.size();
  return {batch_.data(), batch_.size(), batch_.size(), false};
}

std::size_t EventQueue::reserved_bytes() const {
  return (open_.capacity() + scratch_.capacity() + batch_.capacity()) * sizeof(Event) +
         blocks_.capacity() * sizeof(Block) + late_.reserved_bytes() + far_.reserved_bytes();
}

}  // namespace weft
