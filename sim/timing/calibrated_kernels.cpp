#include "sim/timing/calibrated_kernels.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "sim/core/math.h"

namespace weir::sim {
namespace {

using data::Precision;
using data::Sample;

constexpr double kUnknownError = 0.25;    // one sample alone says nothing about its neighbours
constexpr double kContendedFactor = 2.0;  // measured beside other work: read the error twice as wide

std::int64_t shape_value(const Sample& sample, const char* key, std::int64_t otherwise) {
  const auto found = sample.shape.find(key);
  return found == sample.shape.end() ? otherwise : static_cast<std::int64_t>(found->second + 0.5);
}

Operator attention_operator(const Sample& sample, const ShardedModel& model, bool decode) {
  // Shapes as measured; element sizes as the model stores them: both sides of the ratio use the same ones.
  const std::int64_t batch = std::max<std::int64_t>(1, shape_value(sample, "batch", 1));
  Operator op;
  op.heads = shape_value(sample, "heads", model.heads());
  op.kv_heads = shape_value(sample, "kv_heads", model.kv_heads());
  op.head_dim = shape_value(sample, "head_dim", model.head_dim());
  const double width = static_cast<double>(op.heads * op.head_dim);
  const double kv_width = static_cast<double>(op.kv_heads * op.head_dim);
  const double kv_element = data::bytes_per_element(model.precisions().kv);
  if (decode) {
    op.kind = OperatorKind::attention_decode;
    op.batch = batch;
    op.context_tokens = batch * shape_value(sample, "context_tokens", 1);
    const double context = static_cast<double>(op.context_tokens);
    op.flops = 4 * width * context;
    op.bytes = 2 * kv_width * kv_element * context;
    return op;
  }
  op.kind = OperatorKind::attention_prefill;
  op.q_tokens = shape_value(sample, "q_tokens", 1);
  op.past_tokens = shape_value(sample, "past_tokens", 0);
  const double q = static_cast<double>(op.q_tokens), past = static_cast<double>(op.past_tokens);
  op.flops = 4 * width * causal_pairs(q, past);
  op.bytes = 2 * q * width * activation_bytes(model.precisions().activations) + 2 * (past + q) * kv_width * kv_element;
  return op;
}

Operator elementwise_operator(const Sample& sample, const ShardedModel& model, OperatorKind kind) {
  Operator op;
  op.kind = kind;
  op.m = shape_value(sample, "tokens", 1);
  op.n = shape_value(sample, "width", 1);
  double moved_per_row = 2 * static_cast<double>(op.n);
  if (kind == OperatorKind::activation) moved_per_row = 3 * static_cast<double>(op.n);
  if (kind == OperatorKind::rope) {
    const std::int64_t heads = shape_value(sample, "heads", model.heads());
    // "heads" of a rotation counts the query heads; k and v of the measured model come with them.
    const std::int64_t kv_heads = shape_value(sample, "kv_heads", model.kv_heads());
    op.n = (heads + 2 * kv_heads) * shape_value(sample, "head_dim", model.head_dim());
    moved_per_row = 2 * static_cast<double>(op.n);
  }
  op.bytes = static_cast<double>(op.m) * moved_per_row * activation_bytes(model.precisions().activations);
  return op;
}

/// The sample as the operator it measured; empty for whole layers and for kinds this version does not know.
std::optional<Operator> as_operator(const Sample& sample, const ShardedModel& model) {
  if (sample.op == "gemm") {
    return make_gemm("gemm", shape_value(sample, "m", 1), shape_value(sample, "n", 1), shape_value(sample, "k", 1),
                     sample.precision, sample.precision);
  }
  if (sample.op == "attention_decode") return attention_operator(sample, model, true);
  if (sample.op == "attention_prefill") return attention_operator(sample, model, false);
  if (sample.op == "norm") return elementwise_operator(sample, model, OperatorKind::norm);
  if (sample.op == "activation") return elementwise_operator(sample, model, OperatorKind::activation);
  if (sample.op == "rope") return elementwise_operator(sample, model, OperatorKind::rope);
  return std::nullopt;
}

double log_of(std::int64_t value) { return math::log(static_cast<double>(std::max<std::int64_t>(1, value))); }

struct Coordinates {
  LogInterpolation::Key key;
  double log_main = 0;
};

Coordinates coordinates(const Operator& op) {
  switch (op.kind) {
    case OperatorKind::gemm:
      return {{log_of(op.n), log_of(op.k)}, log_of(op.m)};
    case OperatorKind::attention_prefill:
      return {{log_of(1 + op.past_tokens), log_of(op.heads), log_of(op.kv_heads), log_of(op.head_dim)},
              log_of(op.q_tokens)};
    case OperatorKind::attention_decode:
      return {{log_of(op.batch), log_of(op.heads), log_of(op.kv_heads), log_of(op.head_dim)},
              log_of(op.context_tokens / std::max<std::int64_t>(1, op.batch))};
    default:
      return {{log_of(op.n)}, log_of(op.m)};
  }
}

double p80(std::vector<double> errors) {
  if (errors.empty()) return kUnknownError;
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  const double at = 0.8 * static_cast<double>(errors.size() - 1);
  const auto left = static_cast<std::size_t>(at);
  const std::size_t right = std::min(left + 1, errors.size() - 1);
  return errors[left] + (at - static_cast<double>(left)) * (errors[right] - errors[left]);
}

std::string percent(double value) { return std::to_string(static_cast<int>(100 * value + 0.5)) + "%"; }

/// Executions the sample's time covers: prefill of several sequences counts each of them.
double executions(const Sample& sample) {
  return sample.op == "attention_prefill"
             ? static_cast<double>(std::max<std::int64_t>(1, shape_value(sample, "batch", 1)))
             : 1.0;
}

}  // namespace

CalibratedKernels::CalibratedKernels(const data::Accelerator& accelerator, const data::Calibration& calibration,
                                     const ShardedModel& model, std::unique_ptr<KernelTimes> otherwise)
    : accelerator_(accelerator),
      bandwidth_bytes_per_s_(peak_bytes_per_s(accelerator)),
      otherwise_(std::move(otherwise)),
      source_(calibration.source.empty() ? calibration.device_name : calibration.source),
      evidence_(calibration.evidence),
      contended_(calibration.contended) {
  std::map<TableKey, std::vector<LogInterpolation::Point>> points;
  const Precision layer = model.precisions().weights, head = model.precisions().head;
  for (const Sample& sample : calibration.samples) {
    const std::optional<Operator> op = as_operator(sample, model);
    if (!op || !(sample.median_s > 0)) continue;
    const bool gemm = op->kind == OperatorKind::gemm;
    if (gemm && sample.precision != layer && sample.precision != head) continue;
    const Coordinates at = coordinates(*op);
    const double seconds = sample.median_s / executions(sample);
    points[{op->kind, gemm ? sample.precision : Precision::fp32}].push_back(
        {at.key, at.log_main, math::log(seconds / roofline_s(*op))});
  }
  std::vector<double> all_errors;
  for (const auto& [key, list] : points) {
    add_table(key, list);
    const std::vector<double>& errors = tables_.at(key).errors;
    all_errors.insert(all_errors.end(), errors.begin(), errors.end());
  }
  leave_one_out_error_ = p80(std::move(all_errors)) * (contended_ ? kContendedFactor : 1);
}

void CalibratedKernels::add_table(TableKey key, const std::vector<LogInterpolation::Point>& points) {
  Table table;
  table.errors = LogInterpolation::leave_one_out_errors(points);
  table.error_p80 = p80(table.errors) * (contended_ ? kContendedFactor : 1);
  table.log_excess = LogInterpolation(points);
  tables_.emplace(key, std::move(table));
}

double CalibratedKernels::roofline_s(const Operator& asked) const {
  // The kernels measured decide what a precision of weights computes in, so samples and questions use the same rule.
  const bool gemm = asked.kind == OperatorKind::gemm;
  const Operator op = gemm ? make_gemm(asked.name, asked.m, asked.n, asked.k, asked.weights, asked.weights) : asked;
  const Precision compute = gemm ? op.compute : wide_precision(accelerator_, Precision::int8);
  const auto peak = accelerator_.peak_flops_per_s.find(compute);
  const bool known = peak != accelerator_.peak_flops_per_s.end() && peak->second.known();
  const double compute_s = known ? op.flops / *peak->second.value : 0;
  return std::max(compute_s, op.bytes / bandwidth_bytes_per_s_);
}

const CalibratedKernels::Table* CalibratedKernels::table_for(const Operator& op) const {
  const auto found = tables_.find({op.kind, op.kind == OperatorKind::gemm ? op.weights : Precision::fp32});
  return found == tables_.end() ? nullptr : &found->second;
}

double CalibratedKernels::seconds(const Operator& op) const {
  const Table* table = table_for(op);
  if (!table) return otherwise_->seconds(op);
  const Coordinates at = coordinates(op);
  return roofline_s(op) * math::exp(table->log_excess.at(at.key, at.log_main));
}

double CalibratedKernels::log_spread(const Operator& op) const {
  const Table* table = table_for(op);
  return table ? table->error_p80 : otherwise_->log_spread(op);
}

std::vector<EvidenceNote> CalibratedKernels::evidence() const {
  std::vector<EvidenceNote> notes;
  for (const auto& [key, table] : tables_) {
    std::string what(to_string(key.first));
    if (key.first == OperatorKind::gemm) what += " " + std::string(data::to_string(key.second));
    what += " on " + accelerator_.name;
    std::string text = std::to_string(table.log_excess.size()) + " shapes measured, left-one-out error P80 " +
                       percent(table.error_p80) + (contended_ ? " (machine was busy: doubled)" : "") + ": " + source_;
    notes.push_back({std::move(what), evidence_, std::move(text)});
  }
  for (const OperatorKind kind :
       {OperatorKind::gemm, OperatorKind::attention_prefill, OperatorKind::attention_decode}) {
    const bool measured =
        std::any_of(tables_.begin(), tables_.end(), [&](const auto& entry) { return entry.first.first == kind; });
    if (measured) continue;
    for (EvidenceNote& note : otherwise_->evidence()) {
      const std::string_view name = kind == OperatorKind::gemm                ? "gemm"
                                    : kind == OperatorKind::attention_prefill ? "attention prefill"
                                                                              : "attention decode";
      if (note.what.rfind(name, 0) != 0) continue;
      note.source = "not measured on this device; " + note.source;
      notes.push_back(std::move(note));
    }
  }
  // Experts and latent attention are not in a calibration.
  for (EvidenceNote& note : otherwise_->evidence()) {
    if (!note.what.ends_with(" (experts)") && !note.what.starts_with("latent attention")) continue;
    note.source = "not measured on this device; " + note.source;
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace weir::sim
