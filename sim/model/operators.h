#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "data/precision.h"

namespace weir::sim {

enum class OperatorKind {
  gemm,               ///< [m, n] = [m, k] x weights [n, k]
  attention_prefill,  ///< q new tokens of one sequence attend to past tokens and to themselves
  attention_decode,   ///< one new token of each of `batch` sequences attends to its context
  latent_prefill,     ///< attention_prefill of latent attention: keys and values of the past are unfolded again
  latent_decode,      ///< attention_decode of latent attention, in the latent space (absorbed)
  grouped_gemm,       ///< `m` rows dealt over the matrices [n, k] of `groups` experts
  norm,               ///< RMS or layer norm, [m, n]
  rope,               ///< rotates q and k and writes the KV cache, [m, n]
  activation,         ///< SiLU x gate or GELU, [m, n] outputs
  residual,           ///< x += y, [m, n]
  elementwise,        ///< any other pass over memory
  all_reduce,         ///< `bytes` of the message
  all_to_all,         ///< `bytes` that this rank holds for all ranks
  send                ///< `bytes` to the rank of the next pipeline stage
};
inline constexpr std::size_t kOperatorKinds = 14;

std::string_view to_string(OperatorKind kind);

/// One kernel of one rank. flops and bytes are the useful operations and the least traffic with device memory of ONE
/// execution; `count` says how often a layer runs it.
struct Operator {
  OperatorKind kind = OperatorKind::gemm;
  std::string_view name;  ///< "qkv", "o", "gate-up", "down", "head", ...
  double count = 1;
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t q_tokens = 0, past_tokens = 0;  ///< attention_prefill
  std::int64_t batch = 0, context_tokens = 0;  ///< attention_decode: context summed over the sequences
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  double groups = 0;                                ///< grouped_gemm: experts with work, in expectation
  bool sparse = false;                              ///< 2:4 sparse weights
  data::Precision weights = data::Precision::fp16;  ///< gemm: as stored
  data::Precision compute = data::Precision::fp16;  ///< what the arithmetic runs in
  double flops = 0, bytes = 0;
};

/// Bytes one stored parameter takes. int4 has a 16-bit scale for every 128 weights. `sparse`: of every four weights two
/// are kept, each with two bits that say which.
double weight_bytes_per_parameter(data::Precision precision, bool sparse = false);

/// Precision a GEMM computes in: the wider of its operands (weights of 8 or 4 bits under 16-bit activations are widened
/// on the way).
data::Precision compute_precision(data::Precision weights, data::Precision activations);

/// Bytes of an activation between kernels: never below 16 bits, whatever the GEMMs compute in.
double activation_bytes(data::Precision activations);

/// Pairs of query and key of `new_tokens` tokens of a prompt after `past_tokens`: each sees what is before it, itself
/// half (notes: q (past + q/2)).
inline double causal_pairs(double new_tokens, double past_tokens) {
  return new_tokens * (past_tokens + 0.5 * new_tokens);
}

Operator make_gemm(std::string_view name, std::int64_t m, std::int64_t n, std::int64_t k, data::Precision weights,
                   data::Precision activations, bool sparse = false);

/// Matrix products of `rows` rows dealt over `experts` matrices [n, k] of the same shape; both may be expectations.
Operator make_grouped_gemm(std::string_view name, double rows, double experts, std::int64_t n, std::int64_t k,
                           data::Precision weights, data::Precision activations, bool sparse = false);

}  // namespace weir::sim
