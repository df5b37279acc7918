#pragma once

#include <cstddef>

namespace weir::kernels::cpu {

/// Aligned memory, in 2 MB pages where it is large and the system grants them. DeviceError when there is none.
class AlignedMemory {
 public:
  AlignedMemory() = default;
  explicit AlignedMemory(std::size_t bytes);
  AlignedMemory(AlignedMemory&& other) noexcept;
  AlignedMemory& operator=(AlignedMemory&& other) noexcept;
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;
  ~AlignedMemory();

  std::size_t bytes() const { return bytes_; }
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(data_);
  }
  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data_);
  }

  /// At least `bytes`, contents lost when it has to grow.
  void reserve(std::size_t bytes);

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace weir::kernels::cpu
