// The event set against a slow reference: an ordered multiset of (time, phase, key).
#include "sim/event_queue.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "sim/random.h"
#include "tests/catch.h"

using weft::Event;
using weft::EventHeap;
using weft::EventQueue;
using weft::Phase;
using weft::RandomStream;

namespace {

Event event(std::int64_t time, Phase phase, std::uint32_t entity, std::uint32_t detail = 0) {
  return weft::make_event(time, phase, entity, detail);
}

std::vector<Event> sorted(std::vector<Event> all) {
  std::sort(all.begin(), all.end());
  return all;
}

/// Runs the queue and an std::multiset side by side; both must hand out the same batches.
class Pair {
 public:
  void push(const Event& e) {
    queue.push(e);
    reference.insert(e);
    REQUIRE(queue.size() == reference.size());
  }
  /// Takes one batch (in one or two parts) and compares. Returns false when there was none.
  bool take() {
    const EventQueue::Head head = queue.peek();
    if (reference.empty()) {
      REQUIRE(head.time == EventQueue::kEmpty);
      return false;
    }
    const Event first = *reference.begin();
    REQUIRE(head.time == first.time);
    REQUIRE(head.phase == first.phase());
    std::vector<Event> expected;
    while (!reference.empty() && reference.begin()->time == first.time &&
           reference.begin()->phase() == first.phase()) {
      expected.push_back(*reference.begin());
      reference.erase(reference.begin());
    }
    const auto part = queue.take(head);
    std::vector<Event> got(part.begin(), part.end());
    if (first.phase() == Phase::control || first.phase() == Phase::host) {
      REQUIRE(got == expected);  // whole, and sorted by key
    } else {
      while (got.size() < expected.size()) {
        const EventQueue::Head more = queue.peek();
        REQUIRE(more.time == first.time);
        REQUIRE(more.phase == first.phase());
        const auto rest = queue.take(more);
        REQUIRE(rest.size > 0);
        got.insert(got.end(), rest.begin(), rest.end());
      }
      REQUIRE(sorted(got) == expected);
    }
    REQUIRE(queue.size() == reference.size());
    now = first.time;
    phase = first.phase();
    return true;
  }

  EventQueue queue;
  std::multiset<Event> reference;
  std::int64_t now = 0;
  Phase phase = Phase::control;
};

}  // namespace

TEST_CASE("an event's key holds its phase, entity and detail", "[fast]") {
  const Event e = event(7, Phase::arbitrate, Event::kMaxEntity, 0xdeadbeef);
  CHECK(e.phase() == Phase::arbitrate);
  CHECK(e.entity() == Event::kMaxEntity);
  CHECK(e.detail() == 0xdeadbeef);
  CHECK(event(7, Phase::host, Event::kMaxEntity, ~0u) < event(7, Phase::heads, 0));
  CHECK(event(7, Phase::arbitrate, 9) < event(8, Phase::control, 0));
}

TEST_CASE("the heap hands out events in content order", "[fast]") {
  RandomStream random(1, "heap");
  EventHeap heap;
  std::multiset<Event> reference;
  for (int step = 0; step < 20'000; ++step) {
    if (reference.empty() || random.below(5) < 3) {
      const Event e = event(random.between(0, 500), static_cast<Phase>(random.below(4)),
                            static_cast<std::uint32_t>(random.below(50)));
      heap.push(e);
      reference.insert(e);
    } else {
      REQUIRE(heap.pop() == *reference.begin());
      reference.erase(reference.begin());
    }
    REQUIRE(heap.size() == reference.size());
  }
}

TEST_CASE("random programs give the batches of an ordered multiset", "[fast]") {
  // What a run does: after each batch, pushes into the same instant and a later phase, the same bucket, the
  // wheel, and far beyond it; in some programs densely (radix sort), in some sparsely (insertion sort, long
  // empty stretches).
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed, "event queue");
    Pair pair;
    const std::int64_t spread = std::int64_t{1} << random.below(24);
    const std::int64_t start =
        seed % 3 == 0 ? 0
                      : static_cast<std::int64_t>(random.below(std::uint64_t{1} << (10 + 2 * (seed % 24))));
    const std::uint64_t breadth = 1 + random.below(200);
    std::uint32_t serial = 0;
    const auto push_some = [&](std::uint64_t n) {
      for (std::uint64_t i = 0; i < n; ++i) {
        std::int64_t ahead = 0;
        switch (random.below(8)) {
          case 0:
            ahead = random.between(0, 3);
            break;  // this instant and its neighbours
          case 1:
            ahead = random.between(0, 1023);
            break;  // the open bucket
          case 2:
            ahead = random.between(520'000, 530'000);
            break;  // the wheel's edge (512 x 1,024 ps)
          case 3:
            ahead = random.between(0, 40'000'000);
            break;  // far
          default:
            ahead = random.between(0, spread);
        }
        auto phase = static_cast<Phase>(random.below(4));
        if (ahead == 0) phase = std::max(phase, pair.phase);  // never an earlier phase of its own instant
        const auto entity = static_cast<std::uint32_t>(random.below(breadth));
        pair.push(event(std::max(pair.now, start) + ahead, phase, entity, serial++));
      }
    };
    push_some(50 + random.below(3000));
    for (int step = 0; step < 1500; ++step) {
      if (!pair.take()) break;
      push_some(random.below(4));
    }
    while (pair.take()) {
    }
  }
}

TEST_CASE("a push that precedes the opened bucket comes first", "[fast]") {
  // peek() opens the next bucket; a user may then post at the horizon, before it.
  Pair pair;
  pair.push(event(5, Phase::host, 1));
  REQUIRE(pair.take());
  pair.push(event(900'000, Phase::heads, 1));
  CHECK(pair.queue.peek().time == 900'000);
  pair.push(event(700'000, Phase::heads, 2));
  pair.push(event(6, Phase::arbitrate, 3));
  while (pair.take()) {
  }
}

TEST_CASE("times next to the end of the range keep their order", "[fast]") {
  constexpr std::int64_t last = EventQueue::kEmpty - 1;
  constexpr std::int64_t half = std::int64_t{1} << 62;
  Pair pair;
  for (const std::int64_t t :
       {last, last - 1, last - 5'000, half, half - 1, half + 1, std::int64_t{0}, std::int64_t{1}})
    for (const Phase phase : {Phase::arbitrate, Phase::heads, Phase::host, Phase::control})
      pair.push(event(t, phase, 4));
  while (pair.take()) {
  }
  pair.push(event(last, Phase::heads, 1));
  CHECK(pair.queue.peek().time == last);
  CHECK(pair.queue.size() == 1);
}

TEST_CASE("late comers far before an opened bucket keep their order, however large the times", "[fast]") {
  constexpr std::int64_t half = std::int64_t{1} << 62;
  Pair pair;
  pair.push(event(half + 5'000, Phase::heads, 1));
  CHECK(pair.queue.peek().time == half + 5'000);
  pair.push(event(half - 5'000, Phase::heads, 2));
  while (pair.take()) {
  }
}

TEST_CASE("host batches pushed while the host phase runs come as further batches", "[fast]") {
  EventQueue queue;
  queue.push(event(10, Phase::host, 5));
  const auto first = queue.take(queue.peek());
  REQUIRE(first.size == 1);
  queue.push(event(10, Phase::host, 9));
  queue.push(event(10, Phase::host, 2));
  const auto second = queue.take(queue.peek());
  REQUIRE(second.size == 2);
  CHECK(second[0].entity() == 2);
  CHECK(second[1].entity() == 9);
  CHECK(queue.peek().time == EventQueue::kEmpty);
}
