#include "sim/metrics/batch_means.h"

#include <algorithm>
#include <cmath>

#include "sim/metrics/student.h"

namespace weir::sim {

void BatchMeans::join_neighbours() {
  for (std::size_t i = 0; i < kMostBatches / 2; ++i) {
    const Batch &left = batches_[2 * i], &right = batches_[2 * i + 1];
    batches_[i] = {left.ticks + right.ticks, left.n + right.n};
  }
  std::fill(batches_.begin() + kMostBatches / 2, batches_.end(), Batch{});
  ++shift_;
}

void BatchMeans::add(const BulkValues& values) {
  last_ = std::max(last_, values.greatest);
  while (last_ >> shift_ >= kMostBatches) join_neighbours();
  if (values.least >> shift_ == values.greatest >> shift_) {
    Batch& batch = batches_[values.least >> shift_];
    batch.ticks += values.sum;
    batch.n += static_cast<std::int64_t>(values.ticks.size());
    return;
  }
  for (std::size_t i = 0; i < values.ticks.size(); ++i) {
    Batch& batch = batches_[values.indices[i] >> shift_];
    batch.ticks += values.ticks[i];
    ++batch.n;
  }
}

void BatchMeans::merge(const BatchMeans& other) {
  while (shift_ < other.shift_) join_neighbours();
  last_ = std::max(last_, other.last_);
  const int coarser = shift_ - other.shift_;
  for (std::size_t i = 0; i < kMostBatches; ++i) {
    Batch& to = batches_[i >> coarser];
    to.ticks += other.batches_[i].ticks;
    to.n += other.batches_[i].n;
  }
}

std::int64_t BatchMeans::count() const {
  std::int64_t n = 0;
  for (const Batch& batch : batches_) n += batch.n;
  return n;
}

WideInt BatchMeans::sum_ticks() const {
  WideInt ticks = 0;
  for (const Batch& batch : batches_) ticks += batch.ticks;
  return ticks;
}

std::optional<double> BatchMeans::half_width_99() const {
  if (count() < kFewestValues) return std::nullopt;
  // Between 20 and 39 batches: fewer, longer ones are less correlated.
  BatchMeans joined = *this;
  while ((last_ + 1) >> joined.shift_ >= 2 * kFewestBatches) joined.join_neighbours();
  const auto full = static_cast<std::size_t>((last_ + 1) >> joined.shift_);

  std::int64_t n = 0;
  WideInt ticks = 0;
  int batches = 0;
  for (const Batch& batch : std::span(joined.batches_).first(full)) {
    n += batch.n, ticks += batch.ticks;
    if (batch.n > 0) ++batches;
  }
  if (batches < static_cast<int>(kFewestBatches)) return std::nullopt;
  const double mean = static_cast<double>(ticks) / static_cast<double>(n);
  double squares = 0;
  for (const Batch& batch : std::span(joined.batches_).first(full)) {
    const double off = static_cast<double>(batch.ticks) - mean * static_cast<double>(batch.n);
    squares += off * off;
  }
  const double variance = squares * batches / (batches - 1);  // of the sum over all batches
  return student_99(batches - 1) * std::sqrt(variance) / static_cast<double>(n);
}

}  // namespace weir::sim
