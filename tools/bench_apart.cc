#include "tools/bench_apart.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <fmt/format.h>

namespace weft {
namespace {

static_assert(std::is_trivially_copyable_v<BenchResult>);

void write_all(int to, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(to, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

std::string read_all(int from) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

/// Status 0 with a result in the pipe, or 1 with the reason.
[[noreturn]] void measure_and_leave(const BenchCase& bench,
                                    const std::function<void(std::uint32_t)>& progress, int out) {
  std::string reason;
  try {
    const BenchResult result = measure_bench(bench, progress);
    write_all(out, &result, sizeof result);
    _exit(0);
  } catch (const std::bad_alloc&) {
    reason = "out of memory";
  } catch (const std::exception& error) {
    reason = error.what();
  }
  write_all(out, reason.data(), reason.size());
  _exit(1);
}

}  // namespace

BenchResult measure_apart(const BenchCase& bench, const std::function<void(std::uint32_t)>& progress) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
  std::fflush(nullptr);  // or both processes would write what is buffered
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw std::runtime_error(fmt::format("no process to measure in: {}", std::strerror(errno)));
  if (child == 0) {
    close(ends[0]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // does not outlive the one who asked
    if (getppid() != parent) _exit(1);
    measure_and_leave(bench, progress, ends[1]);
  }
  close(ends[1]);
  const std::string answer = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const auto fail = [&](const std::string& why) -> BenchResult {
    throw std::runtime_error(fmt::format("{} hosts, {}: {}", bench.size.hosts, bench.workload->name, why));
  };
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fail(fmt::format("the measuring process was ended by signal {} ({}){}", signal, strsignal(signal),
                            signal == SIGKILL ? "; was there too little memory?" : ""));
  }
  if (WEXITSTATUS(status) != 0) return fail(answer);
  BenchResult result;
  if (answer.size() != sizeof result) return fail("the measuring process said nothing");
  std::memcpy(&result, answer.data(), sizeof result);
  return result;
}

}  // namespace weft
