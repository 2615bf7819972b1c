// What the system counts of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace weft {

/// Bytes of memory in use by this process now, and the most so far. 0 where the system does not say.
std::size_t resident_bytes();
std::size_t peak_resident_bytes();

/// Counts the instructions this process executes between start() and stop(), where the CPU has a counter for
/// that and the system gives it: virtual machines often do not.
class InstructionCounter {
 public:
  InstructionCounter();
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;
  void start();
  std::optional<std::uint64_t> stop();

 private:
  int file_;  // -1: there is none
};

}  // namespace weft
