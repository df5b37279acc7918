#include "probes/memory_stream.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <new>
#include <thread>
#include <vector>

#include "probes/steady_state.h"

namespace weir::probes {
namespace {

constexpr std::size_t kStreams = 4;
/// A multiple of this per stream and thread; also the unit of the loop below.
constexpr std::size_t kLine = 64;
/// How far ahead each stream is fetched: hardware prefetchers stop at each page of 4 kB. Worth a third of the
/// bandwidth.
constexpr std::size_t kAhead = 1024;

/// Adds up four streams of `lines` cache lines each that lie one after another.
std::uint64_t read_streams(const std::uint64_t* from, std::size_t lines) {
  constexpr std::size_t kWords = kLine / sizeof(std::uint64_t);
  std::array<const std::uint64_t*, kStreams> stream{};
  for (std::size_t s = 0; s < kStreams; ++s) stream[s] = from + s * lines * kWords;
  std::array<std::uint64_t, kWords> sum{};
  for (std::size_t line = 0; line < lines; ++line) {
    for (const std::uint64_t*& words : stream) {
      __builtin_prefetch(reinterpret_cast<const char*>(words) + kAhead);  // beyond the end it does nothing
      for (std::size_t word = 0; word < kWords; ++word) sum[word] ^= words[word];
      words += kWords;
    }
  }
  std::uint64_t total = 0;
  for (std::uint64_t word : sum) total ^= word;
  return total;
}

template <class Body>
void on_threads(int threads, const Body& body) {
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back([&body, thread] { body(thread); });
  body(0);
  for (std::thread& other : others) other.join();
}

}  // namespace

MemoryStream::MemoryStream(std::size_t bytes, int threads) : threads_(threads < 1 ? 1 : threads) {
  const std::size_t unit = kLine * kStreams * static_cast<std::size_t>(threads_);
  bytes_ = (bytes + unit - 1) / unit * unit;
  memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
  madvise(memory_, bytes_, MADV_HUGEPAGE);  // fewer TLB misses where the system allows it
  const std::size_t words = bytes_ / sizeof(std::uint64_t) / static_cast<std::size_t>(threads_);
  on_threads(threads_, [&](int thread) {
    std::uint64_t* part = static_cast<std::uint64_t*>(memory_) + static_cast<std::size_t>(thread) * words;
    for (std::size_t i = 0; i < words; ++i) part[i] = i * 0x9E3779B97F4A7C15ULL;
  });
}

MemoryStream::~MemoryStream() { munmap(memory_, bytes_); }

double MemoryStream::pass() {
  const std::size_t lines_a_stream = bytes_ / kLine / kStreams / static_cast<std::size_t>(threads_);
  const std::size_t words_a_thread = bytes_ / sizeof(std::uint64_t) / static_cast<std::size_t>(threads_);
  std::atomic<std::uint64_t> total{0};
  const Clocks clocks = Clocks::system();
  const double from_s = clocks.wall_s();
  on_threads(threads_, [&](int thread) {
    const auto* part = static_cast<const std::uint64_t*>(memory_) + static_cast<std::size_t>(thread) * words_a_thread;
    total ^= read_streams(part, lines_a_stream);
  });
  const double took_s = clocks.wall_s() - from_s;
  checksum_ ^= total;
  return static_cast<double>(bytes_) / took_s;
}

}  // namespace weir::probes
