#include "sim/timing/encoder_timer.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/core/math.h"
#include "sim/timing/collectives.h"
#include "sim/timing/efficiency_kernels.h"

namespace weir::sim {
namespace {

constexpr double kOverlapPower = 1.5;    // fitted on published BERT rows
constexpr double kFusedByteShare = 0.5;  // of the matrices' weights, inputs and outputs: the rest stays on chip
constexpr double kBandwidthShare = 0.7;

}  // namespace

EncoderTimer::EncoderTimer(const data::Accelerator& accelerator, const data::EfficiencyTable& efficiency,
                           const data::EngineOverhead& engine, const ShardedModel& whole, const ShardedModel& rank,
                           Collectives collectives)
    : work_(work_rates_of(whole, rank)), ranks_(rank.tensor_parallel()), collectives_(std::move(collectives)) {
  const data::Precision compute = compute_precision(rank.precisions().weights, rank.precisions().activations);
  const data::Efficiency share = efficiency.find(accelerator.architecture, accelerator.id, "encoder", compute);
  peaks_.flops_per_s = sim::peak_flops_per_s(accelerator, compute) * ranks_;
  peaks_.bytes_per_s = sim::peak_bytes_per_s(accelerator) * ranks_;
  rate_flops_per_s_ = peaks_.flops_per_s * share.median / engine.encoder_time_factor;
  rate_bytes_per_s_ = peaks_.bytes_per_s * kBandwidthShare;
  host_s_ = engine.encoder_host_s;
  double rows_moved = 0;
  for (const Linear& linear : rank.linears()) rows_moved += static_cast<double>(linear.n + linear.k);
  const double element = rank.layers() * ranks_ * weight_bytes_per_parameter(compute);
  matrix_bytes_ = element * rank.layer_parameters();
  matrix_bytes_per_token_ = element * rows_moved;
  launches_s_ = rank.layers() * engine.encoder_kernels_per_layer * engine.encoder_kernel_s *
                efficiency.launch_factor(accelerator.architecture);
  notes_.push_back({"encoder " + std::string(data::to_string(compute)) + " on " + accelerator.architecture,
                    share.evidence, describe(share)});
  if (ranks_ > 1) {
    all_reduces_ = 2.0 * rank.layers();
    hidden_bytes_ = static_cast<double>(rank.hidden()) * activation_bytes(rank.precisions().activations);
    for (EvidenceNote& note : collectives_.evidence(CollectiveOp::all_reduce, ranks_))
      notes_.push_back(std::move(note));
  }
  notes_.push_back({"engine " + engine.engine, engine.evidence, engine.source});
  const double spread = LimitShare{share, 0}.log_spread();
  // The engine's error comes from left-out rows of measured parts; what a borrowed share adds comes on top.
  const double extra = share.evidence == data::Evidence::assumption ? spread : 0.5 * spread;
  relative_error_ = std::sqrt(engine.encoder_relative_error * engine.encoder_relative_error + extra * extra);
}

Time EncoderTimer::iteration(const IterationShape& shape) const {
  if (shape.decode_sequences > 0) throw std::logic_error("an encoder does not decode");
  std::int64_t tokens = 0, pairs = 0;
  for (const PrefillChunk& chunk : shape.prefill) {
    const std::int64_t length = chunk.new_tokens + chunk.past_tokens;
    tokens += length;
    pairs += length * length;
  }
  return duration(tokens, static_cast<std::int64_t>(shape.prefill.size()), pairs);
}

Time EncoderTimer::batch(std::int64_t items, std::int64_t tokens) const {
  return duration(items * tokens, items, items * tokens * tokens);
}

Time EncoderTimer::duration(std::int64_t tokens, std::int64_t items, std::int64_t pairs) const {
  if (tokens <= 0 || items <= 0) return {};
  const double rows = static_cast<double>(tokens);
  const double flops = work_.flops(StepWork{.tokens = tokens, .pairs = pairs});
  const double moved = matrix_bytes_ + rows * matrix_bytes_per_token_;
  const double work_s = flops / rate_flops_per_s_ + kFusedByteShare * moved / rate_bytes_per_s_ +
                        all_reduces_ * collectives_.exposed_all_reduce_s(rows * hidden_bytes_, ranks_);
  const double longer = std::max(work_s, launches_s_), shorter = std::min(work_s, launches_s_);
  const double seconds = longer * math::pow(1 + math::pow(shorter / longer, kOverlapPower), 1 / kOverlapPower);
  return Time::from_seconds(host_s_ + seconds);
}

std::vector<EvidenceNote> EncoderTimer::evidence() const { return notes_; }

}  // namespace weir::sim
