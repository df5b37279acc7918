#include "probes/selftest_attention.h"

#include <algorithm>
#include <cmath>

#include "kernels/reference/reference.h"
#include "probes/random_fill.h"

namespace weir::probes {
namespace {

namespace ref = kernels::reference;

constexpr std::int64_t kBlockTokens = 16;
constexpr float kTheta = 10000.0F;

/// A cache into which all sequences of a case were written, with what went in.
struct FilledCache {
  std::int64_t width = 0;  ///< of a row of qkv
  std::int64_t blocks_per_sequence = 0;
  std::vector<std::int32_t> sequence, position, table;
  std::vector<float> qkv;      ///< before the rotation, sequence after sequence
  std::vector<float> rotated;  ///< after it
  kernels::KvCachePtr cache;

  kernels::AttentionBatch batch(const std::vector<std::int32_t>& q, const std::vector<std::int32_t>& context) const {
    return {q, context, table, blocks_per_sequence};
  }
};

FilledCache fill(kernels::Device& device, const AttentionCase& shape) {
  FilledCache filled;
  filled.width = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
  const std::int32_t longest = *std::max_element(shape.context_tokens.begin(), shape.context_tokens.end());
  filled.blocks_per_sequence = (longest + kBlockTokens - 1) / kBlockTokens;
  const auto sequences = static_cast<std::int64_t>(shape.context_tokens.size());
  const std::int64_t blocks = sequences * filled.blocks_per_sequence;
  for (std::int64_t b = 0; b < blocks; ++b) filled.table.push_back(static_cast<std::int32_t>(blocks - 1 - b));
  for (std::size_t s = 0; s < shape.context_tokens.size(); ++s) {
    for (std::int32_t p = 0; p < shape.context_tokens[s]; ++p) {
      filled.sequence.push_back(static_cast<std::int32_t>(s));
      filled.position.push_back(p);
    }
  }
  const auto tokens = static_cast<std::int64_t>(filled.sequence.size());
  filled.qkv = random_floats(tokens * filled.width, 51);
  filled.cache = device.allocate_kv({shape.kv_heads, shape.head_dim, kBlockTokens, blocks});
  const kernels::BufferPtr rows = uploaded(device, filled.qkv);
  device.rope_append_kv(*rows, *filled.cache, tokens, shape.heads, filled.sequence, filled.position,
                        filled.batch(shape.context_tokens, shape.context_tokens), kTheta);
  filled.rotated = downloaded(device, *rows);
  return filled;
}

/// Head `index` (counted over q, k and v) of one row.
std::span<const float> head_of(const std::vector<float>& qkv, const FilledCache& filled, std::size_t row,
                               std::int64_t index, std::int64_t head_dim) {
  const auto from = static_cast<std::int64_t>(row) * filled.width + index * head_dim;
  return std::span(qkv).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(head_dim));
}

void append(std::vector<double>& to, const std::vector<double>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

/// Reference of the sequence whose rows begin at `first`.
std::vector<double> exact_attention(const AttentionCase& shape, const FilledCache& filled, std::size_t s,
                                    std::size_t first) {
  const auto context = static_cast<std::size_t>(shape.context_tokens[s]);
  const auto q_tokens = static_cast<std::size_t>(shape.q_tokens[s]);
  std::vector<double> q, keys, values;
  for (std::size_t t = 0; t < context; ++t) {
    const std::int64_t position = static_cast<std::int64_t>(t);
    for (std::int64_t h = 0; h < shape.kv_heads; ++h) {
      std::vector<double> key = ref::rope(head_of(filled.qkv, filled, first + t, shape.heads + h, shape.head_dim),
                                          position, static_cast<double>(kTheta));
      for (double& value : key) value = ref::round_to_fp16(value);
      append(keys, key);
      for (float v : head_of(filled.qkv, filled, first + t, shape.heads + shape.kv_heads + h, shape.head_dim)) {
        values.push_back(ref::round_to_fp16(static_cast<double>(v)));
      }
    }
    if (t + q_tokens < context) continue;
    for (std::int64_t h = 0; h < shape.heads; ++h) {
      append(q, ref::rope(head_of(filled.qkv, filled, first + t, h, shape.head_dim), position,
                          static_cast<double>(kTheta)));
    }
  }
  return ref::attention({static_cast<std::int64_t>(q_tokens), static_cast<std::int64_t>(context), shape.heads,
                         shape.kv_heads, shape.head_dim},
                        q, keys, values);
}

}  // namespace

std::string AttentionCase::text() const {
  std::string contexts;
  for (std::int32_t context : context_tokens) contexts += (contexts.empty() ? "" : ",") + std::to_string(context);
  return " context=" + contexts + " heads=" + std::to_string(heads) + "/" + std::to_string(kv_heads) +
         " head_dim=" + std::to_string(head_dim);
}

double rope_error(kernels::Device& device, const AttentionCase& shape) {
  const FilledCache filled = fill(device, shape);
  double worst = 0;
  for (std::size_t row = 0; row < filled.position.size(); ++row) {
    for (std::int64_t h = 0; h < shape.heads; ++h) {
      const std::vector<double> exact = ref::rope(head_of(filled.qkv, filled, row, h, shape.head_dim),
                                                  filled.position[row], static_cast<double>(kTheta));
      const double error = worst_difference(head_of(filled.rotated, filled, row, h, shape.head_dim), exact);
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

double attention_error(kernels::Device& device, const AttentionCase& shape) {
  const FilledCache filled = fill(device, shape);
  std::vector<float> queries;
  std::vector<double> exact;
  std::size_t first = 0;
  for (std::size_t s = 0; s < shape.q_tokens.size(); ++s) {
    const auto context = static_cast<std::size_t>(shape.context_tokens[s]);
    const auto q_tokens = static_cast<std::size_t>(shape.q_tokens[s]);
    const auto width = static_cast<std::size_t>(filled.width);
    const auto from = filled.rotated.begin() + static_cast<std::ptrdiff_t>((first + context - q_tokens) * width);
    queries.insert(queries.end(), from, from + static_cast<std::ptrdiff_t>(q_tokens * width));
    append(exact, exact_attention(shape, filled, s, first));
    first += context;
  }
  const kernels::BufferPtr rows = uploaded(device, queries);
  const kernels::BufferPtr out = uploaded(device, std::vector<float>(exact.size()));
  const kernels::AttentionBatch batch = filled.batch(shape.q_tokens, shape.context_tokens);
  if (shape.kernel == "attention_decode") {
    device.attention_decode(*rows, *filled.cache, *out, shape.heads, batch);
  } else {
    device.attention_prefill(*rows, *filled.cache, *out, shape.heads, batch);
  }
  return worst_difference(downloaded(device, *out), exact);
}

}  // namespace weir::probes
