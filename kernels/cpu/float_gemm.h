#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "kernels/cpu/kernel_table.h"
#include "kernels/cpu/thread_pool.h"
#include "kernels/device.h"

namespace weir::kernels::cpu {

/// GEMM with FP32 or BF16 weights. The weights of one object's pack() go with the same kind of object.
class FloatGemm {
 public:
  virtual ~FloatGemm() = default;
  virtual PackedWeightsPtr pack(DataType type, std::int64_t n, std::int64_t k, std::span<const float> weights) = 0;
  virtual void gemm(const float* a, const PackedWeights& w, float* c, std::int64_t m) = 0;
};

/// Plain loops: for machines without oneDNN, and the check of it.
std::unique_ptr<FloatGemm> make_portable_gemm(ThreadPool& pool);
/// Null when this build has no oneDNN.
std::unique_ptr<FloatGemm> make_onednn_gemm(ThreadPool& pool, const KernelTable& table);
/// "oneDNN 2.6.3", or "".
std::string onednn_version();

/// From now on a library called on this thread works on this thread alone; our pool is what makes it parallel.
void use_one_library_thread();

}  // namespace weir::kernels::cpu
