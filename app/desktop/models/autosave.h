#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace weir::desktop {

/// Writes beside the window, in order. What was put in is done even if the object goes away.
class Autosave {
 public:
  /// `failed` is called on the writing thread.
  explicit Autosave(std::function<void(const std::string& message)> failed);
  ~Autosave();

  void add(std::function<void()> work);
  /// Waits until all of it is done. The message of the last failure since the last call; empty = none.
  std::string flush();

 private:
  void run();

  std::function<void(const std::string&)> failed_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  bool busy_ = false, ending_ = false;
  std::string failure_;
  std::thread thread_;
};

}  // namespace weir::desktop
