#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::probes {

/// A program run as a child in a process group of its own, its standard output and error read through pipes. The
/// destructor ends it (SIGTERM, after a while SIGKILL) and waits for it.
class ChildProcess {
 public:
  /// Throws data::SystemError when it cannot be started.
  ChildProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Reads until both pipes are closed. on_line: each line of standard output; tick: at least five times a second.
  /// What either throws comes out.
  void read(const std::function<void(std::string_view)>& on_line, const std::function<void()>& tick);

  /// Waits for the end: exit code, or minus the number of the signal that ended it.
  int wait();

  /// The last non-empty line that it wrote to standard error.
  const std::string& last_words() const { return last_words_; }

 private:
  bool drain(int& pipe, std::string& rest, const std::function<void(std::string_view)>& on_line);
  void end();

  pid_t pid_ = -1;
  int out_ = -1, error_ = -1;
  std::string last_words_;
};

}  // namespace weir::probes
