#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace weir::probes {

/// A large buffer that all threads read through, each its own part in four streams at once (one stream alone reads at
/// about 0.7 of what a core can). One pass does two things: it measures the read bandwidth there is at this moment, and
/// it drives everything else out of the caches, so that the weights read next come from memory as they do in serving.
class MemoryStream {
 public:
  /// Allocates, touches and fills. Throws std::bad_alloc.
  MemoryStream(std::size_t bytes, int threads);
  ~MemoryStream();
  MemoryStream(const MemoryStream&) = delete;
  MemoryStream& operator=(const MemoryStream&) = delete;

  /// Reads all of it; returns bytes / s.
  double pass();
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  int threads_;
  void* memory_ = nullptr;
  std::uint64_t checksum_ = 0;  ///< what was read goes somewhere, so that it is read
};

}  // namespace weir::probes
