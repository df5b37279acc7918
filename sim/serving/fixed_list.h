#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace weir::sim {

/// A list whose greatest size is known, so that adding to it is one store: no check, no growth. For what every step
/// touches.
template <class T>
class FixedList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit FixedList(std::size_t most) : items_(std::make_unique<T[]>(most)) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T* begin() { return items_.get(); }
  T* end() { return items_.get() + size_; }
  const T* begin() const { return items_.get(); }
  const T* end() const { return items_.get() + size_; }
  T& back() { return items_[size_ - 1]; }
  std::span<const T> span() const { return {items_.get(), size_}; }

  // The owner sees to it that there is room, or something to take.
  void add(const T& item) { items_[size_++] = item; }
  /// A place for one more, to be filled field by field.
  T& add() { return items_[size_++]; }
  T take() { return items_[--size_]; }
  void clear() { size_ = 0; }

 private:
  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0;
};

}  // namespace weir::sim
