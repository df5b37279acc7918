#include "kernels/cpu/aligned_memory.h"

#include <cstdlib>
#include <string>
#include <utility>

#include "kernels/cpu/cpu_info.h"
#include "kernels/device.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace weir::kernels::cpu {
namespace {

constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

}  // namespace

AlignedMemory::AlignedMemory(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  // malloc promises more than there is; memory that can never be touched is refused here, not by a kill later.
  const double usable = usable_memory_bytes();
  if (usable > 0 && static_cast<double>(bytes) > usable) {
    throw DeviceError("cannot allocate " + std::to_string(bytes) + " bytes: the process may use " +
                      std::to_string(static_cast<long long>(usable)));
  }
  const bool large = bytes >= 2 * kHugePageBytes;
  const std::size_t alignment = large ? kHugePageBytes : kLineBytes;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  data_ = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
  if (data_ == nullptr) throw DeviceError("cannot allocate " + std::to_string(bytes) + " bytes");
#if defined(__linux__)
  // Advice only: a system without transparent huge pages refuses, and nothing but speed depends on it.
  if (large) static_cast<void>(madvise(data_, rounded, MADV_HUGEPAGE));
#endif
}

AlignedMemory::AlignedMemory(AlignedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

AlignedMemory& AlignedMemory::operator=(AlignedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

AlignedMemory::~AlignedMemory() { std::free(data_); }

void AlignedMemory::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return;
  *this = AlignedMemory();
  *this = AlignedMemory(bytes);
}

}  // namespace weir::kernels::cpu
