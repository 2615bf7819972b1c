// How often this thread has asked for memory.
#pragma once

#include <cstdint>

namespace weft {

/// Calls of operator new so far. Counted by allocations.cc, which replaces the operator, and so in the `weft`
/// program alone: it is linked into that and no library. Elsewhere it stays zero.
inline constinit thread_local std::uint64_t allocation_count = 0;

}  // namespace weft
