#include "models/routing/four_ary_heap.h"

#include <vector>

#include "tests/catch.h"

using namespace weft;

namespace {

std::vector<std::uint32_t> drained(FourAryHeap& heap) {
  std::vector<std::uint32_t> order;
  while (!heap.empty()) order.push_back(heap.pop());
  return order;
}

}  // namespace

TEST_CASE("a heap gives its items by key, whatever order they came in") {
  FourAryHeap heap(40);
  for (std::uint32_t i = 0; i < 40; ++i) heap.insert(i, i * 17 % 40);
  for (std::uint64_t key = 0; key < 40; ++key) CHECK(heap.pop() * 17 % 40 == key);
  CHECK(heap.empty());
}

TEST_CASE("among equal keys the first is followed by the last, as in OpenSM's heap") {
  // The last item takes the place of the first and, its children being equal, stays there.
  FourAryHeap equal(6);
  for (std::uint32_t i = 0; i < 6; ++i) equal.insert(i, 7);
  CHECK(drained(equal) == std::vector<std::uint32_t>{0, 5, 4, 3, 2, 1});

  // A greater one goes down to the last of its equal children: 6 at the top, 4 of {1, 2, 3, 4} rises, and so
  // on.
  FourAryHeap heap(7);
  heap.insert(0, 1);
  for (std::uint32_t i = 1; i < 5; ++i) heap.insert(i, 3);
  heap.insert(5, 9);
  heap.insert(6, 8);
  CHECK(drained(heap) == std::vector<std::uint32_t>{0, 4, 3, 2, 1, 6, 5});
}

TEST_CASE("an item of lesser key rises past greater keys only") {
  FourAryHeap heap(4);
  for (std::uint32_t i = 0; i < 4; ++i) heap.insert(i, 10 + i);
  heap.lower(3, 10);
  CHECK(drained(heap) == std::vector<std::uint32_t>{0, 3, 1, 2});
}

TEST_CASE("an item is taken out from anywhere, once") {
  FourAryHeap heap(30);
  for (std::uint32_t i = 0; i < 30; ++i) heap.insert(i, (i * 11 + 3) % 30);
  for (std::uint32_t i = 0; i < 30; i += 2) heap.erase(i);
  heap.erase(4);  // gone already
  std::uint64_t last = 0;
  unsigned left = 0;
  for (const std::uint32_t item : drained(heap)) {
    CHECK(item % 2 == 1);
    CHECK((item * 11 + 3) % 30 >= last);
    last = (item * 11 + 3) % 30;
    ++left;
  }
  CHECK(left == 15);
  heap.insert(4, 1);
  CHECK(heap.pop() == 4);
}
