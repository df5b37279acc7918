#include "kernels/cpu/cpu_attention.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace weir::kernels::cpu {
namespace {

constexpr double kLog2E = 1.4426950408889634;
/// A range of a split context is at least this long: shorter ones cost more in the merge than they save.
constexpr std::int64_t kLeastRange = 2 * kDecodeChunk;
/// Ranges a thread should get at least, so that threads finish at about the same time.
constexpr std::int64_t kRangesPerThread = 4;

void check(bool good, const char* call, const std::string& message) {
  if (!good) throw std::invalid_argument(std::string(call) + ": " + message);
}

std::int64_t tiles_of(std::int64_t tokens) { return (tokens + kTokenTile - 1) / kTokenTile; }

void check_heads(std::int64_t heads, const KvShape& shape, const char* call) {
  check(heads >= 1 && heads % shape.kv_heads == 0, call,
        std::to_string(heads) + " heads are no multiple of " + std::to_string(shape.kv_heads) + " KV heads");
}

void check_batch(const AttentionBatch& batch, const KvShape& shape, const char* call) {
  const std::size_t sequences = batch.q_tokens.size();
  check(batch.context_tokens.size() == sequences, call, "q_tokens and context_tokens differ in length");
  check(batch.blocks_per_sequence >= 1, call, "blocks_per_sequence must be at least 1");
  const std::int64_t entries = checked_product(static_cast<std::int64_t>(sequences), batch.blocks_per_sequence);
  check(static_cast<std::int64_t>(batch.block_table.size()) >= entries, call, "the block table is too short");
  for (std::size_t s = 0; s < sequences; ++s) {
    const std::int64_t q = batch.q_tokens[s], context = batch.context_tokens[s];
    const std::string where = "sequence " + std::to_string(s);
    check(q >= 0 && q <= context, call,
          where + ": " + std::to_string(q) + " of " + std::to_string(context) + " tokens");
    const std::int64_t blocks = (context + shape.block_tokens - 1) / shape.block_tokens;
    check(blocks <= batch.blocks_per_sequence, call, where + ": more tokens than its blocks hold");
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int32_t block =
          batch.block_table[s * static_cast<std::size_t>(batch.blocks_per_sequence) + static_cast<std::size_t>(b)];
      check(block >= 0 && block < shape.blocks, call, where + ": no block " + std::to_string(block));
    }
  }
}

/// One token's heads: rotates q in place, appends rotated k and v to its slot of the cache.
class TokenAppender {
 public:
  TokenAppender(const KernelTable& table, CpuKvCache& cache, std::int64_t heads, float theta)
      : table_(table), cache_(cache), heads_(heads), head_dim_(cache.shape().head_dim) {
    const std::size_t half = static_cast<std::size_t>(head_dim_ / 2);
    for (std::size_t i = 0; i < half; ++i) {
      // RoPE, Su et al. 2021, eq. 15: angle of pair i at position p = p theta^(-2 i / head_dim).
      frequencies_.push_back(
          std::pow(static_cast<double>(theta), -2.0 * static_cast<double>(i) / static_cast<double>(head_dim_)));
    }
    cosine_.resize(half);
    sine_.resize(half);
    rotated_.resize(static_cast<std::size_t>(head_dim_));
    half_.resize(static_cast<std::size_t>(head_dim_));
  }

  void append(float* token, std::int64_t position, std::int64_t block, std::int64_t slot) {
    for (std::size_t i = 0; i < frequencies_.size(); ++i) {
      // In FP64: at position 100 000 the angle of an FP32 product would be off by 0.01.
      const double angle = static_cast<double>(position) * frequencies_[i];
      cosine_[i] = static_cast<float>(std::cos(angle));
      sine_[i] = static_cast<float>(std::sin(angle));
    }
    for (std::int64_t h = 0; h < heads_; ++h) {
      float* q = token + h * head_dim_;
      table_.rotate_head(q, cosine_.data(), sine_.data(), q, head_dim_ / 2);
    }
    const std::int64_t kv_heads = cache_.shape().kv_heads, column = slot % kTokenTile;
    for (std::int64_t h = 0; h < kv_heads; ++h) {
      std::uint16_t* tile = cache_.tile(block, h, slot / kTokenTile);
      table_.rotate_head(token + (heads_ + h) * head_dim_, cosine_.data(), sine_.data(), rotated_.data(),
                         head_dim_ / 2);
      table_.to_half(rotated_.data(), half_.data(), head_dim_);
      for (std::int64_t d = 0; d < head_dim_; ++d) tile[d * kTokenTile + column] = half_[static_cast<std::size_t>(d)];
      table_.to_half(token + (heads_ + kv_heads + h) * head_dim_, half_.data(), head_dim_);
      std::uint16_t* values = tile + head_dim_ * kTokenTile;
      for (std::int64_t d = 0; d < head_dim_; d += kDimTile) {
        const std::int64_t count = std::min<std::int64_t>(kDimTile, head_dim_ - d);
        std::copy_n(half_.data() + d, count, values + d * kTokenTile + column * kDimTile);
      }
    }
  }

 private:
  const KernelTable& table_;
  CpuKvCache& cache_;
  std::int64_t heads_, head_dim_;
  std::vector<double> frequencies_;
  std::vector<float> cosine_, sine_, rotated_;
  std::vector<std::uint16_t> half_;
};

}  // namespace

CpuAttention::CpuAttention(ThreadPool& pool, const KernelTable& table)
    : pool_(pool), table_(table), scratch_(static_cast<std::size_t>(pool.threads())) {}

void CpuAttention::rope_append_kv(Buffer& qkv, CpuKvCache& cache, std::int64_t tokens, std::int64_t heads,
                                  std::span<const std::int32_t> sequence, std::span<const std::int32_t> position,
                                  const AttentionBatch& batch, float theta) {
  constexpr const char* kCall = "rope_append_kv";
  const KvShape& shape = cache.shape();
  check_heads(heads, shape, kCall);
  check(shape.head_dim % 2 == 0, kCall, "head_dim must be even");
  check(theta > 0, kCall, "theta must be positive");
  check(tokens >= 0 && sequence.size() == static_cast<std::size_t>(tokens) && position.size() == sequence.size(), kCall,
        "sequence and position must have one entry a token");
  check(batch.blocks_per_sequence >= 1, kCall, "blocks_per_sequence must be at least 1");
  const std::int64_t stride = checked_product(heads + 2 * shape.kv_heads, shape.head_dim);
  float* data = floats(qkv, kCall, "qkv", tokens, stride);
  const std::int64_t sequences = static_cast<std::int64_t>(batch.block_table.size()) / batch.blocks_per_sequence;
  const std::int64_t capacity = checked_product(batch.blocks_per_sequence, shape.block_tokens);
  std::vector<std::int32_t> blocks(sequence.size());
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    const std::int64_t s = sequence[t], p = position[t];
    check(s >= 0 && s < sequences, kCall, "no sequence " + std::to_string(s));
    check(p >= 0 && p < capacity, kCall, "no position " + std::to_string(p));
    blocks[t] = batch.block_table[static_cast<std::size_t>(s * batch.blocks_per_sequence + p / shape.block_tokens)];
    check(blocks[t] >= 0 && blocks[t] < shape.blocks, kCall, "no block " + std::to_string(blocks[t]));
  }
  pool_.split(tokens, [&](std::int64_t begin, std::int64_t end, int) {
    TokenAppender appender(table_, cache, heads, theta);
    for (std::int64_t t = begin; t < end; ++t) {
      const std::size_t i = static_cast<std::size_t>(t);
      appender.append(data + t * stride, position[i], blocks[i], position[i] % shape.block_tokens);
    }
  });
}

CpuAttention::Call CpuAttention::prepare(const Buffer& qkv, const CpuKvCache& cache, Buffer& out, std::int64_t heads,
                                         const AttentionBatch& batch, const char* name) {
  const KvShape& shape = cache.shape();
  check_heads(heads, shape, name);
  check_batch(batch, shape, name);
  check(static_cast<const Buffer*>(&out) != &qkv, name, "out must not be qkv");
  std::int64_t tokens = 0;
  for (const std::int32_t q : batch.q_tokens) tokens += q;
  Call call;
  call.cache = &cache;
  call.batch = &batch;
  call.heads = heads;
  call.group = heads / shape.kv_heads;
  call.head_dim = shape.head_dim;
  call.padded_dim = cache.padded_dim();
  call.qkv_stride = checked_product(heads + 2 * shape.kv_heads, shape.head_dim);
  call.qkv = floats(qkv, name, "qkv", tokens, call.qkv_stride);
  call.out = floats(out, name, "out", tokens, checked_product(heads, shape.head_dim));
  call.scale = static_cast<float>(kLog2E / std::sqrt(static_cast<double>(shape.head_dim)));
  return call;
}

void CpuAttention::find_tiles(const Call& call, std::int64_t sequence, std::int64_t kv_head, std::int64_t begin,
                              std::int64_t end, std::vector<const std::uint16_t*>& tiles) {
  const std::int64_t per_block = call.cache->tiles_per_block();
  const std::int32_t* table = call.batch->block_table.data() + sequence * call.batch->blocks_per_sequence;
  tiles.clear();
  for (std::int64_t t = begin / kTokenTile; t < tiles_of(end); ++t) {
    tiles.push_back(call.cache->tile(table[t / per_block], kv_head, t % per_block));
  }
}

// ---- Prefill -------------------------------------------------------------------------------------

void CpuAttention::prefill(const Buffer& qkv, const CpuKvCache& cache, Buffer& out, std::int64_t heads,
                           const AttentionBatch& batch) {
  const Call call = prepare(qkv, cache, out, heads, batch, "attention_prefill");
  prefill_items_.clear();
  std::int64_t first_token = 0;
  for (std::size_t s = 0; s < batch.q_tokens.size(); ++s) {
    const std::int64_t q = batch.q_tokens[s], past = batch.context_tokens[s] - q, rows = q * call.group;
    for (std::int64_t first = 0; first < rows; first += kPrefillRows) {
      const std::int64_t count = std::min<std::int64_t>(kPrefillRows, rows - first);
      const std::int64_t visible = past + (first + count - 1) / call.group + 1;
      for (std::int64_t h = 0; h < cache.shape().kv_heads; ++h) {
        prefill_items_.push_back(
            {static_cast<std::int64_t>(s), first_token, h, first, visible, static_cast<int>(count)});
      }
    }
    first_token += q;
  }
  // Longest first: what is left at the end is short, and no thread waits long for another.
  std::stable_sort(prefill_items_.begin(), prefill_items_.end(),
                   [](const PrefillItem& a, const PrefillItem& b) { return a.visible > b.visible; });
  pool_.hand_out(static_cast<std::int64_t>(prefill_items_.size()), [&](std::int64_t i, int thread) {
    run_prefill(call, prefill_items_[static_cast<std::size_t>(i)], scratch_[static_cast<std::size_t>(thread)]);
  });
}

void CpuAttention::run_prefill(const Call& call, const PrefillItem& item, Scratch& scratch) const {
  const std::int64_t d = call.head_dim, padded = call.padded_dim, rows = item.rows;
  const std::int64_t floats_needed = rows * (d + padded + kPrefillChunk + 2) + kPrefillChunk * (d + padded);
  scratch.memory.reserve(static_cast<std::size_t>(floats_needed) * sizeof(float));
  float* q = scratch.memory.as<float>();
  PrefillBlock block;
  block.keys = q + rows * d;
  block.values = block.keys + kPrefillChunk * d;
  block.scores = block.values + kPrefillChunk * padded;
  block.out = block.scores + rows * kPrefillChunk;
  block.max = block.out + rows * padded;
  block.sum = block.max + rows;
  scratch.visible.resize(static_cast<std::size_t>(rows));
  const std::size_t s = static_cast<std::size_t>(item.sequence);
  const std::int64_t past = call.batch->context_tokens[s] - call.batch->q_tokens[s];
  const auto token_of = [&](std::int64_t r) { return (item.first + r) / call.group; };
  const auto head_of = [&](std::int64_t r) { return item.kv_head * call.group + (item.first + r) % call.group; };
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* from = call.qkv + (item.first_token + token_of(r)) * call.qkv_stride + head_of(r) * d;
    for (std::int64_t i = 0; i < d; ++i) q[r * d + i] = from[i] * call.scale;
    scratch.visible[static_cast<std::size_t>(r)] = past + token_of(r) + 1;
  }
  find_tiles(call, item.sequence, item.kv_head, 0, item.visible, scratch.tiles);
  block.q = q;
  block.rows = item.rows;
  block.head_dim = d;
  block.padded_dim = padded;
  block.largest_visible = item.visible;
  block.visible = scratch.visible.data();
  block.tiles = scratch.tiles.data();
  table_.prefill_block(block);
  for (std::int64_t r = 0; r < rows; ++r) {
    float* to = call.out + ((item.first_token + token_of(r)) * call.heads + head_of(r)) * d;
    const float inverse = 1.0F / block.sum[r];
    for (std::int64_t i = 0; i < d; ++i) to[i] = block.out[r * padded + i] * inverse;
  }
}

// ---- Decode --------------------------------------------------------------------------------------

void CpuAttention::decode(const Buffer& qkv, const CpuKvCache& cache, Buffer& out, std::int64_t heads,
                          const AttentionBatch& batch) {
  constexpr const char* kCall = "attention_decode";
  const Call call = prepare(qkv, cache, out, heads, batch, kCall);
  for (const std::int32_t q : batch.q_tokens) check(q == 1, kCall, "q_tokens must be 1");
  plan_decode(call);
  pool_.hand_out(static_cast<std::int64_t>(decode_items_.size()), [&](std::int64_t i, int thread) {
    run_decode(call, decode_items_[static_cast<std::size_t>(i)], scratch_[static_cast<std::size_t>(thread)]);
  });
  for (const MergeItem& item : merge_items_) merge(call, item);
}

void CpuAttention::plan_decode(const Call& call) {
  const std::int64_t kv_heads = call.cache->shape().kv_heads, sequences = std::ssize(call.batch->q_tokens);
  std::int64_t tokens = 0;
  for (const std::int32_t context : call.batch->context_tokens) tokens += context;
  // One thread gains nothing from a split; several get ranges of at most a quarter of their share.
  const std::int64_t share = tokens * kv_heads / (pool_.threads() * kRangesPerThread);
  const std::int64_t range =
      pool_.threads() == 1 ? std::max<std::int64_t>(tokens, 1) : std::max(kLeastRange, tiles_of(share) * kTokenTile);
  decode_items_.clear();
  merge_items_.clear();
  std::int64_t partials = 0;
  for (std::int64_t s = 0; s < sequences; ++s) {
    const std::int64_t context = call.batch->context_tokens[static_cast<std::size_t>(s)];
    const int parts = static_cast<int>((context + range - 1) / range);
    for (std::int64_t h = 0; h < kv_heads; ++h) {
      for (int i = 0; i < parts; ++i) {
        const IndexRange part = static_split(tiles_of(context), parts, i);
        decode_items_.push_back(
            {s, h, part.begin * kTokenTile, std::min(part.end * kTokenTile, context), parts == 1 ? -1 : partials + i});
      }
      if (parts == 1) continue;
      merge_items_.push_back({s, h, partials, parts});
      partials += parts;
    }
  }
  std::stable_sort(decode_items_.begin(), decode_items_.end(),
                   [](const DecodeItem& a, const DecodeItem& b) { return a.end - a.begin > b.end - b.begin; });
  partials_.reserve(static_cast<std::size_t>(partials * call.group * (call.padded_dim + 2)) * sizeof(float));
}

void CpuAttention::run_decode(const Call& call, const DecodeItem& item, Scratch& scratch) {
  const std::int64_t d = call.head_dim, padded = call.padded_dim, group = call.group;
  scratch.memory.reserve(static_cast<std::size_t>(group * (d + padded + kDecodeChunk + 2)) * sizeof(float));
  float* q = scratch.memory.as<float>();
  float* result = q + group * d;  // out, max, sum: the form of a partial result
  DecodeRange range;
  range.scores = result + group * (padded + 2);
  if (item.partial >= 0) result = partials_.as<float>() + item.partial * group * (padded + 2);
  range.out = result;
  range.max = result + group * padded;
  range.sum = range.max + group;
  const float* from = call.qkv + item.sequence * call.qkv_stride + item.kv_head * group * d;
  for (std::int64_t i = 0; i < group * d; ++i) q[i] = from[i] * call.scale;
  find_tiles(call, item.sequence, item.kv_head, item.begin, item.end, scratch.tiles);
  range.q = q;
  range.heads = static_cast<int>(group);
  range.head_dim = d;
  range.padded_dim = padded;
  range.tokens = item.end - item.begin;
  range.tiles = scratch.tiles.data();
  table_.decode_range(range);
  if (item.partial >= 0) return;
  float* to = call.out + (item.sequence * call.heads + item.kv_head * group) * d;
  for (std::int64_t h = 0; h < group; ++h) {
    const float inverse = 1.0F / range.sum[h];
    for (std::int64_t i = 0; i < d; ++i) to[h * d + i] = range.out[h * padded + i] * inverse;
  }
}

/// Joins softmax parts: with m the largest of the parts' maxima, out = sum 2^(m_i - m) out_i / sum 2^(m_i - m) l_i.
void CpuAttention::merge(const Call& call, const MergeItem& item) const {
  const std::int64_t d = call.head_dim, padded = call.padded_dim, group = call.group, size = group * (padded + 2);
  const float* parts = partials_.as<float>() + item.first * size;
  float* to = call.out + (item.sequence * call.heads + item.kv_head * group) * d;
  for (std::int64_t h = 0; h < group; ++h) {
    float max = parts[group * padded + h];
    for (std::int64_t i = 1; i < item.count; ++i) max = std::max(max, parts[i * size + group * padded + h]);
    float sum = 0;
    std::fill_n(to + h * d, d, 0.0F);
    for (std::int64_t i = 0; i < item.count; ++i) {
      const float* part = parts + i * size;
      const float weight = std::exp2(part[group * padded + h] - max);
      sum += weight * part[group * padded + group + h];
      for (std::int64_t j = 0; j < d; ++j) to[h * d + j] += weight * part[h * padded + j];
    }
    for (std::int64_t j = 0; j < d; ++j) to[h * d + j] /= sum;
  }
}

}  // namespace weir::kernels::cpu
