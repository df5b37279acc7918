#include "app/desktop/models/autosave.h"

#include <exception>
#include <utility>

namespace weir::desktop {

Autosave::Autosave(std::function<void(const std::string&)> failed)
    : failed_(std::move(failed)), thread_([this] { run(); }) {}

Autosave::~Autosave() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Autosave::add(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  changed_.notify_all();
}

std::string Autosave::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
  return std::exchange(failure_, "");
}

void Autosave::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    std::string message;
    try {
      work();
    } catch (const std::exception& error) {
      message = error.what();
    }
    if (!message.empty()) failed_(message);
    lock.lock();
    if (!message.empty()) failure_ = message;
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace weir::desktop
