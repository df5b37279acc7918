#include "kernels/cpu/thread_pool.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "kernels/cpu/cpu_info.h"
#include "kernels/cpu/float_gemm.h"
#include "kernels/device.h"

namespace weir::kernels::cpu {
namespace {

constexpr int kSpins = 1000;

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` differs from `old`: spinning first, then asleep.
template <class T>
void wait_for_change(const std::atomic<T>& value, T old, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

IndexRange static_split(std::int64_t items, int parts, int index) {
  const std::int64_t share = items / parts, rest = items % parts;
  const std::int64_t begin = share * index + std::min<std::int64_t>(index, rest);
  return {begin, begin + share + (index < rest ? 1 : 0)};
}

ThreadPool::ThreadPool(int threads) {
  // More threads than CPUs: a spinning thread would keep the one it waits for from running.
  spins_ = threads <= usable_threads() ? kSpins : 0;
  workers_.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error& error) {
    stop();
    throw DeviceError("cannot start " + std::to_string(threads) + " threads: " + error.what());
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  stop_.store(true, std::memory_order_relaxed);
  epoch_.fetch_add(1, std::memory_order_release);
  epoch_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::call(int index) noexcept {
  try {
    body_(context_, index);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void ThreadPool::work(int index) {
  use_one_library_thread();
  std::uint32_t seen = 0;
  while (true) {
    wait_for_change(epoch_, seen, spins_);
    seen = epoch_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    call(index);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
  }
}

void ThreadPool::run_erased(Erased body, const void* context) {
  body_ = body;
  context_ = context;
  if (!workers_.empty()) {
    pending_.store(static_cast<std::int32_t>(workers_.size()), std::memory_order_relaxed);
    epoch_.fetch_add(1, std::memory_order_release);
    epoch_.notify_all();
  }
  call(0);
  for (std::int32_t left = pending_.load(std::memory_order_acquire); left != 0;
       left = pending_.load(std::memory_order_acquire)) {
    wait_for_change(pending_, left, spins_);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace weir::kernels::cpu
