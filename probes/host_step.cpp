#include "probes/host_step.h"

#include <algorithm>
#include <array>
#include <span>

#include "probes/random_fill.h"

namespace weir::probes {
namespace {

constexpr std::int64_t kContextTokens = 512, kBlockTokens = 16, kEmbeddingRows = 1024;

/// Index of the largest value, the first one among equals. Eight maxima side by side, so that the loop is one of
/// vectors.
std::size_t index_of_largest(std::span<const float> values) {
  std::array<float, 8> largest{};
  largest.fill(values[0]);
  for (std::size_t at = 0; at + largest.size() <= values.size(); at += largest.size()) {
    for (std::size_t lane = 0; lane < largest.size(); ++lane) {
      largest[lane] = values[at + lane] > largest[lane] ? values[at + lane] : largest[lane];
    }
  }
  float best = *std::max_element(largest.begin(), largest.end());
  const std::size_t tail = values.size() / largest.size() * largest.size();
  for (float value : values.subspan(tail)) best = std::max(best, value);
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), best) - values.begin());
}

}  // namespace

HostStep::HostStep(std::int64_t sequences, std::int64_t hidden, std::int64_t vocabulary)
    : sequences_(sequences), hidden_(hidden), vocabulary_(vocabulary), context_tokens_(kContextTokens) {
  for (std::int64_t b = 0; b < sequences * (kContextTokens / kBlockTokens + 1); ++b) {
    block_order_.push_back(static_cast<std::int32_t>(b));
  }
  tokens_.assign(static_cast<std::size_t>(sequences), 0);
  embedding_.resize(static_cast<std::size_t>(kEmbeddingRows * hidden));
  rows_.resize(static_cast<std::size_t>(sequences * hidden));
  logits_.resize(static_cast<std::size_t>(sequences * vocabulary));
  fill_random(embedding_, 1.0F, 21);
  fill_random(logits_, 1.0F, 22);
}

void HostStep::run() {
  batch_ = make_sequences(sequences_, 1, context_tokens_ - 1, kBlockTokens, block_order_);
  for (std::int64_t s = 0; s < sequences_; ++s) {
    const std::int64_t row = tokens_[static_cast<std::size_t>(s)] % kEmbeddingRows;
    std::copy_n(embedding_.begin() + row * hidden_, hidden_, rows_.begin() + s * hidden_);
    const auto logits =
        std::span(logits_).subspan(static_cast<std::size_t>(s * vocabulary_), static_cast<std::size_t>(vocabulary_));
    tokens_[static_cast<std::size_t>(s)] = static_cast<std::int32_t>(index_of_largest(logits));
  }
}

}  // namespace weir::probes
