#include "sim/model/operators.h"

#include <algorithm>
#include <stdexcept>

namespace weir::sim {
namespace {

/// How wide the arithmetic of a precision is, for "the wider of two".
int width_rank(data::Precision precision) {
  switch (precision) {
    case data::Precision::fp32:
      return 6;
    case data::Precision::tf32:
      return 5;
    case data::Precision::bf16:
      return 4;
    case data::Precision::fp16:
      return 3;
    case data::Precision::fp8:
      return 2;
    case data::Precision::int8:
      return 1;
    case data::Precision::int4:
      return 0;
  }
  throw std::logic_error("unknown precision");
}

}  // namespace

std::string_view to_string(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::gemm:
      return "gemm";
    case OperatorKind::attention_prefill:
      return "attention_prefill";
    case OperatorKind::attention_decode:
      return "attention_decode";
    case OperatorKind::norm:
      return "norm";
    case OperatorKind::rope:
      return "rope";
    case OperatorKind::activation:
      return "activation";
    case OperatorKind::residual:
      return "residual";
    case OperatorKind::all_reduce:
      return "all_reduce";
  }
  throw std::logic_error("unknown operator kind");
}

double weight_bytes_per_parameter(data::Precision precision) {
  constexpr double kGroupSize = 128, kScaleBytes = 2;
  if (precision == data::Precision::int4) return 0.5 + kScaleBytes / kGroupSize;
  return data::bytes_per_element(precision);
}

data::Precision compute_precision(data::Precision weights, data::Precision activations) {
  return width_rank(weights) > width_rank(activations) ? weights : activations;
}

double activation_bytes(data::Precision activations) { return std::max(2.0, data::bytes_per_element(activations)); }

Operator make_gemm(std::string_view name, std::int64_t m, std::int64_t n, std::int64_t k, data::Precision weights,
                   data::Precision activations) {
  Operator op;
  op.kind = OperatorKind::gemm;
  op.name = name;
  op.m = m;
  op.n = n;
  op.k = k;
  op.weights = weights;
  op.compute = compute_precision(weights, activations);
  const double rows = static_cast<double>(m), columns = static_cast<double>(n), depth = static_cast<double>(k);
  op.flops = 2 * rows * columns * depth;
  op.bytes = columns * depth * weight_bytes_per_parameter(weights) +
             rows * depth * data::bytes_per_element(op.compute) + rows * columns * activation_bytes(activations);
  return op;
}

}  // namespace weir::sim
