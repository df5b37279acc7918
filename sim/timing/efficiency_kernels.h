#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/sharded_model.h"
#include "sim/timing/collectives.h"
#include "sim/timing/kernel_times.h"

namespace weir::sim {

/// A share of the datasheet limit and that limit.
struct LimitShare {
  data::Efficiency efficiency;
  double limit = 0;  ///< flop/s or bytes/s of the datasheet
  double rate() const { return limit * efficiency.median; }
  double log_spread() const;
};

/// Kernel times of a device without measurements of its own: datasheet limit x the share of it that published kernels
/// reached.
///   gemm = (c^1.9 + b^1.9)^(1/1.9) + 2.3 us, c = 2 m' n k / compute rate, b = bytes / memory rate, m' = m rounded up
///   to 64 above 64 (whole tiles); attention_decode = KV bytes / memory rate; attention_prefill = operations / compute
///   rate; elementwise = bytes / (0.7 bandwidth).
///   grouped_gemm = as gemm with the shares of experts and m' of each expert; latent_prefill = operations / compute
///   rate; latent_decode = longer of operations / peak and bytes / bandwidth, / share.
/// 2:4 sparse weights: 1.3 x the dense compute rate and 0.9 x the memory rate, see sparse_note().
class EfficiencyKernels : public KernelTimes {
 public:
  /// Throws InputError when the accelerator does not compute in one of the model's precisions.
  EfficiencyKernels(const data::Accelerator& accelerator, const data::EfficiencyTable& efficiency,
                    const ShardedModel& model, Collectives collectives);

  double seconds(const Operator& op) const override;
  double log_spread(const Operator& op) const override;
  std::vector<EvidenceNote> evidence() const override;

 private:
  struct GemmShares {
    LimitShare compute, memory;
  };
  const GemmShares& shares(const Operator& op) const;
  double gemm_s(const Operator& op) const;
  double latent_limit_s(const Operator& op) const;
  void note_special(std::vector<EvidenceNote>& notes) const;

  std::string architecture_, hardware_name_;
  data::Precision layer_precision_, head_precision_;
  double bandwidth_bytes_per_s_ = 0;
  double wide_flops_per_s_ = 0;  ///< peak of attention
  GemmShares layer_, head_;
  std::optional<GemmShares> expert_;
  LimitShare prefill_, decode_;
  bool has_head_ = true, latent_ = false, sparse_ = false;
  int ranks_ = 1;        ///< tensor parallel
  int stage_ranks_ = 1;  ///< of one pipeline stage
  int stages_ = 1, groups_ = 1;
  Collectives collectives_;
};

/// Peak of a precision. Throws InputError naming those the accelerator computes in.
double peak_flops_per_s(const data::Accelerator& accelerator, data::Precision precision);
/// Memory bandwidth. Throws InputError when the catalogue does not know it.
double peak_bytes_per_s(const data::Accelerator& accelerator);
/// Precision attention and the vocabulary projection run in when the GEMMs are narrower than 16 bits: the first of
/// fp16, bf16, fp32 that the accelerator has.
data::Precision wide_precision(const data::Accelerator& accelerator, data::Precision weights);
/// Throws InputError when the accelerator has no kernels for these precisions, or no 2:4 sparse tensor units.
void require_kernels(const data::Accelerator& accelerator, data::Precision weights, data::Precision activations,
                     bool sparse);
/// "median 0.83 of the limit, P10-P90 0.70-0.90, n = 76: SOURCE"
std::string describe(const data::Efficiency& efficiency);

}  // namespace weir::sim
