#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Every operation of a device in plain FP64 loops, one token, row or matrix at a time: what the kernels are compared
/// with. Shapes are the caller's promise here; devices check theirs.
namespace weir::kernels::reference {

/// The nearest value FP16 (BF16) can hold, ties to even.
double round_to_fp16(double value);
double round_to_bf16(double value);

/// c[m, n] = a[m, k] x w[n, k]^T.
std::vector<double> gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const float> a,
                         std::span<const float> w);
/// The sums of |a||w|: what the rounding error of a sum is proportional to.
std::vector<double> gemm_magnitude(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const float> a,
                                   std::span<const float> w);

/// Rows of int8 with one scale each: q = rint(x * (127 / absmax)) in FP32, scale = absmax / 127 in FP32.
struct QuantizedRows {
  std::vector<std::int8_t> values;
  std::vector<float> scales;
};
QuantizedRows quantize_rows(std::int64_t rows, std::int64_t columns, std::span<const float> x);
/// Exact sums of a[m, k] x w[n, k]^T. std::overflow_error when one needs more than 32 bits.
std::vector<std::int32_t> gemm_int8(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const std::int8_t> a,
                                    std::span<const std::int8_t> w);

/// q[q_tokens, heads, head_dim] attend to keys and values [context, kv_heads, head_dim] of one sequence, the last
/// q_tokens of which are their own: token i sees context - q_tokens + i + 1 of them.
struct AttentionShape {
  std::int64_t q_tokens = 1, context = 1, heads = 1, kv_heads = 1, head_dim = 1;
};
std::vector<double> attention(const AttentionShape& shape, std::span<const double> q, std::span<const double> keys,
                              std::span<const double> values);

/// One head, pairs (i, i + head_dim / 2) rotated by position x theta^(-2 i / head_dim).
std::vector<double> rope(std::span<const float> head, std::int64_t position, double theta);
/// One row.
std::vector<double> rms_norm(std::span<const float> x, std::span<const float> weight, double epsilon);
/// One row: x holds the gates, then as many factors.
std::vector<double> silu_mul(std::span<const float> x);

}  // namespace weir::kernels::reference
