#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel_test_support.h"
#include "kernels/reference/reference.h"

namespace weir::kernels {
namespace {

using testing::EachLevel;
using testing::from_device;
using testing::Numbers;
using testing::to_device;

constexpr float kTheta = 10000.0F;
/// Operands are within +-1 (values too), so outputs are. Scores reach head_dim / sqrt(head_dim) <= 11.4 and are sums of
/// up to 128 FP32 products, off by some 1e-6; a weight exp(score) is then off by as much, relatively, and so is the
/// mean.
constexpr double kTolerance = 2e-5;

class Attention : public EachLevel {};
WEIR_EACH_LEVEL(Attention);

struct Shape {
  std::int64_t heads = 1, kv_heads = 1, head_dim = 64, block_tokens = 16;
};

/// The rotation as kernels do it, FP32 from FP64 angles. The attention tests need the cache's keys to the last FP16
/// bit: an FP64 rotation would now and then round to the neighbour. That the rotation is right, RopeAppend shows
/// against FP64.
std::vector<float> rotated_in_fp32(std::span<const float> head, std::int64_t position) {
  const std::size_t half = head.size() / 2;
  std::vector<float> out(head.size());
  for (std::size_t i = 0; i < half; ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(head.size());
    const double angle = static_cast<double>(position) * std::pow(static_cast<double>(kTheta), exponent);
    const float c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
    out[i] = head[i] * c - head[i + half] * s;
    out[i + half] = head[i + half] * c + head[i] * s;
  }
  return out;
}

/// Sequences in a cache whose blocks are dealt in random order, all filled through rope_append_kv, and the same keys
/// and values kept in FP64 on the side.
class Sequences {
 public:
  Sequences(Device& device, const Shape& shape, std::vector<std::int32_t> contexts, std::uint64_t seed)
      : device_(device), shape_(shape), contexts_(std::move(contexts)), numbers_(seed) {
    std::int64_t longest = 1;
    for (const std::int32_t c : contexts_) longest = std::max<std::int64_t>(longest, c);
    per_sequence_ = (longest + shape.block_tokens - 1) / shape.block_tokens + 1;
    const std::int64_t blocks = per_sequence_ * std::ssize(contexts_) + 3;
    cache_ = device.allocate_kv({shape.kv_heads, shape.head_dim, shape.block_tokens, blocks});
    std::vector<std::int32_t> order(static_cast<std::size_t>(blocks));
    std::iota(order.begin(), order.end(), 0);
    for (std::int64_t i = blocks - 1; i > 0; --i) {
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(numbers_.below(i + 1))]);
    }
    table_.assign(order.begin(), order.begin() + per_sequence_ * std::ssize(contexts_));
    keys_.resize(contexts_.size());
    values_.resize(contexts_.size());
    for (std::size_t s = 0; s < contexts_.size(); ++s) fill(s);
  }

  AttentionBatch batch(const std::vector<std::int32_t>& q_tokens) const {
    return {q_tokens, contexts_, table_, per_sequence_};
  }

  /// Queries for the last q_tokens of each sequence; returns what the device and the reference make of them.
  void attend(const std::vector<std::int32_t>& q_tokens, bool decode, std::vector<float>& got,
              std::vector<double>& want) {
    const std::int64_t d = shape_.head_dim, stride = (shape_.heads + 2 * shape_.kv_heads) * d;
    const std::int64_t tokens = std::accumulate(q_tokens.begin(), q_tokens.end(), std::int64_t{0});
    const std::vector<float> qkv = numbers_.values(tokens * stride);
    const BufferPtr in = to_device(device_, qkv);
    const BufferPtr out =
        to_device(device_, std::vector<float>(static_cast<std::size_t>(tokens * shape_.heads * d), std::nanf("")));
    decode ? device_.attention_decode(*in, *cache_, *out, shape_.heads, batch(q_tokens))
           : device_.attention_prefill(*in, *cache_, *out, shape_.heads, batch(q_tokens));
    got = from_device(device_, *out);
    want.clear();
    std::int64_t first = 0;
    for (std::size_t s = 0; s < contexts_.size(); ++s) {
      std::vector<double> q;
      for (std::int64_t t = first; t < first + q_tokens[s]; ++t) {
        const auto row = qkv.begin() + t * stride;
        q.insert(q.end(), row, row + shape_.heads * d);
      }
      const auto mine =
          reference::attention({q_tokens[s], contexts_[s], shape_.heads, shape_.kv_heads, d}, q, keys_[s], values_[s]);
      want.insert(want.end(), mine.begin(), mine.end());
      first += q_tokens[s];
    }
  }

 private:
  void fill(std::size_t s) {
    const std::int64_t d = shape_.head_dim, stride = (shape_.heads + 2 * shape_.kv_heads) * d, count = contexts_[s];
    const std::vector<float> qkv = numbers_.values(count * stride);
    const BufferPtr buffer = to_device(device_, qkv);
    std::vector<std::int32_t> sequence(static_cast<std::size_t>(count), static_cast<std::int32_t>(s)),
        position(static_cast<std::size_t>(count));
    std::iota(position.begin(), position.end(), 0);
    device_.rope_append_kv(*buffer, *cache_, count, shape_.heads, sequence, position, batch({}), kTheta);
    for (std::int64_t t = 0; t < count; ++t) {
      for (std::int64_t h = 0; h < shape_.kv_heads; ++h) {
        const auto key = std::span(qkv).subspan(static_cast<std::size_t>(t * stride + (shape_.heads + h) * d),
                                                static_cast<std::size_t>(d));
        for (const float x : rotated_in_fp32(key, t))
          keys_[s].push_back(reference::round_to_fp16(static_cast<double>(x)));
        for (std::int64_t i = 0; i < d; ++i) {
          const auto at = static_cast<std::size_t>(t * stride + (shape_.heads + shape_.kv_heads + h) * d + i);
          values_[s].push_back(reference::round_to_fp16(static_cast<double>(qkv[at])));
        }
      }
    }
  }

  Device& device_;
  Shape shape_;
  std::vector<std::int32_t> contexts_, table_;
  std::int64_t per_sequence_ = 0;
  Numbers numbers_;
  KvCachePtr cache_;
  std::vector<std::vector<double>> keys_, values_;
};

void check(Device& device, const Shape& shape, const std::vector<std::int32_t>& contexts,
           const std::vector<std::int32_t>& q_tokens, bool decode, std::uint64_t seed) {
  Sequences sequences(device, shape, contexts, seed);
  std::vector<float> got;
  std::vector<double> want;
  sequences.attend(q_tokens, decode, got, want);
  ASSERT_EQ(got.size(), want.size());
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - want[i]);
    worst = error <= worst ? worst : error;  // also takes NaN
  }
  EXPECT_LE(worst, kTolerance) << (decode ? "decode " : "prefill ") << shape.heads << "/" << shape.kv_heads
                               << " heads of " << shape.head_dim << ", " << contexts.size()
                               << " sequences, first context " << contexts.front();
}

std::vector<std::int32_t> ones(std::size_t count) { return std::vector<std::int32_t>(count, 1); }

TEST_P(Attention, DecodeHeadShapes) {
  const auto device = EachLevel::device();
  for (const std::int64_t head_dim : {2, 20, 64, 80, 96, 128}) {
    for (const auto& [heads, kv_heads] : {std::pair{1, 1}, {3, 3}, {4, 2}, {4, 1}, {8, 1}, {6, 2}, {10, 2}}) {
      check(*device, {heads, kv_heads, head_dim}, {1, 33, 130}, ones(3), true, 21);
    }
  }
}

TEST_P(Attention, DecodeEveryContext) {
  const auto device = EachLevel::device();
  for (std::int32_t context = 1; context <= 300; context += context < 36 ? 1 : 23) {
    check(*device, {4, 1, 64}, {context}, ones(1), true, 22);
  }
}

/// Long enough to be cut into ranges, which are merged; 5 threads get more ranges than 1.
TEST_P(Attention, DecodeSplitContexts) {
  for (const int threads : {1, 2, 5}) {
    const auto device = EachLevel::device(threads);
    check(*device, {4, 1, 64}, {1500}, ones(1), true, 23);
    check(*device, {4, 2, 32}, {1025, 1, 300, 17, 512}, ones(5), true, 24);
  }
}

TEST_P(Attention, PrefillHeadShapes) {
  const auto device = EachLevel::device();
  for (const std::int64_t head_dim : {2, 20, 64, 80, 96, 128}) {
    for (const auto& [heads, kv_heads] : {std::pair{1, 1}, {3, 3}, {4, 1}, {8, 1}, {10, 2}}) {
      check(*device, {heads, kv_heads, head_dim}, {1, 33, 70}, {1, 20, 70}, false, 25);
    }
  }
}

/// Blocks of rows and of keys that end at every place relative to each other, with and without a past.
TEST_P(Attention, PrefillEveryContext) {
  const auto device = EachLevel::device();
  for (std::int32_t context = 1; context <= 300; context += context < 36 ? 1 : 31) {
    check(*device, {2, 1, 16}, {context}, {context}, false, 26);
    check(*device, {2, 1, 16}, {context}, {(context + 1) / 2}, false, 27);
    check(*device, {2, 1, 16}, {context}, {1}, false, 28);
  }
}

TEST_P(Attention, PrefillSkipsSequencesWithoutNewTokens) {
  const auto device = EachLevel::device();
  check(*device, {4, 2, 32}, {40, 17, 60}, {0, 17, 3}, false, 29);
}

TEST_P(Attention, LargerBlocks) {
  const auto device = EachLevel::device();
  check(*device, {4, 2, 32, 64}, {100, 65, 64}, ones(3), true, 30);
  check(*device, {4, 2, 32, 32}, {100, 65, 64}, {10, 65, 2}, false, 31);
}

/// More query heads than a block of prefill rows holds.
TEST_P(Attention, ManyHeadsOnOne) {
  const auto device = EachLevel::device();
  check(*device, {71, 1, 64}, {90}, ones(1), true, 32);
  check(*device, {71, 1, 64}, {90}, {5}, false, 33);
}

/// One token sees itself alone: the answer is its value, rounded to FP16, whatever the scores.
TEST_P(Attention, OneTokenReturnsItsValue) {
  const auto device = EachLevel::device(1);
  const KvCachePtr cache = device->allocate_kv({1, 4, 16, 2});
  const BufferPtr qkv = to_device(*device, {1, 2, 3, 4, 5, 6, 7, 8, 0.1F, -2.0F, 1000.5F, 0});
  const BufferPtr out = to_device(*device, std::vector<float>(4, -1.0F));
  const std::vector<std::int32_t> one{1}, zero{0}, table{1};
  const AttentionBatch batch{one, one, table, 1};
  device->rope_append_kv(*qkv, *cache, 1, 1, zero, zero, batch, kTheta);
  device->attention_decode(*qkv, *cache, *out, 1, batch);
  // 0.1 in FP16 is 1638 x 2^-14 = 0.0999755859375; 1000.5 is one of its multiples of 1/2.
  EXPECT_EQ(from_device(*device, *out), (std::vector<float>{0.0999755859375F, -2.0F, 1000.5F, 0.0F}));
}

/// Two tokens, head_dim 2, by hand. Keys are rotated by 0 and by 1 radian: (1, 0) and (cos 1, sin 1) = (0.5403,
/// 0.8415). The query at position 1 is (cos 1, sin 1) after rotation. Scores: cos 1 / sqrt 2 = 0.38205, 1 / sqrt 2 =
/// 0.70711. Weights: 1 / (1 + e^0.32506) = 0.41944 and 0.58056. Values 1 and 3: 0.41944 + 3 x 0.58056 = 2.16112.
TEST_P(Attention, TwoTokensByHand) {
  const auto device = EachLevel::device(1);
  const KvCachePtr cache = device->allocate_kv({1, 2, 16, 1});
  const BufferPtr qkv = to_device(*device, {1, 0, 1, 0, 1, 1, /**/ 1, 0, 1, 0, 3, 3});
  const BufferPtr out = to_device(*device, std::vector<float>(4, -1.0F));
  const std::vector<std::int32_t> two{2}, sequence{0, 0}, position{0, 1}, table{0};
  const AttentionBatch batch{two, two, table, 1};
  device->rope_append_kv(*qkv, *cache, 2, 1, sequence, position, batch, kTheta);
  device->attention_prefill(*qkv, *cache, *out, 1, batch);
  const auto got = from_device(*device, *out);
  EXPECT_EQ(got[0], 1.0F);             // the first token sees itself alone
  EXPECT_NEAR(got[2], 2.16112, 3e-4);  // keys are FP16: 2^-11 of a score of 0.7
  EXPECT_NEAR(got[3], 2.16112, 3e-4);
}

/// Scores of +-8000: the largest is taken off before the exponential, so nothing overflows.
TEST_P(Attention, LargeScores) {
  const auto device = EachLevel::device(1);
  const std::int64_t d = 16, tokens = 40;
  const KvCachePtr cache = device->allocate_kv({1, d, 16, 3});
  std::vector<float> qkv;
  for (std::int64_t t = 0; t < tokens; ++t) {
    for (std::int64_t i = 0; i < d; ++i) qkv.push_back(i == d - 1 ? 100.0F : 0.0F);
    for (std::int64_t i = 0; i < d; ++i) qkv.push_back(i == d - 1 ? (t == 7 ? 300.0F : -300.0F) : 0.0F);
    for (std::int64_t i = 0; i < d; ++i) qkv.push_back(static_cast<float>(t));
  }
  const BufferPtr in = to_device(*device, qkv);
  const BufferPtr out = to_device(*device, std::vector<float>(static_cast<std::size_t>(tokens * d), -1.0F));
  std::vector<std::int32_t> sequence(tokens, 0), position(tokens);
  std::iota(position.begin(), position.end(), 0);
  const std::vector<std::int32_t> q_tokens{static_cast<std::int32_t>(tokens)}, table{2, 0, 1};
  const AttentionBatch batch{q_tokens, q_tokens, table, 3};
  // A theta this large leaves the last pair all but unrotated.
  device->rope_append_kv(*in, *cache, tokens, 1, sequence, position, batch, 1e30F);
  device->attention_prefill(*in, *cache, *out, 1, batch);
  const auto got = from_device(*device, *out);
  for (std::int64_t t = 7; t < tokens; ++t) EXPECT_EQ(got[static_cast<std::size_t>(t * d)], 7.0F) << t;
}

RC_GTEST_PROP(AttentionProperty, RaggedBatches, ()) {
  static const auto scalar = make_cpu_device(1, IsaLevel::scalar);
  static const auto best = make_cpu_device(3);
  const auto kv_heads = *rc::gen::inRange<std::int64_t>(1, 4);
  const Shape shape{kv_heads * *rc::gen::inRange<std::int64_t>(1, 7), kv_heads,
                    2 * *rc::gen::inRange<std::int64_t>(1, 30)};
  const auto contexts = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::int32_t>>(rc::gen::inRange(1, 90)));
  std::vector<std::int32_t> some(contexts.begin(),
                                 contexts.begin() + std::min<std::ptrdiff_t>(4, std::ssize(contexts)));
  std::vector<std::int32_t> q_tokens;
  for (const std::int32_t c : some) q_tokens.push_back(*rc::gen::inRange(0, c + 1));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (Device* device : {scalar.get(), best.get()}) {
    check(*device, shape, some, ones(some.size()), true, seed);
    check(*device, shape, some, q_tokens, false, seed);
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

}  // namespace
}  // namespace weir::kernels
