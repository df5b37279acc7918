#include "sim/timing/efficiency_kernels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "data/errors.h"
#include "sim/core/math.h"

namespace weir::sim {
namespace {

constexpr double kGemmPower = 1.9;         // fitted on published kernels
constexpr double kGemmLaunch_s = 2.3e-6;   // fitted on published kernels
constexpr double kElementwiseShare = 0.7;  // of the bandwidth
constexpr double kTileRows = 64;
// torchao (sparsity/README.md, A100): matrix products up to 1.7 x, a whole ViT-H 1.07 x; the middle of that range. The
// sparse Marlin kernel reads its weights at 689 GB/s where the dense one reaches 763 GB/s (Llama-3-8B, int4).
constexpr double kSparseSpeedup = 1.3, kSparseBandwidth = 0.9;
constexpr double kSparseSpread = 0.26;  // half of log(1.7 / 1.0)

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

void require_kernels(const data::Accelerator& accelerator, data::Precision weights, data::Precision activations,
                     bool sparse) {
  const std::string_view with_sparse_units[] = {"Ampere", "Ada", "Hopper", "Blackwell"};
  const bool has_sparse_units = std::find(std::begin(with_sparse_units), std::end(with_sparse_units),
                                          accelerator.architecture) != std::end(with_sparse_units);
  if (sparse && !has_sparse_units) {
    throw data::InputError("", "sparsity", "2:4",
                           accelerator.name + " has no 2:4 sparse tensor units (NVIDIA Ampere and later do)");
  }
  // FP8 weights under wider activations are widened on the way in; those kernels begin with Ampere.
  if (weights == data::Precision::fp8 && activations != data::Precision::fp8 &&
      !accelerator.supports(data::Precision::fp8) && accelerator.architecture != "Ampere") {
    throw data::InputError("", "weights", "fp8", accelerator.name + " has no kernels for FP8 weights");
  }
}

EfficiencyKernels::EfficiencyKernels(const data::Accelerator& accelerator, const data::EfficiencyTable& efficiency,
                                     const ShardedModel& model, Collectives collectives)
    : architecture_(accelerator.architecture),
      hardware_name_(accelerator.name),
      layer_precision_(model.precisions().weights),
      head_precision_(model.precisions().head),
      bandwidth_bytes_per_s_(peak_bytes_per_s(accelerator)),
      has_head_(!model.is_encoder()),
      latent_(model.is_latent()),
      sparse_(model.sharding().sparse),
      ranks_(model.tensor_parallel()),
      stage_ranks_(model.tensor_parallel() * model.sharding().expert),
      stages_(model.sharding().pipeline),
      groups_(model.sharding().expert),
      collectives_(std::move(collectives)) {
  const data::Precision activations = model.precisions().activations;
  require_kernels(accelerator, layer_precision_, activations, sparse_);
  const auto share = [&](std::string_view op, data::Precision precision, double limit) {
    return LimitShare{efficiency.find(accelerator.architecture, accelerator.id, op, precision), limit};
  };
  const auto gemm_shares = [&](data::Precision weights, data::Precision inputs, const std::string& op) {
    const data::Precision compute = compute_precision(weights, inputs);
    return GemmShares{share(op, compute, peak_flops_per_s(accelerator, compute)),
                      share(op + "_memory", weights, bandwidth_bytes_per_s_)};
  };
  layer_ = gemm_shares(layer_precision_, activations, "gemm");
  head_ = gemm_shares(head_precision_, head_precision_, "gemm");
  if (model.has_experts()) expert_ = gemm_shares(layer_precision_, activations, "grouped_gemm");
  wide_flops_per_s_ = peak_flops_per_s(accelerator, wide_precision(accelerator, activations));
  prefill_ = share(latent_ ? "mla_prefill" : "attention_prefill", data::Precision::fp16, wide_flops_per_s_);
  decode_ = share(latent_ ? "mla_decode" : "attention_decode", data::Precision::fp16, bandwidth_bytes_per_s_);
}

const EfficiencyKernels::GemmShares& EfficiencyKernels::shares(const Operator& op) const {
  if (op.kind == OperatorKind::grouped_gemm) return *expert_;
  return op.name == "head" || op.name == "router" ? head_ : layer_;
}

double EfficiencyKernels::gemm_s(const Operator& op) const {
  const GemmShares& limits = shares(op);
  const double matrices = op.kind == OperatorKind::grouped_gemm ? op.groups : 1;
  const double each = op.kind == OperatorKind::grouped_gemm
                          ? op.flops / (2 * static_cast<double>(op.n) * static_cast<double>(op.k)) / matrices
                          : static_cast<double>(op.m);
  const double rows = each > kTileRows ? std::ceil(each / kTileRows) * kTileRows : each;
  double compute_s =
      matrices * 2 * rows * static_cast<double>(op.n) * static_cast<double>(op.k) / limits.compute.rate();
  double memory_s = op.bytes / limits.memory.rate();
  if (op.sparse) {
    compute_s /= kSparseSpeedup;
    memory_s /= kSparseBandwidth;
  }
  // The longer one is taken out of the root, so that tiny times don't underflow.
  const double longer = std::max(compute_s, memory_s), shorter = std::min(compute_s, memory_s);
  return longer * math::pow(1 + math::pow(shorter / longer, kGemmPower), 1 / kGemmPower) + kGemmLaunch_s;
}

double EfficiencyKernels::latent_limit_s(const Operator& op) const {
  return std::max(op.flops / wide_flops_per_s_, op.bytes / bandwidth_bytes_per_s_);
}

double EfficiencyKernels::seconds(const Operator& op) const {
  switch (op.kind) {
    case OperatorKind::gemm:
    case OperatorKind::grouped_gemm:
      return gemm_s(op);
    case OperatorKind::attention_prefill:
    case OperatorKind::latent_prefill:
      return op.flops / prefill_.rate();
    case OperatorKind::attention_decode:
      return op.bytes / decode_.rate();
    case OperatorKind::latent_decode:
      return latent_limit_s(op) / decode_.efficiency.median;
    case OperatorKind::norm:
    case OperatorKind::rope:
    case OperatorKind::activation:
    case OperatorKind::residual:
    case OperatorKind::elementwise:
      return op.bytes / (kElementwiseShare * bandwidth_bytes_per_s_);
    case OperatorKind::all_reduce:
      return collectives_.exposed_all_reduce_s(op.bytes, ranks_);
    case OperatorKind::all_to_all:
      return collectives_.all_to_all_s(op.bytes, stage_ranks_);
    case OperatorKind::send:
      return collectives_.send_s(op.bytes, stage_ranks_);
  }
  throw std::logic_error("unknown operator kind");
}

double EfficiencyKernels::log_spread(const Operator& op) const {
  switch (op.kind) {
    case OperatorKind::gemm:
    case OperatorKind::grouped_gemm: {
      const GemmShares& limits = shares(op);
      const bool compute_bound = op.flops / limits.compute.rate() > op.bytes / limits.memory.rate();
      return (compute_bound ? limits.compute : limits.memory).log_spread() + (op.sparse ? kSparseSpread : 0);
    }
    case OperatorKind::attention_prefill:
    case OperatorKind::latent_prefill:
      return prefill_.log_spread();
    case OperatorKind::attention_decode:
    case OperatorKind::latent_decode:
      return decode_.log_spread();
    case OperatorKind::all_reduce:
      return collectives_.log_spread(CollectiveOp::all_reduce, ranks_);
    case OperatorKind::all_to_all:
      return collectives_.log_spread(CollectiveOp::all_to_all, stage_ranks_);
    case OperatorKind::send:
      return collectives_.log_spread(CollectiveOp::send, stages_ * stage_ranks_);
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
  if (expert_) note_gemm(*expert_, layer_precision_, " (experts)");
  note((latent_ ? "latent attention prefill on " : "attention prefill on ") + architecture_, prefill_.efficiency);
  if (has_head_) {
    note((latent_ ? "latent attention decode on " : "attention decode on ") + architecture_, decode_.efficiency);
  }
  for (EvidenceNote& link : collectives_.evidence(CollectiveOp::all_reduce, ranks_)) notes.push_back(std::move(link));
  note_special(notes);
  return notes;
}

void EfficiencyKernels::note_special(std::vector<EvidenceNote>& notes) const {
  const auto add = [&](CollectiveOp op, int ranks) {
    for (EvidenceNote& link : collectives_.evidence(op, ranks)) notes.push_back(std::move(link));
  };
  if (groups_ > 1) add(CollectiveOp::all_to_all, stage_ranks_);
  if (stages_ > 1) add(CollectiveOp::send, stages_ * stage_ranks_);
  if (!sparse_) return;
  notes.push_back(
      {"2:4 sparse weights", data::Evidence::assumption,
       "1.3 x the dense compute rate (matrix products up to 1.7 x, a whole ViT-H 1.07 x on A100), 0.9 x the "
       "dense memory rate (Llama-3-8B int4 on A100): pytorch/ao torchao/sparsity/README.md"});
}

}  // namespace weir::sim
