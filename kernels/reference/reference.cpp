#include "kernels/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace weir::kernels::reference {
namespace {

/// Rounds to a binary format with `digits` significant bits, least exponent `least` (of the last bit of subnormals) and
/// largest finite value `largest`. FP64 holds every step on the way exactly.
double round_to(double value, int digits, int least, double largest) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| in [2^(exponent - 1), 2^exponent)
  const int last_bit = std::max(exponent - digits, least);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -last_bit)), last_bit);
  return std::abs(rounded) > largest ? std::copysign(std::numeric_limits<double>::infinity(), value) : rounded;
}

template <class Element, class Term>
std::vector<double> sum_products(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const Element> a,
                                 std::span<const Element> w, const Term& term) {
  std::vector<double> c;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += term(static_cast<double>(a[static_cast<std::size_t>(i * k + l)]),
                    static_cast<double>(w[static_cast<std::size_t>(j * k + l)]));
      }
      c.push_back(sum);
    }
  }
  return c;
}

}  // namespace

double round_to_fp16(double value) { return round_to(value, 11, -24, 65504.0); }
double round_to_bf16(double value) { return round_to(value, 8, -133, std::ldexp(255.0, 120)); }

std::vector<double> gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const float> a,
                         std::span<const float> w) {
  return sum_products(m, n, k, a, w, [](double x, double y) { return x * y; });
}

std::vector<double> gemm_magnitude(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const float> a,
                                   std::span<const float> w) {
  return sum_products(m, n, k, a, w, [](double x, double y) { return std::abs(x * y); });
}

QuantizedRows quantize_rows(std::int64_t rows, std::int64_t columns, std::span<const float> x) {
  QuantizedRows result;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto row = x.subspan(static_cast<std::size_t>(r * columns), static_cast<std::size_t>(columns));
    float absmax = 0;
    for (const float value : row) absmax = std::max(absmax, std::abs(value));
    for (const float value : row) {
      const float scaled = absmax > 0 ? value * (127.0F / absmax) : 0.0F;
      result.values.push_back(static_cast<std::int8_t>(std::nearbyint(scaled)));
    }
    result.scales.push_back(absmax / 127.0F);
  }
  return result;
}

std::vector<std::int32_t> gemm_int8(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const std::int8_t> a,
                                    std::span<const std::int8_t> w) {
  // FP64 adds integers below 2^53 exactly.
  std::vector<std::int32_t> result;
  for (const double sum : sum_products(m, n, k, a, w, [](double x, double y) { return x * y; })) {
    if (std::abs(sum) > 2147483647.0) throw std::overflow_error("an int8 sum needs more than 32 bits");
    result.push_back(static_cast<std::int32_t>(sum));
  }
  return result;
}

std::vector<double> attention(const AttentionShape& shape, std::span<const double> q, std::span<const double> keys,
                              std::span<const double> values) {
  const std::int64_t d = shape.head_dim;
  std::vector<double> out;
  for (std::int64_t t = 0; t < shape.q_tokens; ++t) {
    const std::int64_t visible = shape.context - shape.q_tokens + t + 1;
    for (std::int64_t h = 0; h < shape.heads; ++h) {
      const std::int64_t kv_head = h / (shape.heads / shape.kv_heads);
      const auto at = [&](std::int64_t token, std::int64_t i) {
        return static_cast<std::size_t>((token * shape.kv_heads + kv_head) * d + i);
      };
      std::vector<double> weights;
      for (std::int64_t s = 0; s < visible; ++s) {
        double dot = 0;
        for (std::int64_t i = 0; i < d; ++i) {
          dot += q[static_cast<std::size_t>((t * shape.heads + h) * d + i)] * keys[at(s, i)];
        }
        weights.push_back(dot / std::sqrt(static_cast<double>(d)));
      }
      const double max = *std::max_element(weights.begin(), weights.end());
      double sum = 0;
      for (double& weight : weights) sum += weight = std::exp(weight - max);
      for (std::int64_t i = 0; i < d; ++i) {
        double mean = 0;
        for (std::int64_t s = 0; s < visible; ++s)
          mean += weights[static_cast<std::size_t>(s)] / sum * values[at(s, i)];
        out.push_back(mean);
      }
    }
  }
  return out;
}

std::vector<double> rope(std::span<const float> head, std::int64_t position, double theta) {
  const std::size_t half = head.size() / 2;
  std::vector<double> out(head.size());
  for (std::size_t i = 0; i < half; ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(head.size());
    const double angle = static_cast<double>(position) * std::pow(theta, exponent);
    const double a = static_cast<double>(head[i]), b = static_cast<double>(head[i + half]);
    out[i] = a * std::cos(angle) - b * std::sin(angle);
    out[i + half] = b * std::cos(angle) + a * std::sin(angle);
  }
  return out;
}

std::vector<double> rms_norm(std::span<const float> x, std::span<const float> weight, double epsilon) {
  double squares = 0;
  for (const float value : x) squares += static_cast<double>(value) * static_cast<double>(value);
  const double root = std::sqrt(squares / static_cast<double>(x.size()) + epsilon);
  std::vector<double> out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out.push_back(static_cast<double>(x[i]) / root * static_cast<double>(weight[i]));
  }
  return out;
}

std::vector<double> silu_mul(std::span<const float> x) {
  const std::size_t width = x.size() / 2;
  std::vector<double> out;
  for (std::size_t i = 0; i < width; ++i) {
    const double gate = static_cast<double>(x[i]);
    out.push_back(gate / (1.0 + std::exp(-gate)) * static_cast<double>(x[width + i]));
  }
  return out;
}

}  // namespace weir::kernels::reference
