#include "sim/timing/efficiency_kernels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "data/errors.h"
#include "sim/core/math.h"

namespace weir::sim {
namespace {

constexpr double kGemmPower = 1.9;         // fitted on published kernels
constexpr double kGemmLaunch_s = 2.3e-6;   // fitted on published kernels
constexpr double kElementwiseShare = 0.7;  // of the bandwidth
constexpr std::int64_t kTileRows = 64;
constexpr double kBorrowedSpread = 1.5;  // a share of other parts is this much wider on the log scale

std::string two_digits(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 2);
  return error == std::errc{} ? std::string(buffer, end) : std::string("?");
}

std::string op_and_precision(std::string_view op, data::Precision precision, const std::string& architecture) {
  return std::string(op) + " " + std::string(data::to_string(precision)) + " on " + architecture;
}

}  // namespace

double LimitShare::log_spread() const {
  const double half = 0.5 * math::log(efficiency.p90 / efficiency.p10);
  return efficiency.evidence == data::Evidence::assumption ? kBorrowedSpread * half : half;
}

double peak_flops_per_s(const data::Accelerator& accelerator, data::Precision precision) {
  const auto found = accelerator.peak_flops_per_s.find(precision);
  if (found != accelerator.peak_flops_per_s.end() && found->second.known()) return *found->second.value;
  std::string allowed = accelerator.name + " computes in";
  for (const auto& [known, peak] : accelerator.peak_flops_per_s) {
    if (peak.known()) allowed += " " + std::string(data::to_string(known));
  }
  throw data::InputError("", "precision", std::string(data::to_string(precision)), allowed);
}

double peak_bytes_per_s(const data::Accelerator& accelerator) {
  if (accelerator.memory_bandwidth_bytes_per_s.known()) return *accelerator.memory_bandwidth_bytes_per_s.value;
  throw data::InputError("", "accelerator", accelerator.id, "its memory bandwidth is unknown; add it to the catalogue");
}

data::Precision wide_precision(const data::Accelerator& accelerator, data::Precision weights) {
  using data::Precision;
  if (data::bytes_per_element(weights) >= 2) return weights;
  for (const Precision wide : {Precision::fp16, Precision::bf16, Precision::fp32}) {
    if (accelerator.supports(wide)) return wide;
  }
  return Precision::fp32;
}

std::string describe(const data::Efficiency& efficiency) {
  return "median " + two_digits(efficiency.median) + " of the limit, P10-P90 " + two_digits(efficiency.p10) + "-" +
         two_digits(efficiency.p90) + ", n = " + std::to_string(efficiency.n) + ": " + efficiency.source;
}

EfficiencyKernels::EfficiencyKernels(const data::Accelerator& accelerator, const data::EfficiencyTable& efficiency,
                                     const ShardedModel& model)
    : architecture_(accelerator.architecture),
      hardware_name_(accelerator.name),
      layer_precision_(model.precisions().weights),
      head_precision_(model.precisions().head),
      bandwidth_bytes_per_s_(peak_bytes_per_s(accelerator)),
      has_head_(!model.is_encoder()),
      ranks_(model.tensor_parallel()) {
  const auto share = [&](std::string_view op, data::Precision precision, double limit) {
    return LimitShare{efficiency.find(accelerator.architecture, accelerator.id, op, precision), limit};
  };
  const auto gemm_shares = [&](data::Precision weights, data::Precision activations) {
    const data::Precision compute = compute_precision(weights, activations);
    return GemmShares{share("gemm", compute, peak_flops_per_s(accelerator, compute)),
                      share("gemm_memory", weights, bandwidth_bytes_per_s_)};
  };
  layer_ = gemm_shares(layer_precision_, model.precisions().activations);
  head_ = gemm_shares(head_precision_, head_precision_);
  const data::Precision wide = wide_precision(accelerator, model.precisions().activations);
  prefill_ = share("attention_prefill", data::Precision::fp16, peak_flops_per_s(accelerator, wide));
  decode_ = share("attention_decode", data::Precision::fp16, bandwidth_bytes_per_s_);
  if (ranks_ > 1) link_ = find_link(accelerator, efficiency, ranks_);
}

double EfficiencyKernels::gemm_s(const Operator& op) const {
  const GemmShares& limits = shares(op);
  const std::int64_t tiles = (op.m + kTileRows - 1) / kTileRows;
  const double rows = static_cast<double>(op.m > kTileRows ? tiles * kTileRows : op.m);
  const double compute_s = 2 * rows * static_cast<double>(op.n) * static_cast<double>(op.k) / limits.compute.rate();
  const double memory_s = op.bytes / limits.memory.rate();
  // The longer one is taken out of the root, so that tiny times don't underflow.
  const double longer = std::max(compute_s, memory_s), shorter = std::min(compute_s, memory_s);
  return longer * math::pow(1 + math::pow(shorter / longer, kGemmPower), 1 / kGemmPower) + kGemmLaunch_s;
}

double EfficiencyKernels::seconds(const Operator& op) const {
  switch (op.kind) {
    case OperatorKind::gemm:
      return gemm_s(op);
    case OperatorKind::attention_prefill:
      return op.flops / prefill_.rate();
    case OperatorKind::attention_decode:
      return op.bytes / decode_.rate();
    case OperatorKind::norm:
    case OperatorKind::rope:
    case OperatorKind::activation:
    case OperatorKind::residual:
      return op.bytes / (kElementwiseShare * bandwidth_bytes_per_s_);
    case OperatorKind::all_reduce:
      return ring_all_reduce_s(op.bytes, ranks_, *link_);
  }
  throw std::logic_error("unknown operator kind");
}

double EfficiencyKernels::log_spread(const Operator& op) const {
  switch (op.kind) {
    case OperatorKind::gemm: {
      const GemmShares& limits = shares(op);
      const bool compute_bound = op.flops / limits.compute.rate() > op.bytes / limits.memory.rate();
      return (compute_bound ? limits.compute : limits.memory).log_spread();
    }
    case OperatorKind::attention_prefill:
      return prefill_.log_spread();
    case OperatorKind::attention_decode:
      return decode_.log_spread();
    case OperatorKind::all_reduce:
      return LimitShare{link_->efficiency, 0}.log_spread();
    default:
      return decode_.log_spread();  // bound by memory too
  }
}

std::vector<EvidenceNote> EfficiencyKernels::evidence() const {
  std::vector<EvidenceNote> notes;
  const auto note = [&](std::string what, const data::Efficiency& efficiency) {
    notes.push_back({std::move(what), efficiency.evidence, describe(efficiency)});
  };
  const auto note_gemm = [&](const GemmShares& limits, data::Precision weights, const std::string& suffix) {
    note(op_and_precision("gemm", limits.compute.efficiency.precision, architecture_) + suffix,
         limits.compute.efficiency);
    note(op_and_precision("gemm weights", weights, architecture_) + suffix, limits.memory.efficiency);
  };
  note_gemm(layer_, layer_precision_, "");
  if (has_head_ && head_precision_ != layer_precision_) note_gemm(head_, head_precision_, " (vocabulary)");
  note("attention prefill on " + architecture_, prefill_.efficiency);
  if (has_head_) note("attention decode on " + architecture_, decode_.efficiency);
  if (link_) note("all-reduce over " + link_->name, link_->efficiency);
  return notes;
}

}  // namespace weir::sim
