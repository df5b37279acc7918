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
    case OperatorKind::latent_prefill:
      return "latent_prefill";
    case OperatorKind::latent_decode:
      return "latent_decode";
    case OperatorKind::grouped_gemm:
      return "grouped_gemm";
    case OperatorKind::norm:
      return "norm";
    case OperatorKind::rope:
      return "rope";
    case OperatorKind::activation:
      return "activation";
    case OperatorKind::residual:
      return "residual";
    case OperatorKind::elementwise:
      return "elementwise";
    case OperatorKind::all_reduce:
      return "all_reduce";
    case OperatorKind::all_to_all:
      return "all_to_all";
    case OperatorKind::send:
      return "send";
  }
  throw std::logic_error("unknown operator kind");
}

double weight_bytes_per_parameter(data::Precision precision, bool sparse) {
  constexpr double kGroupSize = 128, kScaleBytes = 2, kIndexBits = 2, kBitsPerByte = 8;
  const bool int4 = precision == data::Precision::int4;
  const double value = int4 ? 0.5 : data::bytes_per_element(precision);
  const double stored = sparse ? 0.5 * (value + kIndexBits / kBitsPerByte) : value;
  return int4 ? stored + kScaleBytes / kGroupSize : stored;
}

data::Precision compute_precision(data::Precision weights, data::Precision activations) {
  return width_rank(weights) > width_rank(activations) ? weights : activations;
}

double activation_bytes(data::Precision activations) { return std::max(2.0, data::bytes_per_element(activations)); }

Operator make_gemm(std::string_view name, std::int64_t m, std::int64_t n, std::int64_t k, data::Precision weights,
                   data::Precision activations, bool sparse) {
  Operator op = make_grouped_gemm(name, static_cast<double>(m), 1, n, k, weights, activations, sparse);
  op.kind = OperatorKind::gemm;
  op.m = m;
  op.groups = 0;
  return op;
}

Operator make_grouped_gemm(std::string_view name, double rows, double experts, std::int64_t n, std::int64_t k,
                           data::Precision weights, data::Precision activations, bool sparse) {
  Operator op;
  op.kind = OperatorKind::grouped_gemm;
  op.name = name;
  op.m = static_cast<std::int64_t>(rows + 0.5);
  op.n = n;
  op.k = k;
  op.groups = experts;
  op.sparse = sparse;
  op.weights = weights;
  op.compute = compute_precision(weights, activations);
  const double columns = static_cast<double>(n), depth = static_cast<double>(k);
  op.flops = 2 * rows * columns * depth;
  op.bytes = experts * columns * depth * weight_bytes_per_parameter(weights, sparse) +
             rows * depth * data::bytes_per_element(op.compute) + rows * columns * activation_bytes(activations);
  return op;
}

}  // namespace weir::sim
