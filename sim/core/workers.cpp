#include "sim/core/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "data/errors.h"

namespace weir::sim {

void for_each_index(std::size_t count, int threads, const data::Progress& progress, const std::string& what,
                    const std::function<void(std::size_t, const data::Progress&)>& work) {
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;  // guarded by mutex
  std::atomic<bool> cancelled = false;
  std::mutex mutex;
  std::vector<std::exception_ptr> errors(count);

  const auto report = [&](std::size_t finished) {
    const std::lock_guard lock(mutex);
    done += finished;
    if (!progress || cancelled) return !cancelled.load();
    if (!progress(static_cast<double>(done) / static_cast<double>(count), what)) cancelled = true;
    return !cancelled.load();
  };
  const data::Progress inner = [&](double, std::string_view) { return report(0); };
  const auto worker = [&] {
    for (std::size_t i = next++; i < count && !cancelled; i = next++) {
      try {
        work(i, inner);
      } catch (...) {
        errors[i] = std::current_exception();
      }
      report(1);
    }
  };

  const auto extra = std::min(count, static_cast<std::size_t>(std::max(1, threads))) - std::min<std::size_t>(count, 1);
  std::vector<std::jthread> pool;
  for (std::size_t t = 0; t < extra; ++t) pool.emplace_back(worker);
  worker();
  pool.clear();
  if (cancelled) throw data::Cancelled();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace weir::sim
