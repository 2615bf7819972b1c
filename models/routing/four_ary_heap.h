// A heap with four children a node, least key first, whose order among equal keys is that of OpenSM's heap
// (complib): its engines that search with Dijkstra's algorithm break ties by it, so their tables depend on
// it.
//
// An item goes up past greater keys only. The last item takes the place of one that leaves, and goes down
// past lesser keys only, to the least child, of equal children the last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

class FourAryHeap {
 public:
  /// For items 0 to `items` - 1, each in it at most once.
  explicit FourAryHeap(std::size_t items) : place_(items, kOutside) {}

  bool empty() const { return entries_.empty(); }

  void insert(std::uint32_t item, std::uint64_t key) {
    entries_.push_back({key, item});
    rise(entries_.size() - 1);
  }

  /// Gives an item in the heap a lesser key.
  void lower(std::uint32_t item, std::uint64_t key) {
    entries_[place_[item]].key = key;
    rise(place_[item]);
  }

  /// Takes an item out; without effect when it is not in the heap.
  void erase(std::uint32_t item) {
    if (place_[item] != kOutside) erase_at(place_[item]);
  }

  /// Takes the first item out. The heap is not empty.
  std::uint32_t pop() {
    const std::uint32_t item = entries_.front().item;
    erase_at(0);
    return item;
  }

 private:
  static constexpr std::uint32_t kOutside = 0xffff'ffff;
  struct Entry {
    std::uint64_t key;
    std::uint32_t item;
  };

  static std::size_t parent(std::size_t at) { return (at - 1) / 4; }

  void put(std::size_t at, Entry entry) {
    entries_[at] = entry;
    place_[entry.item] = static_cast<std::uint32_t>(at);
  }

  void rise(std::size_t at) {
    const Entry entry = entries_[at];
    for (; at > 0 && entry.key < entries_[parent(at)].key; at = parent(at)) put(at, entries_[parent(at)]);
    put(at, entry);
  }

  void sink(std::size_t at) {
    const Entry entry = entries_[at];
    while (at * 4 + 1 < entries_.size()) {
      std::size_t least = at * 4 + 1;
      const std::size_t end = std::min(least + 4, entries_.size());
      for (std::size_t child = least + 1; child < end; ++child)
        if (entries_[child].key <= entries_[least].key) least = child;
      if (entry.key <= entries_[least].key) break;
      put(at, entries_[least]);
      at = least;
    }
    put(at, entry);
  }

  void erase_at(std::size_t at) {
    place_[entries_[at].item] = kOutside;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (at == entries_.size()) return;
    put(at, last);
    if (at > 0 && last.key < entries_[parent(at)].key)
      rise(at);
    else if (at == 0 || entries_[parent(at)].key < last.key)
      sink(at);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> place_;  // by item
};

}  // namespace weft
