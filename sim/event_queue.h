// The event set: a wheel of buckets, radix-sorted when opened, with side heaps for what does not fit it.
//
// A fabric's events lie a few hundred nanoseconds ahead with a handful of delays; 512 buckets of 1,024 ps
// hold them. A bucket is a list of blocks until its time comes; then one pass orders it by (time, phase).
// Late comers into the open bucket and events beyond the wheel wait in two small heaps. The cost per event
// does not grow with their number or with the number of distinct delays; a binary heap over everything costs
// three cache misses an event on large fabrics.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/big_vector.h"
#include "sim/event.h"

namespace weft {

/// A 4-ary min-heap of events in content order.
class EventHeap {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  const Event& top() const { return items_.front(); }
  void push(Event event);
  Event pop();
  std::size_t reserved_bytes() const { return items_.capacity() * sizeof(Event); }

 private:
  std::vector<Event> items_;
};

/// Events in the order of (time, phase), handed out in batches of one (time, phase).
class EventQueue {
 public:
  static constexpr std::int64_t kEmpty = std::numeric_limits<std::int64_t>::max();

  struct Head {
    std::int64_t time = kEmpty;  // kEmpty: nothing pending
    Phase phase = Phase::control;
    bool from_late = false;  // where take() finds it
  };

  /// The events of one (time, phase), and a look at some that come later: first[size] to first[visible - 1]
  /// are what is known so far of the order behind the batch. For prefetching; others may still come between.
  struct Batch {
    const Event* first = nullptr;
    std::size_t size = 0;
    std::size_t visible = 0;
    bool opening = false;  // nothing of what is visible has been handed out before
    const Event* begin() const { return first; }
    const Event* end() const { return first + size; }
    const Event& operator[](std::size_t i) const { return first[i]; }
  };

  EventQueue();

  /// `event.time` must not lie before the batch taken last.
  void push(const Event& event) {
    ++size_;
    const std::int64_t bucket = event.time >> kBucketBits;
    if (bucket <= open_bucket_ || bucket >= open_bucket_ + kBuckets) return push_aside(event);
    const auto slot = static_cast<std::size_t>(bucket & (kBuckets - 1));
    std::uint32_t block = wheel_[slot];
    if (block == kNoBlock || blocks_[block].count == Block::kCapacity) block = add_block(slot);
    Block& to = blocks_[block];
    to.events[to.count++] = event;
  }

  /// Time and phase of the earliest batch. May open the next bucket, so it is not const.
  Head peek() {
    if (next_ == open_.size() || !late_.empty()) return peek_aside();
    return {open_[next_].time, open_[next_].phase(), false};
  }

  /// The events of the batch `head`, which must be what peek() just returned. Valid until the next take or
  /// peek. A batch may be handed out in two parts (the open bucket, then late comers), except in the control
  /// and host phases, where it comes whole and sorted by key.
  Batch take(const Head& head) {
    if (head.from_late || head.phase < Phase::heads) return take_aside(head);
    const bool opening = next_ == 0;
    const Event* const first = open_.data() + next_;
    const std::size_t visible = open_.size() - next_;
    std::size_t size = 1;
    while (size < visible && first[size].time == head.time && first[size].phase() == head.phase) ++size;
    next_ += size;
    size_ -= size;
    return {first, size, visible, opening};
  }

  /// Whether an event of instant `now`, that of the batch taken last, and of a phase up to `last` is still to
  /// come. Unlike peek it opens no bucket: what the caller is about to push may belong into the next one.
  bool pending_at(std::int64_t now, Phase last) const {
    const auto is = [&](const Event& e) { return e.time == now && e.phase() <= last; };
    return (next_ < open_.size() && is(open_[next_])) || (!late_.empty() && is(late_.top()));
  }

  std::size_t size() const { return size_; }
  /// Bytes reserved by the queue's own memory.
  std::size_t reserved_bytes() const;

 private:
  static constexpr int kBucketBits = 10;                     // 1,024 ps a bucket
  static constexpr std::int64_t kBuckets = 512;              // a wheel of 0.52 us
  static constexpr std::uint32_t order_of(const Event& e) {  // (time, phase) among events of one bucket
    return static_cast<std::uint32_t>(e.time & ((1 << kBucketBits) - 1)) << 2 |
           static_cast<std::uint32_t>(e.key >> 62);
  }

  /// Some events of one bucket, in no order. All blocks come from one pool, so that a bucket that meets a new
  /// record allocates nothing.
  struct Block {
    static constexpr std::uint32_t kCapacity = 15;  // with the header, four cache lines
    std::uint32_t next, count;
    std::array<Event, kCapacity> events;
  };
  static constexpr std::uint32_t kNoBlock = 0xffff'ffff;

  std::uint32_t add_block(std::size_t slot);
  void push_aside(const Event& event);
  Head peek_aside();
  Batch take_aside(const Head& head);
  void open_next_bucket();
  std::int64_t next_bucket() const;
  void empty_into_open(std::size_t slot);
  void sort_open();

  std::array<std::uint32_t, kBuckets> wheel_;  // first block of each bucket: the one being filled
  BigVector<Block> blocks_;
  std::uint32_t free_block_ = kNoBlock;
  std::array<std::uint64_t, kBuckets / 64> occupied_{};
  BigVector<Event> open_, scratch_;
  std::vector<Event> batch_;
  std::size_t next_ = 0;           // first event of open_ not handed out
  std::int64_t open_bucket_ = -1;  // time >> kBucketBits of open_
  EventHeap late_;                 // for the open bucket, pushed after it was opened
  EventHeap far_;                  // beyond the wheel
  std::size_t size_ = 0;
};

}  // namespace weft
