#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"

namespace weir::probes {

std::vector<float> random_floats(std::int64_t count, std::uint64_t seed);
kernels::BufferPtr uploaded(kernels::Device& device, const std::vector<float>& values);
std::vector<float> downloaded(kernels::Device& device, const kernels::Buffer& buffer);
/// Largest |got - exact|; NaN when one is.
double worst_difference(std::span<const float> got, std::span<const double> exact);

struct AttentionCase {
  std::string kernel;                                  ///< "attention_prefill" or "attention_decode"
  std::vector<std::int32_t> q_tokens, context_tokens;  ///< of each sequence
  std::int64_t heads = 1, kv_heads = 1, head_dim = 64;
  std::string text() const;
};

/// Largest error of the rotated queries after rope_append_kv.
double rope_error(kernels::Device& device, const AttentionCase& shape);
/// Largest error of the attention over a cache that rope_append_kv has filled, blocks dealt out of order.
double attention_error(kernels::Device& device, const AttentionCase& shape);

}  // namespace weir::probes
