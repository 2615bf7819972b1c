#include "tools/process_counters.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>

namespace weft {

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

InstructionCounter::InstructionCounter() {
  perf_event_attr what{};
  what.type = PERF_TYPE_HARDWARE;
  what.size = sizeof what;
  what.config = PERF_COUNT_HW_INSTRUCTIONS;
  what.disabled = 1;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  file_ = static_cast<int>(syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

InstructionCounter::~InstructionCounter() {
  if (file_ >= 0) close(file_);
}

void InstructionCounter::start() {
  if (file_ < 0) return;
  ioctl(file_, PERF_EVENT_IOC_RESET, 0);
  ioctl(file_, PERF_EVENT_IOC_ENABLE, 0);
}

std::optional<std::uint64_t> InstructionCounter::stop() {
  if (file_ < 0) return {};
  ioctl(file_, PERF_EVENT_IOC_DISABLE, 0);
  std::uint64_t count = 0;
  if (read(file_, &count, sizeof count) != sizeof count) return {};
  return count;
}

}  // namespace weft
