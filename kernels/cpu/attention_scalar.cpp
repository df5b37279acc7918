#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/cpu/half.h"
#include "kernels/cpu/scalar_kernels.h"

namespace weir::kernels::cpu::scalar {
namespace {

float key_at(const std::uint16_t* const* tiles, std::int64_t token, std::int64_t dim) {
  return float_from_half(tiles[token / kTokenTile][dim * kTokenTile + token % kTokenTile]);
}

float value_at(const std::uint16_t* const* tiles, std::int64_t token, std::int64_t dim, std::int64_t head_dim) {
  const std::uint16_t* values = tiles[token / kTokenTile] + head_dim * kTokenTile;
  return float_from_half(values[(dim / kDimTile * kTokenTile + token % kTokenTile) * kDimTile + dim % kDimTile]);
}

/// Softmax-weighted values of the first `visible` tokens for one query, two passes over the scores.
void attend(const float* q, const std::uint16_t* const* tiles, std::int64_t visible, std::int64_t head_dim,
            std::int64_t padded_dim, float* out, float& max, float& sum) {
  std::vector<float> weights(static_cast<std::size_t>(visible));
  max = -std::numeric_limits<float>::infinity();
  for (std::int64_t t = 0; t < visible; ++t) {
    float score = 0;
    for (std::int64_t d = 0; d < head_dim; ++d) score += q[d] * key_at(tiles, t, d);
    weights[static_cast<std::size_t>(t)] = score;
    max = std::max(max, score);
  }
  sum = 0;
  std::fill_n(out, padded_dim, 0.0F);
  for (std::int64_t t = 0; t < visible; ++t) {
    const float weight = std::exp2(weights[static_cast<std::size_t>(t)] - max);
    sum += weight;
    for (std::int64_t d = 0; d < head_dim; ++d) out[d] += weight * value_at(tiles, t, d, head_dim);
  }
}

}  // namespace

void decode_range(const DecodeRange& call) {
  for (int h = 0; h < call.heads; ++h) {
    attend(call.q + h * call.head_dim, call.tiles, call.tokens, call.head_dim, call.padded_dim,
           call.out + h * call.padded_dim, call.max[h], call.sum[h]);
  }
}

void prefill_block(const PrefillBlock& block) {
  for (int r = 0; r < block.rows; ++r) {
    attend(block.q + r * block.head_dim, block.tiles, block.visible[r], block.head_dim, block.padded_dim,
           block.out + r * block.padded_dim, block.max[r], block.sum[r]);
  }
}

}  // namespace weir::kernels::cpu::scalar
