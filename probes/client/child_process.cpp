#include "probes/client/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "data/errors.h"

extern char** environ;

namespace weir::probes {
namespace {

constexpr int kTickMilliseconds = 150;
constexpr int kGraceMilliseconds = 3000;  ///< between SIGTERM and SIGKILL
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

void close_pipe(int& pipe) {
  if (pipe >= 0) close(pipe);
  pipe = -1;
}

void pause_milliseconds(long milliseconds) {
  const timespec time{milliseconds / 1000, (milliseconds % 1000) * 1000000};
  nanosleep(&time, nullptr);
}

/// What the child starts with: its own process group, the pipes, default signals (a parent that ignores SIGPIPE must
/// not have a child that writes for ever into a closed pipe).
class SpawnSettings {
 public:
  SpawnSettings(int out, int error) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, error, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t none, reset;
    sigemptyset(&none);
    sigemptyset(&reset);
    for (int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&reset, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &reset);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

ChildProcess::ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> out{-1, -1}, error{-1, -1};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(error.data(), O_CLOEXEC) != 0) {
    for (int& end : out) close_pipe(end);
    throw data::SystemError("cannot make a pipe for " + program.string());
  }
  std::vector<std::string> words = {program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SpawnSettings settings(out[1], error[1]);
  const int status =
      posix_spawn(&pid_, program.c_str(), settings.actions(), settings.attributes(), argv.data(), environ);
  close_pipe(out[1]);
  close_pipe(error[1]);
  out_ = out[0];
  error_ = error[0];
  if (status != 0) {
    pid_ = -1;
    close_pipe(out_);
    close_pipe(error_);
    throw data::SystemError("cannot start " + program.string() + ": " + strerror(status));
  }
}

ChildProcess::~ChildProcess() {
  close_pipe(out_);
  close_pipe(error_);
  end();
}

void ChildProcess::end() {
  if (pid_ < 0) return;
  kill(-pid_, SIGTERM);
  for (int waited = 0; waited < kGraceMilliseconds; waited += 10) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != 0) {
      pid_ = -1;
      return;
    }
    pause_milliseconds(10);
  }
  kill(-pid_, SIGKILL);
  wait();
}

int ChildProcess::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

bool ChildProcess::drain(int& pipe, std::string& rest, const std::function<void(std::string_view)>& on_line) {
  std::array<char, 65536> block{};
  const ssize_t got = ::read(pipe, block.data(), block.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got > 0) rest.append(block.data(), static_cast<std::size_t>(got));
  std::size_t from = 0;
  for (std::size_t end = 0; (end = rest.find('\n', from)) != std::string::npos; from = end + 1) {
    on_line(std::string_view(rest).substr(from, end - from));
  }
  rest.erase(0, from);
  if (rest.size() > kLongestLine) throw data::SystemError("the probe writes a line without end");
  if (got > 0) return true;
  if (!rest.empty()) on_line(rest);
  close_pipe(pipe);
  return false;
}

void ChildProcess::read(const std::function<void(std::string_view)>& on_line, const std::function<void()>& tick) {
  const auto keep_last = [this](std::string_view line) {
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) last_words_ = std::string(line);
  };
  std::string out_rest, error_rest;
  while (out_ >= 0 || error_ >= 0) {
    std::array<pollfd, 2> waiting{pollfd{out_, POLLIN, 0}, pollfd{error_, POLLIN, 0}};  // a closed one (-1) is skipped
    const int ready = poll(waiting.data(), waiting.size(), kTickMilliseconds);
    if (ready > 0 && waiting[0].revents != 0) drain(out_, out_rest, on_line);
    if (ready > 0 && waiting[1].revents != 0) drain(error_, error_rest, keep_last);
    tick();
  }
}

}  // namespace weir::probes
