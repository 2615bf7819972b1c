#include "tests/cli/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/temp_folder.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

int open_or_throw(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) throw std::runtime_error("cannot open " + path);
  return fd;
}

int pipe_without_reader() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  close(ends[0]);
  return ends[1];
}

[[noreturn]] void become(const std::vector<char*>& words, const RunOptions& options, int out, int err) {
  const int null = open("/dev/null", O_RDONLY);
  if (chdir(options.folder.c_str()) != 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
    _exit(126);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  execvp(words[0], words.data());
  _exit(127);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Outcome run_program(std::vector<std::string> command, const RunOptions& options) {
  if (command[0] == "weft") command[0] = WEFT_BINARY;
  setenv("WEFT_PROFILES", WEFT_SOURCE_DIR "/scenarios/profiles", 1);
  const TempFolder scratch;
  const std::string out_path = options.out_to.empty() ? scratch.path() + "/out" : options.out_to;
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const int out = options.closed_reader ? pipe_without_reader() : open_or_throw(out_path);
  const int err = open_or_throw(scratch.path() + "/err");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become(words, options, out, err);
  close(out);
  close(err);

  Outcome outcome;
  std::optional<int> to_send = options.signal;
  bool killed = false;
  int status = 0;
  for (const auto start = Clock::now(); waitpid(child, &status, WNOHANG) == 0;) {
    if (to_send && options.when()) {
      kill(child, *to_send);
      to_send.reset();
    }
    if (!killed && Clock::now() - start > options.patience) {
      kill(child, SIGKILL);
      killed = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  outcome.status = killed ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (options.out_to.empty() && !options.closed_reader) outcome.out = read_file(out_path);
  outcome.err = read_file(scratch.path() + "/err");
  return outcome;
}

Outcome run_weft(std::vector<std::string> arguments, const RunOptions& options) {
  arguments.insert(arguments.begin(), "weft");
  return run_program(std::move(arguments), options);
}

}  // namespace weft
