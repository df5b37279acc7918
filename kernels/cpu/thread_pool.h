#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace weir::kernels::cpu {

struct IndexRange {
  std::int64_t begin = 0, end = 0;
};
/// The part of `items` items that part `index` of `parts` gets; sizes differ by one at most.
IndexRange static_split(std::int64_t items, int parts, int index);

/// Threads that live as long as the pool and run one body at a time, the caller being thread 0. Between two bodies they
/// spin for some ten microseconds, since a decode step calls many short bodies, then sleep.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// body(thread index) on every thread; returns when all are done. The first exception is thrown again here.
  template <class Body>
  void run(const Body& body) {
    run_erased([](const void* context, int index) { (*static_cast<const Body*>(context))(index); }, &body);
  }
  /// body(begin, end, thread index) over a static split of `items`.
  template <class Body>
  void split(std::int64_t items, const Body& body) {
    run([&](int index) {
      const IndexRange range = static_split(items, threads(), index);
      if (range.begin < range.end) body(range.begin, range.end, index);
    });
  }
  /// body(item, thread index), items handed out one by one in rising order: for items of unlike cost.
  template <class Body>
  void hand_out(std::int64_t items, const Body& body) {
    std::atomic<std::int64_t> next{0};
    run([&](int index) {
      for (std::int64_t i = next.fetch_add(1); i < items; i = next.fetch_add(1)) body(i, index);
    });
  }

 private:
  using Erased = void (*)(const void* context, int index);
  void run_erased(Erased body, const void* context);
  void call(int index) noexcept;
  void work(int index);
  void stop();

  std::vector<std::thread> workers_;
  int spins_ = 0;
  Erased body_ = nullptr;
  const void* context_ = nullptr;
  alignas(64) std::atomic<std::uint32_t> epoch_{0};
  alignas(64) std::atomic<std::int32_t> pending_{0};
  std::atomic<bool> stop_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace weir::kernels::cpu
