#pragma once

#include <cstdint>
#include <span>

#include "kernels/cpu/aligned_memory.h"
#include "kernels/cpu/kernel_table.h"
#include "kernels/cpu/thread_pool.h"
#include "kernels/device.h"

namespace weir::kernels::cpu {

class Int8Weights;

/// W8A8: int8 weights with a scale per output row, rows of activations quantised on the way, exact int32 sums.
class Int8Gemm {
 public:
  Int8Gemm(ThreadPool& pool, const KernelTable& table) : pool_(pool), table_(table) {}
  PackedWeightsPtr pack(std::int64_t n, std::int64_t k, std::span<const float> weights);
  void gemm(const float* a, const PackedWeights& w, float* c, std::int64_t m);

 private:
  void few_rows(const float* a, const Int8Weights& w, float* c, int rows);
  void many_rows(const float* a, const Int8Weights& w, float* c, std::int64_t rows);

  ThreadPool& pool_;
  const KernelTable& table_;
  AlignedMemory quantized_, packed_, scales_;
};

}  // namespace weir::kernels::cpu
